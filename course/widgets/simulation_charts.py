"""Charts of many tries: `tally(spawn)`, `compare(Game, …)`, `second_chances(SpecialGame, …)`."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from math import inf
from random import Random
from statistics import median
from time import monotonic
from typing import TypeVar

from course.cases import new_tiles
from course.plain_errors import plainly
from course.playing.game_simulation import (
    EndedGame,
    Make,
    Strategy,
    brought_back,
    by_chance,
    by_habit,
    play_out,
)
from course.playing.learner_calls import Stuck, shown
from course.refusal import Refusal
from course.rules.board import Board, Square
from course.rules.special_game import SECOND_CHANCE_COST
from course.widgets.static_html import card, cell, count, row, table

BAR = 40  # characters of a bar that shows all tiles together
GAMES = 100
SECONDS = 15.0  # for each strategy; a learner's code may be slow
START = [[512, 0, 0, 0], [0, 0, 0, 2], [0, 0, 0, 0], [0, 0, 2, 0]]
STEPS = (0, 500, 1000, 1500, SECOND_CHANCE_COST)  # points; the last is the price of the chance

Outcome = TypeVar("Outcome")


@dataclass(repr=False, eq=False)
class Tally:
    """The result of many spawns on an empty board, counted by tile and by square."""

    p_four: float
    height: int
    width: int
    tiles: Counter[int] = field(default_factory=lambda: Counter({2: 0, 4: 0}))
    places: Counter[Square] = field(default_factory=Counter)
    without: int = 0  # calls that gave no new tile

    def __repr__(self) -> str:
        total = max(1, self.tiles.total())
        lines = [self._title()]
        for tile, number in sorted(self.tiles.items()):
            lines.append(f"{tile:>4} {'█' * round(BAR * number / total)} {number}")
        lines += [self._note()] if self.without else []
        lines.append("on each square:")
        lines += ["".join(f"{number:>6}" for number in line) for line in self._grid()]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        total = max(1, self.tiles.total())
        bars = [row(str(tile), count(n, n / total)) for tile, n in sorted(self.tiles.items())]
        highest = max(self.places.values(), default=1)
        grid = [
            row(str(number), *(count(n, n / highest, "heat") for n in line))
            for number, line in enumerate(self._grid())
        ]
        heads = ("", *map(str, range(self.width)))
        note = f"<p><strong>{self._note()}</strong></p>" if self.without else ""
        return card(self._title(), table(bars), note, "<p>On each square:</p>", table(grid, heads))

    def _title(self) -> str:
        return f"{self.tiles.total()} new tiles, p_four = {self.p_four:g}"

    def _note(self) -> str:
        calls = "1 call" if self.without == 1 else f"{self.without} calls"
        return f"{calls} gave no new tile."

    def _grid(self) -> list[list[int]]:
        return [[self.places[r, c] for c in range(self.width)] for r in range(self.height)]


@plainly
def tally(
    spawn: Callable[..., Board],
    p_four: float = 0.1,
    times: int = 1000,
    height: int = 4,
    width: int = 4,
    seed: int | None = None,
) -> Tally:
    """Spawn a tile on an empty board, many times over, and count the new tiles.

    Each spawn gets a new empty board of height × width. Raise `Refusal` if `spawn` is no function,
    or if its answer is not a board of this size.

    >>> from course.rules import spawn
    >>> tally(spawn, p_four=0, times=20).tiles[2]
    20
    """
    if not callable(spawn):
        raise Refusal(f"tally takes a function, as tally(spawn), and not {spawn!r}")
    rng = Random(seed)
    counted = Tally(p_four, height, width)
    for _ in range(times):
        answer = spawn([[0] * width for _ in range(height)], rng, p_four)
        found = new_tiles([[0] * width for _ in range(height)], answer)
        if found is None:
            raise Refusal(
                f"a board of {height} rows and {width} columns is needed, and "
                f"{getattr(spawn, '__name__', 'the function')} gave {shown(answer)}"
            )
        counted.without += not found
        counted.tiles.update(found)
        for number, line in enumerate(answer):
            counted.places.update((number, column) for column, tile in enumerate(line) if tile)
    return counted


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    """Return a table as plain text, with aligned columns.

    >>> print(_aligned([["tile", "games"], ["8", "100"]]))
    tile  games
       8    100
    """
    sizes = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ([text.rjust(size) for text, size in zip(row, sizes, strict=True)] for row in rows)
    return "\n".join("  ".join(line) for line in lines)


@dataclass(repr=False)
class Chart:
    """Counts in rows and columns; a notebook shows them as a card, with a bar behind each count.

    A row is a label and a list of pairs (count, total); the bar behind the count is filled up to
    count / total. `lines` are sentences below the table.
    """

    title: str
    heads: Sequence[str]
    rows: list[tuple[str, list[tuple[int, int]]]]
    lines: list[str]

    def __repr__(self) -> str:
        rows = [[label, *(str(n) for n, _ in counts)] for label, counts in self.rows]
        return "\n".join([_aligned([self.heads, *rows]), *self.lines])

    def _repr_html_(self) -> str:
        rows = [
            row(escape(label), *(count(n, n / max(1, of)) for n, of in counts))
            for label, counts in self.rows
        ]
        lines = "".join(f"<p>{escape(line)}</p>" for line in self.lines)
        return card(self.title, table(rows, self.heads), lines)


@dataclass(repr=False)
class Comparison:
    """A comparison of strategies: `outcomes` is a dictionary from their names to their games.

    `trouble` says why a strategy was stopped; it is empty if none was.
    """

    outcomes: dict[str, list[EndedGame]]
    trouble: str = ""

    @property
    def tiles(self) -> list[int]:
        """The tiles that were the largest in some game, each once, in ascending order."""
        return sorted({one.largest for ended in self.outcomes.values() for one in ended})

    def __repr__(self) -> str:
        heads = ["strategy", "games", "median score", "best", *map(str, self.tiles)]
        rows = [heads, *([name, *map(str, numbers)] for name, numbers in self._rows())]
        return "\n".join([_aligned(rows), *filter(None, [self.trouble])])

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
        """Return a row for each strategy: (name, [number of games, median score, best score, …]).

        The rest are the numbers of games in which each of `tiles` was the largest tile.
        """
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

    `game` is a class such as `Game`; a strategy takes a board and gives a direction. All strategies
    play the same number of games, with the same seeds; only a slow strategy plays fewer. A strategy
    that fails plays no more, and a sentence below the chart says why. Raise `Refusal` if `game` is
    no class, or if a strategy is no function.

    >>> from course.rules import Game
    >>> sorted(compare(Game, games=2).outcomes)
    ['by chance', 'by habit']
    """
    call = "compare(Game, my_strategy)"
    return Comparison(*_play_all(call, game, strategies, games, play_out))


@plainly
def second_chances(game: Make, *strategies: Strategy, games: int = GAMES) -> Chart:
    """Play many games with a second chance, and count the points that it brings back.

    The games are played by chance, by habit, and by each of your strategies. `game` is a class such
    as `SpecialGame`; a strategy takes a board and gives a direction. Each game begins with a tile
    of 512. It is played until it is lost, takes its second chance, and is played to its end. All
    strategies play the same number of games, with the same seeds; only a slow strategy plays fewer.
    A strategy that fails plays no more, and a sentence below the chart says why. Raise `Refusal`
    if `game` is no class, or if a strategy is no function.

    >>> from course.rules import SpecialGame
    >>> second_chances(SpecialGame, games=2).heads
    ['points back', 'by chance', 'by habit']
    """

    def play(game: Make, strategy: Strategy, seed: int) -> int:
        return brought_back(game, strategy, START, seed)

    call = "second_chances(SpecialGame, my_strategy)"
    return points_chart(*_play_all(call, game, strategies, games, play))


def points_chart(points: dict[str, list[int]], trouble: str = "") -> Chart:
    """Return a chart of `points`: the points that second chances brought back, by strategy."""
    rows = []
    for low, high in pairwise([*STEPS, inf]):
        label = f"{low} to {high - 1}" if high < inf else f"{low} or more: worth it"
        spans = [[low <= each < high for each in back] for back in points.values()]
        rows.append((label, [(sum(span), len(span)) for span in spans]))
    told = [
        f"{name}: {worth} of {len(back)} second chances were worth their price. "
        f"Half of them brought back {round(median(back))} points or more."
        for (name, back), (worth, _) in zip(points.items(), rows[-1][1], strict=True)
        if back
    ]
    title = f"What second chances brought back, for {SECOND_CHANCE_COST} points each"
    return Chart(title, ["points back", *points], rows, [*told, *filter(None, [trouble])])


def _play_all(
    call: str,
    game: Make,
    strategies: tuple[Strategy, ...],
    games: int,
    play: Callable[[Make, Strategy, int], Outcome],
) -> tuple[dict[str, list[Outcome]], str]:
    """Play many games by chance, by habit, and by each strategy, each with the same seeds.

    Return a dictionary from names of strategies to lists of the values of `play(game, strategy,
    seed)`; and a text on the error of the last strategy that failed, or "". Raise `Refusal` if
    `game` is no class, or if a strategy is no function; the message of this error shows `call`, an
    example of a right call.
    """
    if not isinstance(game, type) or not all(map(callable, strategies)):
        raise Refusal(f"{call.partition('(')[0]}() needs a class and functions: {call}")
    players: dict[str, Strategy] = {"by chance": by_chance(Random(2048)), "by habit": by_habit}
    players |= {str(getattr(one, "__name__", "mine")): one for one in strategies}
    outcomes: dict[str, list[Outcome]] = {}
    trouble = ""
    for name, strategy in players.items():
        outcomes[name] = []
        end = monotonic() + SECONDS
        try:
            for seed in range(games):
                if monotonic() > end:
                    break
                outcomes[name].append(play(game, strategy, seed))
        except Stuck as stuck:
            trouble = " ".join(filter(None, [stuck.title, stuck.text, stuck.code]))
    return outcomes, trouble
