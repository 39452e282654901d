"""Turns of a game, as arguments for `announce_move`, a function that learners write."""

from random import Random

from course.cases.case_cache import made_once
from course.rules.board import DIRECTIONS, Board, Square, slide
from course.rules.line import points
from course.rules.over import is_over
from course.rules.spawn import empty_cells, new_board, spawn

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
        lines = board if direction in ("left", "right") else zip(*board, strict=True)
        gained = sum(points(list(line)) for line in lines)
        after = board if slid == board else spawn(slid, rng)
        spawned = [square for square in empty_cells(slid) if after[square[0]][square[1]]]
        told.append((board, after, gained, spawned[0] if slid != board else None))
        board = after
    return told
