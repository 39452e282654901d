"""Motion: the ways of the tiles from one board to the next, worked out from the two boards alone.

If the second board is wrong, a new tile that nothing explains appears, and a missing one vanishes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from course import rules
from course.rules import Board, Line, Square
from course.rules.board import squares_from

UNEXPLAINED = 1000  # the cost of a tile that appears or vanishes
UNUSUAL = 100  # the cost of a merge of anything but two equal tiles


@dataclass(frozen=True)
class TileGroup:
    """Tiles of a line that end on one square: one tile that slides or stays, or several that merge.

    `sources` and `target` are indices of squares. If `sources` is empty, a tile appears; if
    `target` is `None`, the tiles vanish.
    """

    sources: tuple[int, ...]
    target: int | None


@dataclass
class Motion:
    """The movements of tiles between two boards; squares are (row, column).

    `glides` are (from, to, value) for each tile that moves or stays, and `vanished` are (square,
    value) for each lost tile. On a square in `merged`, several tiles meet.
    """

    glides: list[tuple[Square, Square, int]] = field(default_factory=list)
    merged: list[Square] = field(default_factory=list)
    appeared: list[Square] = field(default_factory=list)
    vanished: list[tuple[Square, int]] = field(default_factory=list)

    def add(self, groups: Sequence[TileGroup], squares: Sequence[Square], old: Line) -> None:
        """Add the movements on a line; `old` are the numbers on its `squares` before the move."""
        for group in groups:
            if group.target is None:
                self.vanished += [(squares[index], old[index]) for index in group.sources]
                continue
            target = squares[group.target]
            self.glides += [(squares[index], target, old[index]) for index in group.sources]
            if len(group.sources) != 1:
                (self.merged if group.sources else self.appeared).append(target)

    def as_json(self) -> dict[str, Any]:
        """Return these movements as a dictionary of plain lists, for the browser."""
        return {
            "glides": [[*start, *end, value] for start, end, value in self.glides],
            "merged": [list(square) for square in self.merged],
            "appeared": [list(square) for square in self.appeared],
            "vanished": [[*square, value] for square, value in self.vanished],
        }


def line_groups(before: Line, after: Line) -> list[TileGroup]:
    """Return the groups of tiles that explain how `before` became `after`, in lines of any length.

    As few tiles as possible appear or vanish; the others slide or merge, and keep their order.

    >>> line_groups([4, 0, 2, 2], [4, 4, 0, 0])
    [TileGroup(sources=(0,), target=0), TileGroup(sources=(2, 3), target=1)]
    >>> line_groups([2, 4], [4, 0])
    [TileGroup(sources=(0,), target=None), TileGroup(sources=(1,), target=0)]
    """
    sources = [index for index, tile in enumerate(before) if tile]
    targets = [index for index, tile in enumerate(after) if tile]

    @cache
    def best(first: int, second: int) -> tuple[int, tuple[TileGroup, ...]]:
        """Return (cost, groups): the cheapest way from `sources[first:]` to `targets[second:]`.

        A tile that appears or vanishes costs most, then a merge of anything but two equal tiles.
        Each square that a group moves costs 1.
        """
        choices = []  # the groups that may come next, each with its cost
        if first < len(sources):
            choices.append((UNEXPLAINED, TileGroup((sources[first],), None)))
        if second < len(targets):
            choices.append((UNEXPLAINED, TileGroup((), targets[second])))
        total, taken = 0, []
        for source in sources[first:] if second < len(targets) else []:
            total += before[source]
            taken.append(source)
            target = targets[second]
            if total == after[target]:
                is_pair = len(taken) == 2 and before[taken[0]] == before[source]
                cost = 0 if len(taken) == 1 or is_pair else UNUSUAL
                choices.append((cost + abs(source - target), TileGroup(tuple(taken), target)))
            if total >= after[target]:
                break
        found = []
        for cost, group in choices:
            rest, groups = best(first + len(group.sources), second + (group.target is not None))
            found.append((cost + rest, (group, *groups)))
        return min(found, key=lambda each: each[0], default=(0, ()))

    return list(best(0, 0)[1])


def board_motion(before: Board, after: Board, direction: str) -> Motion:
    """Return the motion of the tiles from one board to another of the same shape, line by line."""
    motion = Motion()
    for squares in squares_from(direction, len(before), len(before[0])):
        old = values(before, squares)
        motion.add(line_groups(old, values(after, squares)), squares, old)
    return motion


def values(board: Board, squares: Sequence[Square]) -> Line:
    """Return the numbers on these squares of a board."""
    return [board[row][column] for row, column in squares]


def differing(first: Board, second: Board) -> list[Square]:
    """Return the squares of the first board on which the second has another tile, or no square.

    >>> differing([[2, 0]], [[2, 4]]), differing([[2, 0], [0]], [[2]])
    ([(0, 1)], [(0, 1), (1, 0)])
    """
    return [
        (row, column)
        for row, line in enumerate(first)
        for column, tile in enumerate(line)
        if [other[column : column + 1] for other in second[row : row + 1]] != [[tile]]
    ]


def is_unlike(slid: Board, after: Board) -> bool:
    """Return true if `after` differs from `slid` by more than new tiles on empty squares.

    >>> is_unlike([[4, 0]], [[4, 2]]), is_unlike([[4, 0]], [[2, 2]])
    (False, True)
    """
    return any(slid[row][column] for row, column in differing(slid, after))


def group_words(group: TileGroup, before: Line, after: Line) -> str:
    """Return a sentence on a group of tiles: where its tiles in `before` have gone in `after`."""
    tiles = [str(before[source]) for source in group.sources]
    if group.target is None:
        return f"The {tiles[0]} is lost."
    place = f"square {group.target}"
    if not tiles:
        return f"A new {after[group.target]} is on {place}. No tile of the line explains it."
    if len(tiles) == 1:
        moves = "stays on" if group.sources[0] == group.target else "slides to"
        return f"The {tiles[0]} {moves} {place}."
    return f"{', '.join(tiles[:-1])} and {tiles[-1]} merge into {after[group.target]} on {place}."


def why(name: str, arguments: tuple[Any, ...], answer: Any) -> str:
    """Return in words why the rules' function `name` gives `answer`; "" if there is no reason."""
    match name:
        case "merge" | "close_gaps":
            before = arguments[0]
            groups = line_groups(before, answer) if before != answer else []
            words = " ".join(group_words(group, before, answer) for group in groups)
            return words or "Nothing can move."
        case "slide" | "slide_by_offsets":
            return f"Every line is merged towards the side that is named: {arguments[1]}."
        case "rotate":
            turn = "A quarter turn clockwise"
            return f"{turn}: the left column, read from the bottom, becomes the top row."
        case "empty_cells" if answer:
            squares = " and ".join(f"board[{row}][{column}]" for row, column in answer)
            return f"The zeros are {squares}: first the row, then the column, both counted from 0."
        case "empty_cells":
            return "No square holds a 0."
        case "is_legal" if answer:
            return f"Towards {arguments[1]}, at least one tile slides or merges."
        case "is_legal":
            nothing = f"Towards {arguments[1]}, no tile slides and none merges"
            return f"{nothing}: the board would stay as it is."
        case "is_over" if empty := rules.empty_cells(arguments[0]):
            return f"board[{empty[0][0]}][{empty[0][1]}] is empty, so a move is left."
        case "is_over" if answer:
            return "No square is empty, and no two neighbours are equal."
        case "is_over":
            sides = {"row": arguments[0], "column": rules.rotate(arguments[0])}
            place = next(
                f"{side} {number}"
                for side, lines in sides.items()
                for number, line in enumerate(lines)
                if rules.has_pair(line)
            )
            return f"Two equal neighbours in {place} (counted from 0) can still merge."
        case "has_won":
            goal = arguments[1] if len(arguments) > 1 else 2048
            largest = max(map(max, arguments[0]))
            return f"The largest tile is {largest}, and {goal} or more wins."
        case "has_pair" if answer:
            return "Two tiles that are next to each other are equal."
        case "has_pair":
            return (
                "No two tiles that are next to each other are equal. Empty squares are not tiles."
            )
        case "points":
            before, after = arguments[0], rules.merge(arguments[0])
            merged = board_motion([before], [after], "left").merged
            made = " and ".join(str(after[column]) for _, column in merged)
            return f"The merges make {made}." if made else "Nothing merges, nothing is scored."
    return ""
