"""Checks of a board to start from, which somebody wrote down: what is wrong with it, and where."""

from typing import Any

from course.playing.calls import shown
from course.playing.wanted import LIMIT
from course.refusal import Refusal

LARGEST_SIDE = 32


def check_size(height: Any, width: Any) -> None:
    """Raise `Refusal` for a size that no board has."""
    for name, size in (("height", height), ("width", width)):
        if type(size) is not int or not 1 <= size <= LARGEST_SIDE:
            raise Refusal(
                f"{name} must be a whole number from 1 to {LARGEST_SIDE}, and not {shown(size)}"
            )


def check_board(board: Any) -> None:
    """Raise `Refusal` if a value is no board to start from.

    >>> check_board([[2, 3]])
    Traceback (most recent call last):
    course.refusal.Refusal: board[0][1] is 3: a square holds 0, or a tile such as 2, 4, 8 or 16
    """
    if type(board) is not list:
        kind = type(board).__name__
        raise Refusal(f"board must be a list of rows, [[2, 0], [0, 2]] say, and not a {kind}")
    if not 1 <= len(board) <= LARGEST_SIDE:
        raise Refusal(f"board has {len(board)} rows: a board has 1 to {LARGEST_SIDE} of them")
    for number, row in enumerate(board):
        _check_row(f"board[{number}]", row)
        if len(row) != len(board[0]):
            lengths = f"board[{number}] has {_squares(row)} and board[0] has {len(board[0])}"
            raise Refusal(f"{lengths}: all rows must be of one length")


def _check_row(name: str, row: Any) -> None:
    if type(row) is not list:
        raise Refusal(f"{name} is {shown(row)}: a row must be a list of whole numbers")
    if not 1 <= len(row) <= LARGEST_SIDE:
        raise Refusal(f"{name} has {_squares(row)}: a row has 1 to {LARGEST_SIDE} of them")
    for column, tile in enumerate(row):
        _check_tile(f"{name}[{column}]", tile)


def _check_tile(name: str, tile: Any) -> None:
    if type(tile) is not int:
        kind = type(tile).__name__
        raise Refusal(f"{name} is {shown(tile)}, of the type {kind}: it must be an int, as 2 is")
    if tile < 0 or tile == 1 or tile & (tile - 1) or tile >= LIMIT:
        raise Refusal(f"{name} is {shown(tile)}: a square holds 0, or a tile such as 2, 4, 8 or 16")


def _squares(row: list[Any]) -> str:
    return f"{len(row)} square{'' if len(row) == 1 else 's'}"
