"""Slips of squares, which are pairs of row and column."""

from typing import Any

from course.rules.shape import is_board

Square = tuple[Any, ...]


def of_squares(wanted: list[Square], got: list[Square]) -> list[str]:
    """Return the slips of a list of squares that is not the right one."""
    if not all(_is_square(square) for square in got):
        return ["other-items"]
    right, found = set(wanted), set(got)
    if found == right:
        return ["square-twice"] if len(got) > len(found) else ["squares-in-another-order"]
    if {square[::-1] for square in found} == right and got:
        return ["row-and-column-swapped"]
    if len(got) > len(found) and found and found < right:
        return ["squares-repeat"]
    return [*_count(right, found), *_shift(wanted, got)]


def of_square(given: tuple[Any, ...], wanted: Square, got: Square) -> list[str]:
    """Return the slips of a tuple that is not the right one.

    `given` are the arguments: perhaps a board, and the square to start from.
    """
    if len(got) != len(wanted):
        return ["other-length"]
    if any(type(item) is str for item in got):
        return ["square-of-text"]
    if got[::-1] == wanted and _is_square(got):
        return ["row-and-column-swapped"]
    if not _is_square(got) or not _is_square(wanted):
        return ["other-square"]
    if len(given) > 1 and is_board(given[0]):
        return _of_step(given[0], given[1], got)
    return ["squares-shifted"] if _is_near(wanted, got) else ["other-square"]


def _of_step(board: Any, start: Any, got: Square) -> list[str]:
    """Return the slip of a step on a board that leads to a wrong square."""
    if not (0 <= got[0] < len(board) and 0 <= got[1] < len(board[0])):
        return ["leaves-the-board"]
    return ["step-not-made" if got == start else "other-step"]


def _count(right: set[Square], found: set[Square]) -> list[str]:
    if found < right:
        return ["squares-missing"] if found else ["no-squares", "squares-missing"]
    return ["squares-too-many"] if found > right else ["other-squares"]


def _shift(wanted: list[Square], got: list[Square]) -> list[str]:
    """Return `["squares-shifted"]` if all squares are off by the same step, else `[]`."""
    pairs = list(zip(wanted, got, strict=False))
    steps = {(one[0] - other[0], one[1] - other[1]) for one, other in pairs}
    is_shifted = len(wanted) == len(got) > 0 and len(steps) == 1
    return ["squares-shifted"] if is_shifted else []


def _is_near(one: Square, other: Square) -> bool:
    return {abs(one[0] - other[0]), abs(one[1] - other[1])} in ({1}, {0, 1})


def _is_square(value: Any) -> bool:
    return type(value) is tuple and len(value) == 2 and all(type(item) is int for item in value)
