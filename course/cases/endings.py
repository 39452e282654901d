"""Boards near the end of a game, to test with: each is about one reason why a game is over or not.

A pair, in this file, is two equal tiles that are neighbours in a row or a column.
"""

from collections.abc import Callable
from itertools import pairwise
from random import Random

from course.cases.case_cache import made_once
from course.rules.board import Board, rotate
from course.rules.over import has_pair, is_over

SMALL = tuple(2**power for power in range(1, 11))  # 2 to 1024
FEW = (2, 4, 8, 16, 32)


@made_once
def boards_about_over(
    idea: str, rng: Random, count: int, height: int = 4, width: int = 4
) -> list[Board]:
    """Return random boards of height × width, all of the kind that `idea` names.

    `"stuck"`: a full board without equal tiles in any row or column, and without equal tiles that
    touch at their corners. `"empty"`: a stuck board on which one to three squares were emptied.
    `"one way"`: a board with empty squares on which exactly one direction is legal. `"row pair"`: a
    full board with exactly one pair, in a row that is not the last. `"column pair"`: a full board
    with exactly one pair, in a column that is not the last. `"edge pair"`: a full board with
    exactly one pair, in the last row or the last column. `"false pair"`: a board on which the game
    is over, although equal tiles stand at opposite walls, corner to corner, or at the end of one
    row and the start of the next. `"won"`: a board with a tile of 2048, empty squares, and pairs in
    a row and a column. `height` and `width` must be at most 10.

    >>> boards_about_over("column pair", Random(1), 1, height=2, width=2)[0]
    [[8, 128], [8, 2]]
    """
    return [_about(idea, rng, height, width) for _ in range(count)]


def _about(idea: str, rng: Random, height: int, width: int) -> Board:
    if idea == "won":
        return _found(rng, height, width, (0, 2, 2048), _is_won_and_goes_on)
    if idea == "false pair":
        return _found(rng, height, width, FEW, lambda each: is_over(each) and _seems_to_go_on(each))
    if idea == "column pair":
        turned = _about("row pair", rng, width, height)
        return [list(column) for column in zip(*turned, strict=True)]
    if idea == "one way":
        turns = rng.randrange(4)
        if turns % 2:
            height, width = width, height
        full = _stuck(rng, rng.randint(1, height - 1), width)
        board = full + [[0] * width for _ in range(height - len(full))]
        for _ in range(turns):
            board = rotate(board)
        return board
    board = _stuck(rng, height, width)
    if idea == "empty":
        for _ in range(rng.randint(1, 3)):
            board[rng.randrange(height)][rng.randrange(width)] = 0
    elif idea == "row pair":
        row, column = rng.randrange(height - 1), rng.randrange(width - 1)
        board[row][column + 1] = board[row][column]
    elif idea == "edge pair" and rng.random() < 0.5:
        column = rng.randrange(width - 1)
        board[-1][column + 1] = board[-1][column]
    elif idea == "edge pair":
        row = rng.randrange(height - 1)
        board[row + 1][-1] = board[row][-1]
    elif idea != "stuck":
        raise KeyError(idea)
    return board


def _stuck(rng: Random, height: int, width: int) -> Board:
    """Return a full board without equal tiles in a row, in a column, or corner to corner.

    No row begins with the tile at the end of the row above it.
    """
    while True:
        board = [[0] * width for _ in range(height)]
        for row in range(height):
            for column in range(width):
                near = {*board[row], *(squares[column] for squares in board)}
                if row:
                    near |= {*board[row - 1][max(0, column - 1) : column + 2], board[row - 1][-1]}
                left = [tile for tile in SMALL if tile not in near]
                board[row][column] = rng.choice(left) if left else 0
        if all(all(row) for row in board):
            return board


def _seems_to_go_on(board: Board) -> bool:
    """Return true if a board has equal tiles that could be taken for a pair, rightly or wrongly.

    Such tiles stand side by side in a row or column, corner to corner, at both ends of a row or
    column, or at the end of one row and the start of the next.
    """
    lines = board + rotate(board)
    in_turn = [tile for row in board for tile in row]
    corners = any(
        first in second[max(0, column - 1) : column + 2]
        for above, second in pairwise(board)
        for column, first in enumerate(above)
    )
    return has_pair(in_turn) or corners or any(line[0] == line[-1] for line in lines)


def _is_won_and_goes_on(board: Board) -> bool:
    inner = [row[:-1] for row in board[:-1]]
    return (
        any(2048 in row for row in board)
        and any(0 in row for row in board)
        and any(map(has_pair, inner))
        and any(map(has_pair, rotate(inner)))
    )


def _found(
    rng: Random, height: int, width: int, squares: tuple[int, ...], fits: Callable[[Board], bool]
) -> Board:
    while True:
        board = [[rng.choice(squares) for _ in range(width)] for _ in range(height)]
        if fits(board):
            return board
