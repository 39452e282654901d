"""A chart of many spawns: how many 2s, how many 4s, and where they came."""

from collections import Counter
from collections.abc import Callable
from random import Random

from course.cases import new_tiles
from course.plainly import plainly
from course.playing.calls import shown
from course.refusal import Refusal
from course.rules.board import Board, Square
from course.widgets.picture import card, count, heat, row, table

BAR = 40  # characters of a bar that stands for all tiles


class Tally:
    """The result of many spawns on an empty board; a notebook shows it as a chart.

    `tiles` counts the new tiles by value, `places` by square.
    """

    def __init__(self, p_four: float, height: int, width: int) -> None:
        self.p_four = p_four
        self.height = height
        self.width = width
        self.tiles: Counter[int] = Counter({2: 0, 4: 0})
        self.places: Counter[Square] = Counter()
        self.without = 0  # calls that gave no new tile

    @property
    def title(self) -> str:
        """The title: the number of new tiles, and the probability of a 4."""
        return f"{self.tiles.total()} new tiles, p_four = {self.p_four:g}"

    @property
    def note(self) -> str:
        """A sentence on calls without a new tile; empty if there were none."""
        calls = "1 call" if self.without == 1 else f"{self.without} calls"
        return f"{calls} gave no new tile." if self.without else ""

    def add(self, board: Board) -> None:
        """Count the tiles of one board."""
        self.without += not any(map(any, board))
        for index, line in enumerate(board):
            for column, tile in enumerate(line):
                if tile:
                    self.tiles[tile] += 1
                    self.places[index, column] += 1

    def __repr__(self) -> str:
        total = max(1, self.tiles.total())
        bars = [
            f"{tile:>4} {'█' * round(BAR * count / total)} {count}"
            for tile, count in sorted(self.tiles.items())
        ]
        rows = ["".join(f"{count:>6}" for count in line) for line in self._grid()]
        note = [self.note] if self.note else []
        return "\n".join([self.title, *bars, *note, "on each square:", *rows])

    def _repr_html_(self) -> str:
        total = max(1, self.tiles.total())
        bars = [row(str(tile), count(n, n / total)) for tile, n in sorted(self.tiles.items())]
        highest = max(self.places.values(), default=1)
        grid = [
            row(str(number), *(heat(n, n / highest) for n in line))
            for number, line in enumerate(self._grid())
        ]
        heads = ("", *map(str, range(self.width)))
        note = f"<p><strong>{self.note}</strong></p>" if self.note else ""
        return card(self.title, table(bars), note, "<p>On each square:</p>", table(grid, heads))

    def _grid(self) -> list[list[int]]:
        return [
            [self.places[line, column] for column in range(self.width)]
            for line in range(self.height)
        ]


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

    Each spawn starts from the same empty board of height × width. Raises `Refusal` if `spawn` is no
    function, or if its answer is not such a board.

    >>> from course.rules import spawn
    >>> tally(spawn, p_four=0, times=20).tiles[2]
    20
    """
    if not callable(spawn):
        raise Refusal(f"tally takes a function, as tally(spawn), and not {spawn!r}")
    rng = Random(seed)
    counted = Tally(p_four, height, width)
    for _ in range(times):
        empty = [[0] * width for _ in range(height)]
        answer = spawn(empty, rng, p_four)
        if new_tiles([[0] * width for _ in range(height)], answer) is None:
            raise Refusal(
                f"a board of {height} rows and {width} columns is needed, and "
                f"{getattr(spawn, '__name__', 'the function')} gave {shown(answer)}"
            )
        counted.add(answer)
    return counted
