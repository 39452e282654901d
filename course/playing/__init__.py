"""A game or a duel, played turn by turn with a learner's functions, in a browser or not.

`README.md` says how a game is played, and which names of the other files are used outside. Here are
the names of the duel: agents, duels between them, and what they are shown.

The rules are in `course.rules`: `own_square`, `legal_squares`, `place`, `push`, `legal_directions`,
`leader`. A player is `1`, the first, or `-1`, the second.

An agent is a class `Agent` that is made without arguments, a new one for each game:

    class Agent:
        def place(self, view): ...  # returns one of view["legal"], a square (row, column)
        def push(self, view): ...  # returns one of view["legal"], a direction such as "left"

A view is a dictionary of plain data, and a copy: an agent may change it.

    "board"               rows of numbers, positive for the first player, negative for the second
    "player"              who is asked: 1 or -1
    "phase"               "place" or "push"
    "legal"               what may be answered: squares or directions
    "round", "rounds"     the number of this round, from 0 on, and of all rounds
    "numbers"             the public numbers of this round (at index 0) and of all that come
    "last"                {1: …, -1: …}, the last answer of each player; None: none yet, or skipped
    "time_left"           the seconds of processor time that the agent has left in this game, or
                          None without a clock
    "opponent_time_left"  the same of the opponent

A duel, phase by phase, with or without agents:

    duel = Duel(public_numbers(seed=1, rounds=100))
    while not duel.is_over:
        duel.player, duel.phase, duel.legal, duel.board, duel.round
        duel.answer(duel.legal[0] if duel.legal else None)  # None skips what cannot be done
    duel.winner, duel.reason, duel.detail, duel.record()

`duel.winner` is 1, -1, or 0 for a draw; `duel.reason` is "tiles" if all rounds were played, else
the reason why one player lost: "illegal answer", "error", "out of time", "crashed".

`play_between(first, second, numbers)` plays a duel of two agents in this process and returns it;
an agent that answers illegally or raises an error loses at once. `RandomAgent`,
`GreedyAgent` and `LookAheadAgent` are our own, from weak to strong, by name in `OPPONENTS`;
`RandomAgent(seed)` plays the same each time. `OriginalAgent(Player, player, numbers)` makes an
agent of a `class Player` that was written for Sessdsa.2048. Agents of another process think by
another clock: `think_on(clock)`.
"""

from course.playing.agents import (
    OPPONENTS,
    GreedyAgent,
    LookAheadAgent,
    OriginalAgent,
    RandomAgent,
)
from course.playing.duel_phases import Duel, Reason, Record, play_between, public_numbers, think_on

__all__ = [
    "OPPONENTS",
    "Duel",
    "GreedyAgent",
    "LookAheadAgent",
    "OriginalAgent",
    "RandomAgent",
    "Reason",
    "Record",
    "play_between",
    "public_numbers",
    "think_on",
]
