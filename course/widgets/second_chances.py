"""`second_chances(SpecialGame, my_strategy)`: what many second chances bring back, in one chart."""

from html import escape
from itertools import pairwise
from random import Random
from statistics import median
from time import monotonic

from course.plainly import plainly
from course.playing.calls import Stuck
from course.playing.strategies import Make, Strategy, brought_back, by_chance, by_habit
from course.refusal import Refusal
from course.rules.special import SECOND_CHANCE_COST
from course.widgets.picture import card, columns, count, row, table

GAMES = 100
SECONDS = 15.0  # for each strategy; a learner's code may take its time
START = [[512, 0, 0, 0], [0, 0, 0, 2], [0, 0, 0, 0], [0, 0, 2, 0]]
STEPS = (0, 500, 1000, 1500, SECOND_CHANCE_COST)  # points; from the last on, it was worth it


class SecondChances:
    """Strategies by name, and the points that each second chance brought back.

    `trouble` is what stopped one of them.
    """

    def __init__(self) -> None:
        self.points: dict[str, list[int]] = {}
        self.trouble = ""

    @property
    def sentences(self) -> list[str]:
        """The sentences that say, by strategy, how many second chances were worth their price."""
        return [
            f"{name}: {self.worth(name)} of {len(points)} second chances were worth their price. "
            f"Half of them brought back {round(median(points))} points or more."
            for name, points in self.points.items()
            if points
        ]

    def worth(self, name: str) -> int:
        """Return how many second chances brought back as much as they cost, or more."""
        return sum(points >= SECOND_CHANCE_COST for points in self.points[name])

    def __repr__(self) -> str:
        heads = ["points back", *self.points]
        rows = [heads, *([label, *map(str, counts)] for label, counts in self._rows())]
        return "\n".join([columns(rows), *self.sentences, *filter(None, [self.trouble])])

    def _repr_html_(self) -> str:
        totals = [max(1, len(points)) for points in self.points.values()]
        bars = [
            row(label, *(count(n, n / of) for n, of in zip(counts, totals, strict=True)))
            for label, counts in self._rows()
        ]
        lines = "".join(
            f"<p>{escape(line)}</p>" for line in (*self.sentences, self.trouble) if line
        )
        title = f"What second chances brought back, for {SECOND_CHANCE_COST} points each"
        return card(title, table(bars, ("points back", *self.points)), lines)

    def _rows(self) -> list[tuple[str, list[int]]]:
        """Return for each span of points: its label, and a count for each strategy."""
        ends = [*STEPS, max([0, *(max(points, default=0) for points in self.points.values())]) + 1]
        rows = []
        for low, high in pairwise(ends):
            is_last = low == STEPS[-1]
            label = f"{low} or more: worth it" if is_last else f"{low} to {high - 1}"
            counts = [
                sum(low <= n and (is_last or n < high) for n in points)
                for points in self.points.values()
            ]
            rows.append((label, counts))
        return rows


@plainly
def second_chances(game: Make, *strategies: Strategy, games: int = GAMES) -> SecondChances:
    """Play many games with a second chance, and count the points that it brings back.

    The games are played by chance, by habit, and by each of your strategies. `game` is a class such
    as `SpecialGame`; a strategy takes a board and gives a direction. Each game begins with a tile
    of 512, is lost, and goes on once. All strategies play the same number of games, with the same
    seeds; one that is slow plays fewer, and one that fails stops with a sentence. Raises `Refusal`
    if `game` is no class, or if a strategy is no function.

    >>> from course.rules import SpecialGame
    >>> sorted(second_chances(SpecialGame, games=2).points)
    ['by chance', 'by habit']
    """
    if not isinstance(game, type) or not all(map(callable, strategies)):
        raise Refusal(
            "second_chances() needs a class and functions: second_chances(SpecialGame, my_strategy)"
        )
    players: dict[str, Strategy] = {"by chance": by_chance(Random(2048)), "by habit": by_habit}
    players |= {str(getattr(one, "__name__", "mine")): one for one in strategies}
    chart = SecondChances()
    for name, strategy in players.items():
        chart.points[name] = points = []
        end = monotonic() + SECONDS
        try:
            for seed in range(games):
                if monotonic() > end:
                    break
                points.append(brought_back(game, strategy, START, seed))
        except Stuck as stuck:
            chart.trouble = " ".join(filter(None, [stuck.title, stuck.text, stuck.code]))
    return chart
