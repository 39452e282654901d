"""Boards to test with: about one idea of sliding, of every kind, and of a whole game."""

from itertools import chain, product
from random import Random
from typing import Any

from course.cases.case_cache import made_once
from course.cases.lines import SQUARES
from course.rules.board import DIRECTIONS, QUARTER_TURNS, Board, Square, rotate, slide
from course.rules.line import close_gaps, merge, points
from course.rules.over import is_over
from course.rules.shape import is_board
from course.rules.spawn import empty_cells, new_board, spawn

Told = tuple[Board, Board, int, Square | None]  # the arguments of `announce_move`

CROWD = (0, 0, 0, 2, 2, 2, 4, 4, 8, 16)  # squares of a board in the middle of a game
SHAPES = ((1, 1), (1, 2), (2, 1), (1, 11), (4, 1), (2, 2), (2, 3), (5, 2), (4, 4))
WRONG_DIRECTIONS = (
    *("north", "", "l", "le", "righ", "ight", " left", "down ", "upright", "w", "2"),
    *("Left", "Right", "Up", "Down", "LEFT", "RIGHT", "UP", "DOWN"),
)


def random_boards(
    rng: Random, count: int, height: int = 4, width: int = 4, squares: tuple[int, ...] = SQUARES
) -> list[Board]:
    """Return random boards of height × width on which merges are common."""
    return [
        [[rng.choice(squares) for _ in range(width)] for _ in range(height)] for _ in range(count)
    ]


def boards_of_every_kind(*shapes: tuple[int, int]) -> list[Board]:
    """Return boards of every kind, of each shape (height, width); if none is named, of `SHAPES`.

    A board is empty, has one tile, has one empty square, or is full. On some full boards nothing is
    legal; on others all tiles are equal, or those of each row or of each column, or only the last
    two tiles of the last row or column. There are boards of small tiles, and of tiles above 2048.

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


@made_once
def boards_about(idea: str, seed: int, count: int, height: int = 4, width: int = 4) -> list[Board]:
    """Return boards of height × width, drawn with a seed, about one idea of sliding and no other.

    `"plain"`: the result is the same from whichever end the lines are merged, and merging them a
    second time changes nothing. `"odd run"`: the end from which a line is merged matters.
    `"chain"`: merging a line a second time would merge more tiles.

    >>> boards_about("odd run", 1, 1, height=1, width=3)
    [[[4, 4, 4]]]
    """
    rng = Random(seed)
    found: list[Board] = []
    while len(found) < count:
        board = [[rng.choice(CROWD) for _ in range(width)] for _ in range(height)]
        if _board_idea(board) == idea:
            found.append(board)
    return found


def each_direction(boards: list[Board], *directions: str) -> list[tuple[Board, str]]:
    """Return every board with every direction (all four if none is named), as arguments of a slide.

    >>> each_direction([[[2, 0]]], "left", "right")
    [([[2, 0]], 'left'), ([[2, 0]], 'right')]
    """
    return [(board, way) for board in boards for way in directions or DIRECTIONS]


@made_once
def moves_that(
    what: str, seed: int, count: int, height: int = 4, width: int = 4
) -> list[tuple[Board, str]]:
    """Return random pairs (board, direction) for which a slide does just what `what` names.

    Each pair holds the arguments of one slide; the pairs are drawn with a seed. `"slide"`: tiles
    slide and none merges. `"merge"`: tiles merge, and no empty square stands before a tile.
    `"both"`: tiles merge, and empty squares stand before tiles. `"nothing"`: the move is not legal.

    >>> moves_that("merge", 1, 1, height=1, width=2)
    [([[4, 4]], 'left')]
    """
    rng = Random(seed)
    found: list[tuple[Board, str]] = []
    while len(found) < count:
        direction = rng.choice(DIRECTIONS)
        board = [[rng.choice(CROWD) for _ in range(width)] for _ in range(height)]
        for _ in range(rng.randrange(4)):
            board = slide(board, direction)
        if what_happens(board, direction) == what:
            found.append((board, direction))
    return found


def new_tiles(before: Board, after: object) -> list[int] | None:
    """Return the tiles on squares that were empty, or `None` if any other square has changed.

    Return `None`, too, if `after` is not a board of the same shape as `before`.

    >>> new_tiles([[2, 0]], [[2, 4]]), new_tiles([[2, 0]], [[4, 4]])
    ([4], None)
    """
    squares = _squares(before, after)
    if squares is None or any(old not in (0, new) for old, new in squares):
        return None
    return [new for old, new in squares if new and not old]


def gone_tiles(before: Board, answer: Any) -> list[int]:
    """Return the tiles of `before` whose squares are empty on the board of an answer.

    An answer should be (board, score). The tiles are in reading order. The list is empty if the
    answer is no such pair, or if its board has another shape than `before`.

    >>> gone_tiles([[512, 2], [4, 0]], ([[512, 0], [0, 0]], 952))
    [2, 4]
    """
    is_pair = type(answer) is tuple and len(answer) == 2
    squares = _squares(before, answer[0]) if is_pair else None
    return [old for old, new in squares or [] if old and not new]


def is_like_before(before: Board, answer: Any) -> bool:
    """Return true if an answer is (board, score), and its board is `before` with some tiles gone.

    >>> is_like_before([[512, 2]], ([[512, 0]], 0)), is_like_before([[512, 0]], ([[512, 2]], 0))
    (True, False)
    """
    is_pair = type(answer) is tuple and len(answer) == 2
    squares = _squares(before, answer[0]) if is_pair else None
    return squares is not None and all(new in (0, old) for old, new in squares)


def _squares(before: Board, after: Any) -> list[tuple[int, int]] | None:
    """Return pairs (number before, number after), one for each square, in reading order.

    Return `None` if `after` is not a board of the same shape.
    """
    if not is_board(after) or (len(after), len(after[0])) != (len(before), len(before[0])):
        return None
    return list(zip(chain(*before), chain(*after), strict=True))


def is_squares(answer: object) -> bool:
    """Return true if `answer` is a list of squares: tuples (row, column) of two whole numbers.

    >>> is_squares([(0, 1), (2, 0)]), is_squares(["(0, 1)"]), is_squares([[0, 1]])
    (True, False, False)
    """
    return type(answer) is list and all(
        type(square) is tuple and [type(number) for number in square] == [int, int]
        for square in answer
    )


def slid_some_way(answer: object, board: Board, direction: str) -> str | None:
    """Return a sentence if the answer is not the board after one slide, or `None` if it is.

    Pass this function to `check.many` as `obeys=`. A slide in any direction is accepted, since
    other checks test the direction. The answer may also be turned or mirrored, as long as it keeps
    the shape of the board.

    >>> slid_some_way([[0, 4]], [[2, 2]], "left")
    >>> slid_some_way([[8, 0, 0]], [[2, 2, 4]], "left")
    'this board is not what one slide makes'
    """
    for way in DIRECTIONS:
        slid = slide(board, way)
        for _ in range(4):
            slid = rotate(slid)
            if len(slid) == len(board) and answer in (slid, slid[::-1]):
                return None
    return "this board is not what one slide makes"


def what_happens(board: Board, direction: str) -> str:
    """Return what a slide does to a board, in the words of `moves_that`.

    >>> what_happens([[0, 2, 2]], "left"), what_happens([[2, 4]], "left")
    ('both', 'nothing')
    """
    turned = board
    for _ in range(QUARTER_TURNS[direction]):
        turned = rotate(turned)
    closed = [close_gaps(row) for row in turned]
    slides = closed != turned
    merges = [merge(row) for row in turned] != closed
    if slides and merges:
        return "both"
    return "slide" if slides else "merge" if merges else "nothing"


def _board_idea(board: Board) -> str | None:
    """Return the one idea that a board is about, or `None` if it is about several."""
    lines = board + rotate(board)
    ends = [[[*filter(None, merge(end))] for end in (line, line[::-1])] for line in lines]
    odd = any(one != other[::-1] for one, other in ends)
    chain = any(merge(end) != merge(merge(end)) for line in lines for end in (line, line[::-1]))
    ideas = {(False, False): "plain", (True, False): "odd run", (False, True): "chain"}
    return ideas.get((odd, chain))


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
