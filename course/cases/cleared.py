"""The effect of a second chance on a board: the tiles that are gone, and other differences."""

from typing import Any

from course.rules.board import Board
from course.rules.shape import is_board

Squares = list[tuple[int, int]]  # tiles before and after, square by square in reading order


def gone_tiles(before: Board, answer: Any) -> list[int]:
    """Return the tiles whose squares are empty in an answer (board, score), in reading order.

    The list is empty if the answer is not such a pair, or its board has another shape.

    >>> gone_tiles([[512, 2], [4, 0]], ([[512, 0], [0, 0]], 952))
    [2, 4]
    """
    return [old for old, new in _squares(before, answer) or [] if old and not new]


def is_like_before(before: Board, answer: Any) -> bool:
    """Return true if an answer is (board, score), and each square is as it was, or empty.

    >>> is_like_before([[512, 2]], ([[512, 0]], 0)), is_like_before([[512, 0]], ([[512, 2]], 0))
    (True, False)
    """
    squares = _squares(before, answer)
    return squares is not None and all(new in (0, old) for old, new in squares)


def _squares(before: Board, answer: Any) -> Squares | None:
    """Return the squares of both boards, or `None` if an answer has no board of that shape."""
    is_pair = type(answer) is tuple and len(answer) == 2
    if not is_pair or not is_board(answer[0]) or _shape(answer[0]) != _shape(before):
        return None
    rows = zip(before, answer[0], strict=True)
    return [pair for old, new in rows for pair in zip(old, new, strict=True)]


def _shape(board: Board) -> tuple[int, int]:
    return len(board), len(board[0])
