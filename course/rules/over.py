"""The end of a game: it is over if no move is legal, and won if a tile reaches the goal."""

from itertools import pairwise

from course.rules.board import Board, rotate
from course.rules.line import Line


def has_pair(line: Line) -> bool:
    """Return true if a line has a pair: two equal tiles side by side. Empty squares are not tiles.

    >>> has_pair([2, 4, 4]), has_pair([2, 4, 2]), has_pair([0, 0, 2])
    (True, False, False)
    """
    return any(first == second != 0 for first, second in pairwise(line))


def is_over(board: Board) -> bool:
    """Return true if a game is over: no square is empty, and no row and no column has a pair.

    >>> is_over([[2, 4], [4, 2]]), is_over([[2, 4], [2, 8]]), is_over([[2, 0]])
    (True, False, False)
    """
    if any(0 in row for row in board):
        return False
    return not any(has_pair(line) for line in board + rotate(board))


def has_won(board: Board, goal: int = 2048) -> bool:
    """Return true if a game is won: at least one tile equals `goal`, or is larger.

    >>> has_won([[2, 2048]]), has_won([[4096, 2]]), has_won([[1024, 1024]])
    (True, True, False)
    """
    return any(tile >= goal for row in board for tile in row)
