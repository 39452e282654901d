"""`tournament(Agent)`: duels of the learner's agent against three others, counted in a table."""

from collections import Counter
from collections.abc import Callable
from time import monotonic
from typing import Any

from course.plain_errors import plainly
from course.playing import OPPONENTS, Duel, Reason, play_between, public_numbers
from course.playing.duel_engine import error_line
from course.playing.learner_calls import shown
from course.refusal import Refusal
from course.widgets.simulation_charts import Chart

WHO = {  # each opponent: its label in the table, its name in a sentence, the number of games
    "chance": ("by chance", "the agent that plays by chance", 20),
    "greedy": ("greedy", "the greedy agent", 20),
    "ahead": ("looks ahead", "the agent that looks ahead", 10),
}
ROUNDS = 30
SECONDS = 20.0  # against each opponent; a learner's code may be slow


@plainly
def tournament(agent: Callable[[], Any]) -> Chart:
    """Let your agent play duels against three others, in turn as first and as second player.

    `agent` is a class with the methods `place` and `push`. Each tournament has the same games, but
    a slow agent plays fewer of them. Raise `Refusal` if `agent` is no class.

    >>> from course.playing import RandomAgent
    >>> tournament(RandomAgent).heads
    ['against', 'won', 'drawn', 'lost']
    """
    if not isinstance(agent, type):
        raise Refusal(f"tournament() needs a class: tournament(Agent), and not {shown(agent)}")
    rows, told = [], []
    why: dict[str, list[str]] = {}  # from each trouble to the opponents whose games it ended
    for key, make in OPPONENTS.items():
        name, who, most = WHO[key]
        results: Counter[int] = Counter()  # 1: won, 0: drawn, -1: lost
        trouble = ""  # the reason why the agent first lost a game before all rounds were played
        end = monotonic() + SECONDS
        for game in range(most):
            if game and monotonic() > end:
                break
            player = 1 if game % 2 == 0 else -1
            match = _played(agent, make, player, game)
            result = (match.winner or 0) * player
            results[result] += 1
            if result < 0 and match.reason != Reason.TILES:
                trouble = trouble or f"{match.reason}: {match.detail}"
        games = results.total()
        rows.append((name, [(results[result], games) for result in (1, 0, -1)]))
        told.append(f"Against {who}, {agent.__name__} won {results[1]} of {games}.")
        if trouble:
            why.setdefault(trouble, []).append(who)
    for trouble, opponents in why.items():
        who = "all three" if len(opponents) == len(WHO) else " and ".join(opponents)
        games_against = "A game against" if len(opponents) == 1 else "Games against"
        told.append(f"{games_against} {who} ended at once: {trouble}.")
    return Chart(f"How {agent.__name__} did", ["against", "won", "drawn", "lost"], rows, told)


def _played(agent: Callable[[], Any], make: Callable[[int], Any], player: int, game: int) -> Duel:
    numbers = public_numbers(f"tournament {game}", ROUNDS)
    try:
        mine = agent()
    except Exception as error:
        match = Duel(numbers)
        match.lose(player, Reason.ERROR, error_line(error))
        return match
    sides = (mine, make(game)) if player == 1 else (make(game), mine)
    return play_between(*sides, numbers)
