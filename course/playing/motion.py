"""Motion: which tile of one board went where on the next, worked out from the two boards alone.

It does not ask how the second board was made, so it also shows a wrong answer as it is: a tile that
nothing explains appears, a tile that is nowhere any more vanishes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from course.rules import Board, Line, Square

UNEXPLAINED = 1000
UNUSUAL = 100


@dataclass(frozen=True)
class Group:
    """Tiles of a line that end on one square: one that slides, or several that merge.

    `sources` are the indices the tiles come from (none: the tile appears), `target` is the index
    they end on (`None`: the tile vanishes).
    """

    sources: tuple[int, ...]
    target: int | None


@dataclass
class Motion:
    """The movements of tiles between two boards, in squares (row, column).

    `glides` are (from, to, value of the tile), `merged` the squares where several tiles meet,
    `appeared` those of tiles that come from nowhere, `vanished` (square, value) of lost tiles.
    """

    glides: list[tuple[Square, Square, int]] = field(default_factory=list)
    merged: list[Square] = field(default_factory=list)
    appeared: list[Square] = field(default_factory=list)
    vanished: list[tuple[Square, int]] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Return the same as plain lists, for the browser."""
        return {
            "glides": [[*start, *end, value] for start, end, value in self.glides],
            "merged": [list(square) for square in self.merged],
            "appeared": [list(square) for square in self.appeared],
            "vanished": [[*square, value] for square, value in self.vanished],
        }


def line_groups(before: Line, after: Line) -> list[Group]:
    """Return how one line became another, with as few tiles as possible that appear or vanish.

    The others slide or merge, and keep their order. Takes two lines of any lengths; returns the
    groups in the order of their tiles.

    >>> line_groups([4, 0, 2, 2], [4, 4, 0, 0])
    [Group(sources=(0,), target=0), Group(sources=(2, 3), target=1)]
    >>> line_groups([2, 4], [4, 0])
    [Group(sources=(0,), target=None), Group(sources=(1,), target=0)]
    """
    sources = [index for index, tile in enumerate(before) if tile]
    targets = [index for index, tile in enumerate(after) if tile]

    @cache
    def best(first: int, second: int) -> tuple[int, tuple[Group, ...]]:
        """Return the cheapest groups for the tiles from these positions on, and their cost."""
        choices = [
            (cost + best(first + taken, second + (group.target is not None))[0], taken, group)
            for cost, taken, group in _choices(before, after, sources[first:], targets[second:])
        ]
        if not choices:
            return 0, ()
        total, taken, group = min(choices, key=lambda choice: choice[0])
        return total, (group, *best(first + taken, second + (group.target is not None))[1])

    return list(best(0, 0)[1])


def _choices(
    before: Line, after: Line, sources: list[int], targets: list[int]
) -> list[tuple[int, int, Group]]:
    """Return the choices for the next tile: (cost, number of tiles taken, group)."""
    choices = []
    if sources:
        choices.append((UNEXPLAINED, 1, Group((sources[0],), None)))
    if targets:
        choices.append((UNEXPLAINED, 0, Group((), targets[0])))
    if sources and targets:
        total = 0
        for taken, source in enumerate(sources, start=1):
            total += before[source]
            if total == after[targets[0]]:
                usual = taken == 1 or (taken == 2 and before[sources[0]] == before[source])
                cost = (0 if usual else UNUSUAL) + abs(source - targets[0])
                choices.append((cost, taken, Group(tuple(sources[:taken]), targets[0])))
            if total >= after[targets[0]]:
                break
    return choices


def squares_from(direction: str, height: int, width: int) -> list[list[Square]]:
    """Return the lines of a board as squares, each from the side that the direction names inwards.

    >>> squares_from("right", 1, 3)
    [[(0, 2), (0, 1), (0, 0)]]
    """
    if direction in ("left", "right"):
        lines = [[(row, column) for column in range(width)] for row in range(height)]
    else:
        lines = [[(row, column) for row in range(height)] for column in range(width)]
    if direction in ("right", "down"):
        return [line[::-1] for line in lines]
    return lines


def board_motion(before: Board, after: Board, direction: str) -> Motion:
    """Return the motion from one board to another of the same shape, each line moved by itself.

    >>> board_motion([[0, 2]], [[2, 0]], "left").glides
    [((0, 1), (0, 0), 2)]
    """
    motion = Motion()
    for squares in squares_from(direction, len(before), len(before[0])):
        old, new = values(before, squares), values(after, squares)
        for group in line_groups(old, new):
            _add(motion, group, squares, old)
    return motion


def groups_motion(groups: Sequence[Group], squares: Sequence[Square], old: Line) -> Motion:
    """Return the motion in one line: of these groups, on these squares, with its old tiles."""
    motion = Motion()
    for group in groups:
        _add(motion, group, squares, old)
    return motion


def values(board: Board, squares: Sequence[Square]) -> Line:
    """Return the numbers on these squares of a board."""
    return [board[row][column] for row, column in squares]


def _add(motion: Motion, group: Group, squares: Sequence[Square], old: Line) -> None:
    if group.target is None:
        motion.vanished += [(squares[index], old[index]) for index in group.sources]
        return
    target = squares[group.target]
    if not group.sources:
        motion.appeared.append(target)
    if len(group.sources) > 1:
        motion.merged.append(target)
    motion.glides += [(squares[index], target, old[index]) for index in group.sources]
