"""`compare(Game, my_strategy)`: many games by chance, by habit, and by a strategy of one's own."""

from collections import Counter
from html import escape
from random import Random
from statistics import median
from time import monotonic

from course.plainly import plainly
from course.playing.calls import Stuck
from course.playing.strategies import EndedGame, Make, Strategy, by_chance, by_habit, play_out
from course.refusal import Refusal
from course.widgets.picture import card, cell, columns, count, row, table

GAMES = 100
SECONDS = 15.0  # for each strategy; a learner's code may take its time


class Comparison:
    """Strategies by name, and how their games ended. `trouble` is what stopped one of them."""

    def __init__(self) -> None:
        self.outcomes: dict[str, list[EndedGame]] = {}
        self.trouble = ""

    @property
    def tiles(self) -> list[int]:
        """Every largest tile that a game ended with, the smallest first."""
        return sorted({one.largest for ended in self.outcomes.values() for one in ended})

    def __repr__(self) -> str:
        heads = ["strategy", "games", "median score", "best", *map(str, self.tiles)]
        rows = [heads, *([name, *map(str, numbers)] for name, numbers in self._rows())]
        return "\n".join([columns(rows), *filter(None, [self.trouble])])

    def _repr_html_(self) -> str:
        numbers = (numbers for _, numbers in self._rows())
        games, middle, best, *counts = zip(*numbers, strict=True)
        bars = [
            row(str(tile), *(count(n, n / max(1, of)) for n, of in zip(ended, games, strict=True)))
            for tile, ended in zip(self.tiles, counts, strict=True)
        ]
        named = (("median score", middle), ("best score", best), ("games", games))
        totals = [row(name, *(cell(f"{n:,}", "total") for n in line)) for name, line in named]
        trouble = f"<p>{escape(self.trouble)}</p>" if self.trouble else ""
        heads = ("tile", *self.outcomes)
        title = "How many games ended with which largest tile"
        return card(title, table(bars + totals, heads), trouble)

    def _rows(self) -> list[tuple[str, list[int]]]:
        """For each strategy: games, median score, best score, and a count for each tile."""
        rows = []
        for name, ended in self.outcomes.items():
            scores = [one.score for one in ended] or [0]
            counts = Counter(one.largest for one in ended)
            tiles = [counts[tile] for tile in self.tiles]
            rows.append((name, [len(ended), round(median(scores)), max(scores), *tiles]))
        return rows


@plainly
def compare(game: Make, *strategies: Strategy, games: int = GAMES) -> Comparison:
    """Play many games by chance, by habit (left, down, right, up), and by each of your strategies.

    `game` is a class such as `Game`; a strategy takes a board and gives a direction. All play the
    same number of games, with the same seeds. A strategy that is slow plays fewer, and one that
    fails stops with a sentence. Raises `Refusal` if `game` is no class, or if a strategy is no
    function.

    >>> from course.rules import Game
    >>> sorted(compare(Game, games=2).outcomes)
    ['by chance', 'by habit']
    """
    if not isinstance(game, type) or not all(map(callable, strategies)):
        raise Refusal("compare() needs a class and functions: compare(Game, my_strategy)")
    players: dict[str, Strategy] = {"by chance": by_chance(Random(2048)), "by habit": by_habit}
    players |= {str(getattr(one, "__name__", "mine")): one for one in strategies}
    comparison = Comparison()
    for name, strategy in players.items():
        comparison.outcomes[name] = ended = []
        end = monotonic() + SECONDS
        try:
            for seed in range(games):
                if monotonic() > end:
                    break
                ended.append(play_out(game, strategy, seed))
        except Stuck as stuck:
            comparison.trouble = " ".join(filter(None, [stuck.title, stuck.text, stuck.code]))
    return comparison
