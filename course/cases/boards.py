"""Boards to test with: of every kind, from a game, or for one idea of sliding or of a game's end.

A pair, in this file, is two equal tiles that are neighbours in a row or a column.
"""

from collections.abc import Callable
from itertools import pairwise, product
from random import Random

from course.cases.case_cache import made_once
from course.cases.lines import SQUARES
from course.rules.board import DIRECTIONS, QUARTER_TURNS, Board, Square, rotate, slide, slide_points
from course.rules.line import close_gaps, merge
from course.rules.over import has_pair, is_over
from course.rules.spawn import empty_cells, new_board, spawn

CROWD = (0, 0, 0, 2, 2, 2, 4, 4, 8, 16)  # squares of a board in the middle of a game
SMALL = tuple(2**power for power in range(1, 11))  # 2 to 1024
SHAPES = ((1, 1), (1, 2), (2, 1), (1, 11), (4, 1), (2, 2), (2, 3), (5, 2), (4, 4))
WRONG_DIRECTIONS = (
    *("north", "", "l", "le", "righ", "ight", " left", "down ", "upright", "w", "2"),
    *("Left", "Right", "Up", "Down", "LEFT", "RIGHT", "UP", "DOWN"),
)


def random_boards(
    rng: Random, count: int, height: int = 4, width: int = 4, squares: tuple[int, ...] = SQUARES
) -> list[Board]:
    """Return random boards of the numbers in `squares`; the default ones make merges common."""
    return [
        [[rng.choice(squares) for _ in range(width)] for _ in range(height)] for _ in range(count)
    ]


def _found(
    rng: Random, height: int, width: int, squares: tuple[int, ...], fits: Callable[[Board], bool]
) -> Board:
    """Draw random boards; return the first for which `fits` returns true."""
    while True:
        [board] = random_boards(rng, 1, height, width, squares)
        if fits(board):
            return board


def boards_of_every_kind(*shapes: tuple[int, int]) -> list[Board]:
    """Return boards of every kind in each shape (height, width), by default in all `SHAPES`.

    A board is empty, has one tile, has one empty square, or is full. On some full boards no move is
    legal. Others have equal tiles: on the whole board, along each row, along each column, or only
    at the end of the last row or column. There are boards of small tiles, and of tiles above 2048.

    >>> boards_of_every_kind((1, 1))
    [[[0]], [[2]], [[4096]]]
    """
    boards: list[Board] = []
    for (height, width), low in product(shapes or SHAPES, (2, 4096)):
        empty = [[0] * width for _ in range(height)]
        stuck = [[low << (row + column) % 2 for column in range(width)] for row in range(height)]
        boards += [empty, stuck, [[low] * width for _ in range(height)]]
        boards += [[[low << row % 2] * width for row in range(height)]]
        boards += [[[low << column % 2 for column in range(width)] for _ in range(height)]]
        first, last = (0, 0), (height - 1, width - 1)
        like_left, like_above = stuck[-1][max(0, width - 2)], stuck[max(0, height - 2)][-1]
        squares = [(empty, first, low), (empty, last, low), (stuck, first, 0), (stuck, last, 0)]
        squares += [(stuck, last, like_left), (stuck, last, like_above)]
        for board, (row, column), tile in squares:
            boards.append([line[:] for line in board])
            boards[-1][row][column] = tile
    return [board for index, board in enumerate(boards) if board not in boards[:index]]


# --- one idea of sliding


@made_once
def boards_about(idea: str, seed: int, count: int, height: int = 4, width: int = 4) -> list[Board]:
    """Return boards, drawn with `seed`, that test one idea of sliding and no other.

    `"plain"`: merging a row or a column gives the same tiles from both of its ends, and merging it
    a second time changes nothing. `"odd run"`: the end from which a line is merged matters.
    `"chain"`: merging a line a second time would merge more tiles.
    """
    rng = Random(seed)
    ideas = {"plain": (False, False), "odd run": (True, False), "chain": (False, True)}

    def fits(board: Board) -> bool:
        ends = [[merge(end) for end in (line, line[::-1])] for line in board + rotate(board)]
        odd = any(close_gaps(one[::-1]) != other for one, other in ends)
        chain = any(merge(end) != end for both in ends for end in both)
        return (odd, chain) == ideas[idea]

    return [_found(rng, height, width, CROWD, fits) for _ in range(count)]


def each_direction(boards: list[Board], *directions: str) -> list[tuple[Board, str]]:
    """Return the arguments of slides: each board with each of `directions`, by default all four.

    >>> each_direction([[[2, 0]]], "left", "right")
    [([[2, 0]], 'left'), ([[2, 0]], 'right')]
    """
    return [(board, way) for board in boards for way in directions or DIRECTIONS]


@made_once
def moves_that(
    what: str, seed: int, count: int, height: int = 4, width: int = 4
) -> list[tuple[Board, str]]:
    """Return random arguments (board, direction) of slides that all do what the word `what` says.

    `"slide"`: tiles slide and none merges. `"merge"`: tiles merge, and no empty square stands
    before a tile. `"both"`: tiles merge, and empty squares stand before tiles. `"nothing"`: the
    move is not legal. Equal seeds give equal results.
    """
    rng = Random(seed)
    found: list[tuple[Board, str]] = []
    while len(found) < count:
        direction = rng.choice(DIRECTIONS)
        [board] = random_boards(rng, 1, height, width, CROWD)
        for _ in range(rng.randrange(4)):
            board = slide(board, direction)
        if what_happens(board, direction) == what:
            found.append((board, direction))
    return found


def what_happens(board: Board, direction: str) -> str:
    """Return in a word what a slide does: "slide", "merge", "both" or "nothing" (see `moves_that`).

    >>> what_happens([[0, 2, 2]], "left"), what_happens([[2, 4]], "left")
    ('both', 'nothing')
    """
    for _ in range(QUARTER_TURNS[direction]):
        board = rotate(board)
    closed = [close_gaps(row) for row in board]
    slides, merges = closed != board, [merge(row) for row in board] != closed
    if slides and merges:
        return "both"
    return "slide" if slides else "merge" if merges else "nothing"


@made_once
def announced_moves(
    seed: int, moves: int, height: int = 4, width: int = 4
) -> list[tuple[Board, Board, int, Square | None]]:
    """Return the arguments of `announce_move` for the moves of a game in random directions.

    Each tuple is (before, after, gained, spawned): the boards before and after a move, the points
    that it gained, and the square of the new tile, or `None` if there is no new tile. A move may
    change nothing. The list has `moves` tuples, or fewer if the game is over earlier.

    >>> announced_moves(seed=4, moves=2, height=1, width=3)
    [([[2, 0, 2]], [[4, 4, 0]], 4, (0, 1)), ([[4, 4, 0]], [[4, 4, 0]], 0, None)]
    """
    rng = Random(seed)
    board = new_board(height, width, rng)
    told: list[tuple[Board, Board, int, Square | None]] = []
    while len(told) < moves and not is_over(board):
        direction = rng.choice(DIRECTIONS)
        slid = slide(board, direction)
        after = board if slid == board else spawn(slid, rng)
        spawned = [square for square in empty_cells(slid) if after[square[0]][square[1]]]
        gained = slide_points(board, direction)
        told.append((board, after, gained, spawned[0] if spawned else None))
        board = after
    return told


# --- one reason why a game is over or not


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
    """
    return [_about(idea, rng, height, width) for _ in range(count)]


def _about(idea: str, rng: Random, height: int, width: int) -> Board:
    if idea == "won":
        return _found(rng, height, width, (0, 2, 2048), _is_won_and_goes_on)
    if idea == "false pair":
        return _found(rng, height, width, SMALL[:5], _is_over_but_seems_to_go_on)
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

    No row begins with a tile that is equal to the last tile of the row above it.
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


def _is_over_but_seems_to_go_on(board: Board) -> bool:
    """Return true if a game is over, but two equal tiles could be mistaken for a pair.

    These two tiles stand corner to corner, at both ends of a row or column, or at the end of one
    row and the start of the next.
    """
    in_turn = [tile for row in board for tile in row]
    corners = any(
        first in second[max(0, column - 1) : column + 2]
        for above, second in pairwise(board)
        for column, first in enumerate(above)
    )
    at_both_ends = any(line[0] == line[-1] for line in board + rotate(board))
    return is_over(board) and (has_pair(in_turn) or corners or at_both_ends)


def _is_won_and_goes_on(board: Board) -> bool:
    inner = [row[:-1] for row in board[:-1]]
    squares = {tile for row in board for tile in row}
    return {0, 2048} <= squares and any(map(has_pair, inner)) and any(map(has_pair, rotate(inner)))
