"""`compare(Game, my_strategy)`: many games by chance, by habit, and by a strategy of one's own."""

from collections import Counter
from html import escape
from random import Random
from statistics import median
from time import monotonic

from course.match.calls import Stuck
from course.match.strategies import Make, Outcome, Strategy, by_chance, by_habit, play_out

GAMES = 100
SECONDS = 15.0  # for each strategy; a learner's code may take its time


class Comparison:
    """Strategies by name, and how their games ended. `trouble` is what stopped one of them."""

    def __init__(self) -> None:
        self.outcomes: dict[str, list[Outcome]] = {}
        self.trouble = ""

    @property
    def tiles(self) -> list[int]:
        """Every largest tile that a game ended with, the smallest first."""
        return sorted({one.largest for ended in self.outcomes.values() for one in ended})

    def __repr__(self) -> str:
        heads = ["strategy", "games", "median score", "best", *map(str, self.tiles)]
        rows = [heads, *([name, *map(str, row)] for name, row in self._rows())]
        sizes = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [
            "  ".join(cell.rjust(size) for cell, size in zip(row, sizes, strict=True))
            for row in rows
        ]
        return "\n".join([*lines, *filter(None, [self.trouble])])

    def _repr_html_(self) -> str:
        heads = "".join(
            f'<th scope="col" style="{_CELL}">{head}</th>'
            for head in ("Games", "Median score", "Best score", *map(str, self.tiles))
        )
        rows = "".join(self._row(name, row) for name, row in self._rows())
        trouble = f"<p>{escape(self.trouble)}</p>" if self.trouble else ""
        return (
            f'<div style="{_CARD}"><table style="{_TABLE}"><caption style="{_CAPTION}">'
            "How many games ended with which largest tile</caption><thead>"
            f'<tr style="background:none"><td></td>{heads}</tr></thead>'
            f"<tbody>{rows}</tbody></table>{trouble}</div>"
        )

    def _rows(self) -> list[tuple[str, list[int]]]:
        """For each strategy: games, median score, best score, and a count for each tile."""
        rows = []
        for name, ended in self.outcomes.items():
            scores = [one.score for one in ended] or [0]
            counts = Counter(one.largest for one in ended)
            tiles = [counts[tile] for tile in self.tiles]
            rows.append((name, [len(ended), round(median(scores)), max(scores), *tiles]))
        return rows

    def _row(self, name: str, row: list[int]) -> str:
        games, middle, best, *counts = row
        numbers = "".join(f'<td style="{_CELL}">{n:,}</td>' for n in (games, middle, best))
        squares = "".join(_square(count, count / max(1, games)) for count in counts)
        return (
            f'<tr style="background:none"><th scope="row" style="{_CELL};text-align:left">'
            f"{escape(name)}</th>{numbers}{squares}</tr>"
        )


def compare(game: Make, *strategies: Strategy, games: int = GAMES) -> Comparison:
    """Many games by chance, by habit (left, down, right, up), and by each strategy given.

    `game` is a class such as `Game`; a strategy takes a board and gives a direction. All play the
    same number of games, with the same seeds. A strategy that is slow plays fewer, and one that
    fails stops with a sentence. Raises `TypeError` for what is no class and no function.

    >>> from course.rules import Game
    >>> sorted(compare(Game, games=2).outcomes)
    ['by chance', 'by habit']
    """
    if not isinstance(game, type) or not all(map(callable, strategies)):
        raise TypeError("compare() needs a class and functions: compare(Game, my_strategy)")
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


_CARD = (
    "display:inline-block;padding:12px 16px;border-radius:8px;background:#faf6f0;color:#1b1b1b;"
    "font:14px system-ui,sans-serif;line-height:1.6"
)
_TABLE = "margin:0;border-collapse:separate;border-spacing:4px;color:#1b1b1b"
_CAPTION = "text-align:left;font-weight:700;color:#1b1b1b;caption-side:top;padding:0"
_CELL = "background:none;border:0;padding:2px 8px;text-align:right;font-size:14px"


def _square(count: int, part: float) -> str:
    shade = f"background:rgba(201,118,47,{0.05 + 0.55 * part:.2f})"
    return f'<td style="{_CELL};{shade};border:1px solid #b3a595;border-radius:4px">{count}</td>'
