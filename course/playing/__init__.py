"""A game or a duel, played turn by turn with a learner's functions, in a browser or not.

`README.md` explains how a game is played. This file exports the names of the duel: two players,
`1` and `-1`, play on one board, of which each owns one half. In each round, both players place a
tile, and then both push. A player may place a tile on any empty square of the opponent's half, and
on one square of the player's own half, which the public number of the round chooses. The rules are
in `course.rules.duel`.

An agent is a program that plays the duel: an object of a class such as this one. For each duel, the
class is called without arguments to make a new object:

    class Agent:
        def place(self, view): ...  # returns one of view["legal"], a square (row, column)
        def push(self, view): ...  # returns one of view["legal"], a direction such as "left"

A view is all that an agent gets to know: a dictionary of plain data. The agent may change this
dictionary, because it is a copy:

    "board"               rows of numbers, positive for the first player, negative for the second
    "player"              the player who must answer: 1 or -1
    "phase"               "place" or "push"
    "legal"               the list of legal answers: squares or directions
    "round", "rounds"     the number of this round, counted from 0; the number of rounds in all
    "numbers"             the public numbers of this round (at index 0) and of all later rounds
    "last"                {1: …, -1: …}, the last answer of each player; None if there is none yet,
                          or if the player's last phase was skipped
    "time_left"           the seconds of processor time that the agent has left in this duel, or
                          None if time is not limited
    "opponent_time_left"  the seconds that the opponent has left, or None

This is how to play a duel phase by phase, with or without agents:

    duel = Duel(public_numbers(seed=1, rounds=100))
    while not duel.is_over:
        print(duel.player, duel.phase, duel.legal, duel.board, duel.round)  # the state of the duel
        duel.answer(duel.legal[0] if duel.legal else None)  # None: no answer is legal
    print(duel.winner, duel.reason, duel.detail, duel.record())

`duel.winner` is 1, -1, or 0 for a draw. `duel.reason` is "tiles" if all rounds were played. If not,
it is the reason why one player lost: "illegal answer", "error", "out of time", "crashed".

`RandomAgent`, `GreedyAgent` and `LookAheadAgent` are the course's own agents, from weak to strong;
`OPPONENTS` maps names to functions that make them. `OriginalAgent(Player, player, numbers)` is an
agent that asks an object of `Player`, a class written for the platform Sessdsa.2048.
"""

from course.playing.agents import OPPONENTS, GreedyAgent, LookAheadAgent, OriginalAgent, RandomAgent
from course.playing.duel_engine import Duel, Reason, Record, play_between, public_numbers, think_on

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
