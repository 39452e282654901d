"""Turns of a game, as arguments for `announce_move`, a function that learners write."""

from random import Random

from course.cases.case_cache import made_once
from course.rules.board import DIRECTIONS, Board, Square, slide
from course.rules.line import points
from course.rules.over import is_over
from course.rules.spawn import new_board, spawn

Told = tuple[Board, Board, int, Square | None]


@made_once
def announced_moves(seed: int, moves: int, height: int = 4, width: int = 4) -> list[Told]:
    """Return the arguments of `announce_move` for the moves of a game in random directions.

    Each tuple is (before, after, gained, spawned): the boards before and after a move, the points
    that it gained, and the square of the new tile, or `None` if there is no new tile. A move may
    change nothing. The list has `moves` tuples, or fewer if the game is over earlier.

    >>> announced_moves(seed=4, moves=2, height=1, width=3)
    [([[2, 0, 2]], [[4, 4, 0]], 4, (0, 1)), ([[4, 4, 0]], [[4, 4, 0]], 0, None)]
    """
    rng = Random(seed)
    board = new_board(height, width, rng)
    told: list[Told] = []
    while len(told) < moves and not is_over(board):
        direction = rng.choice(DIRECTIONS)
        slid = slide(board, direction)
        gained = _points(board, direction)
        after, spawned = (board, None) if slid == board else _spawned(slid, rng)
        told.append((board, after, gained, spawned))
        board = after
    return told


def _points(board: Board, direction: str) -> int:
    is_along_rows = direction in ("left", "right")
    lines = board if is_along_rows else [list(line) for line in zip(*board, strict=True)]
    return sum(map(points, lines))


def _spawned(slid: Board, rng: Random) -> tuple[Board, Square]:
    """Return a slid board with a new tile on it, and the square of that tile."""
    after = spawn(slid, rng)
    squares = [(row, column) for row in range(len(slid)) for column in range(len(slid[0]))]
    return after, next(each for each in squares if _at(slid, each) != _at(after, each))


def _at(board: Board, square: Square) -> int:
    return board[square[0]][square[1]]
