"""Facts that must be true of an answer, though the answer itself is not known.

Each function here is passed to `check.many` as `obeys=`. It takes an answer and the arguments of
the call. It returns a sentence that says what is wrong, or `None`.
"""

from contextlib import suppress
from itertools import pairwise
from typing import Any

from course.answer_comparison import wrong_kind
from course.cases.boards import gone_tiles, is_like_before, is_squares, new_tiles
from course.function_calls import Seeded
from course.rules.board import Board, Square, is_legal, slide
from course.rules.line import Line
from course.rules.shape import is_board
from course.rules.spawn import empty_cells

NO_SQUARES = "the answer should be a list of squares (row, column)"


def with_seeds(count: int, *arguments: Any) -> list[tuple[Any, ...]]:
    """Return the arguments of many calls: each time the same, and a `Random` of another seed.

    >>> [arguments[:2] for arguments in with_seeds(2, [[2, 0]], "left")]
    [([[2, 0]], 'left'), ([[2, 0]], 'left')]
    """
    return [(*arguments, Seeded(seed)) for seed in range(count)]


def keeps_length(answer: Any, line: Line) -> str | None:
    """Return a sentence unless the answer is a list as long as the line.

    >>> keeps_length([4], [2, 2])
    'the answer should be a list of 2 squares'
    """
    if type(answer) is not list:
        return wrong_kind(answer, line) or "the answer should be a list"
    if len(answer) != len(line):
        return f"the answer should be a list of {len(line)} squares"
    return None


# --- lists of squares


def in_reading_order(answer: Any, _: Board) -> str | None:
    """Return a sentence unless the answer is a list of squares in reading order.

    >>> in_reading_order([(1, 0), (0, 1)], [[2, 0], [0, 4]])
    '(1, 0) stands before (0, 1): this is not in reading order'
    """
    if type(answer) is not list:
        return wrong_kind(answer, []) or NO_SQUARES
    for square, following in pairwise(answer):
        with suppress(TypeError):  # no two squares: another check tells
            if following < square:
                return f"{square} stands before {following}: this is not in reading order"
    return None


def one_for_each_empty_square(answer: Any, board: Board) -> str | None:
    """Return a sentence unless the answer is a list as long as the board has empty squares.

    If it is a list of squares, they must be these, in any order, or all as (column, row).

    >>> one_for_each_empty_square([], [[2, 0]])
    'the list should be as long as the number of empty squares: 1'
    >>> one_for_each_empty_square([(0, 0)], [[2, 0]])
    'the empty squares are [(0, 1)]'
    """
    empty = empty_cells(board)
    if type(answer) is not list:
        return wrong_kind(answer, []) or NO_SQUARES
    if len(answer) != len(empty):
        return f"the list should be as long as the number of empty squares: {len(empty)}"
    turned = sorted((column, row) for row, column in empty)
    if is_squares(answer) and sorted(answer) not in (empty, turned):
        return f"the empty squares are {empty}"
    return None


def one_start_a_line(answer: Any, board: Board, direction: str) -> str | None:
    """Return a sentence unless there is one square for each line, all at one wall of the board.

    >>> one_start_a_line([(0, 0)], [[2, 0], [0, 4]], "left")
    'there should be 2 start squares, all at one wall of the board'
    """
    rows, columns = range(len(board)), range(len(board[0]))
    if direction in ("left", "right"):
        walls = [[(row, column) for row in rows] for column in (0, columns[-1])]
    else:
        walls = [[(row, column) for column in columns] for row in (0, rows[-1])]
    if not is_squares(answer) or sorted(answer) not in walls:
        return f"there should be {len(walls[0])} start squares, all at one wall of the board"
    return None


def begins_at_the_start(answer: Any, start: Square, _step: Square, _count: int) -> str | None:
    """Return what is wrong if a walk does not begin with its start square, or else `None`.

    >>> begins_at_the_start([(0, 1)], (0, 0), (0, 1), 1)
    'the walk should begin with (0, 0)'
    """
    if type(answer) is not list:
        return wrong_kind(answer, []) or NO_SQUARES
    return None if answer[:1] == [start] else f"the walk should begin with {start}"


def goes_by_the_step(answer: Any, _start: Square, step: Square, _count: int) -> str | None:
    """Return what is wrong if two squares of a walk are not one step apart, or else `None`.

    >>> goes_by_the_step([(0, 0), (0, 2)], (0, 0), (0, 1), 2)
    'from (0, 0) one step leads to (0, 1)'
    """
    if not is_squares(answer):
        return wrong_kind(answer, []) or "the walk should be a list of squares (row, column)"
    for (row, column), following in pairwise(answer):
        if following != (row + step[0], column + step[1]):
            return f"from {(row, column)} one step leads to {(row + step[0], column + step[1])}"
    return None


def has_count_squares(answer: Any, _start: Square, _step: Square, count: int) -> str | None:
    """Return what is wrong if a walk does not have `count` squares, or else `None`.

    >>> has_count_squares([(0, 0)], (0, 0), (0, 1), 2)
    'the walk should be a list of 2 squares'
    """
    if type(answer) is not list:
        return wrong_kind(answer, []) or NO_SQUARES
    return None if len(answer) == count else f"the walk should be a list of {count} squares"


# --- boards with new tiles


def one_new_tile(answer: Any, board: Board, *_: Any) -> str | None:
    """Return a sentence unless one empty square of the board holds a 2 or a 4 now.

    No other square may have changed.

    >>> one_new_tile([[8, 8]], [[8, 0]])
    'one empty square should hold a 2 or a 4 now, and no other square should change'
    """
    said = "one empty square should hold a 2 or a 4 now, and no other square should change"
    return None if new_tiles(board, answer) in ([2], [4]) else wrong_kind(answer, board) or said


def is_full(answer: Any, *_: Any) -> str | None:
    """Return a sentence if a square of the answer is empty.

    >>> is_full([[2, 0]])
    'the board had one empty square, and it should hold the new tile'
    """
    said = "the board had one empty square, and it should hold the new tile"
    holds = is_board(answer) and not any(0 in row for row in answer)
    return None if holds else wrong_kind(answer, []) or said


def has_its_shape(answer: Any, height: int, width: int, *_: Any) -> str | None:
    """Return a sentence unless the answer is a board of this height and width.

    >>> has_its_shape([[2, 0]], 2, 1)
    'this is not a board of 2 rows and 1 columns'
    """
    said = f"this is not a board of {height} rows and {width} columns"
    holds = is_board(answer) and (len(answer), len(answer[0])) == (height, width)
    return None if holds else wrong_kind(answer, []) or said


def has_two_tiles(answer: Any, *_: Any) -> str | None:
    """Return a sentence unless the answer is a board with two tiles.

    >>> has_two_tiles([[2, 0]])
    'there should be two tiles'
    """
    holds = is_board(answer) and _count(answer) == 2
    return None if holds else wrong_kind(answer, []) or "there should be two tiles"


def slides_first(answer: Any, board: Board, direction: str, *_: Any) -> str | None:
    """Return a text with the right board unless the answer is the board after a slide, or more.

    New tiles may stand on squares that are empty after the slide, however many.

    >>> print(slides_first([[4, 2]], [[0, 8]], "left"))
    the board should slide first, and only then get a new tile
      expected  [[8, 0]] and one new 2 or 4
    """
    slid = slide(board, direction)
    if new_tiles(slid, answer) is not None:
        return None
    if (said := wrong_kind(answer, slid)) is not None:
        return said
    more = " and one new 2 or 4" if is_legal(board, direction) else ""
    said = "the board should slide first, and only then get a new tile"
    return f"{said}\n  expected  {slid!r}{more}"


def one_tile_more(answer: Any, board: Board, direction: str, *_: Any) -> str | None:
    """Return a sentence unless there is one tile more than after a slide.

    >>> one_tile_more([[8, 2, 2]], [[0, 8, 0]], "left")
    'after the slide there is 1 tile, and after the turn there should be 2'
    """
    before = _count(slide(board, direction))
    if is_board(answer) and _count(answer) == before + 1:
        return None
    if (said := wrong_kind(answer, board)) is not None:
        return said
    tiles = "is 1 tile" if before == 1 else f"are {before} tiles"
    return f"after the slide there {tiles}, and after the turn there should be {before + 1}"


def _count(board: Board) -> int:
    return sum(tile != 0 for row in board for tile in row)


# --- second chances


def six_are_gone(answer: Any, board: Board, *_: Any) -> str | None:
    """Return a sentence unless six squares that held a tile are empty, in a pair (board, score).

    >>> six_are_gone(([[512, 0]], 0), [[512, 2]])
    'six squares that held a tile should be 0 now, in an answer (board, score)'
    """
    said = "six squares that held a tile should be 0 now, in an answer (board, score)"
    return None if len(gone_tiles(board, answer)) == 6 else wrong_kind(answer, (board, 0)) or said


def changes_nothing_else(answer: Any, board: Board, *_: Any) -> str | None:
    """Return a sentence unless each square is as it was, or empty, in a pair (board, score).

    >>> changes_nothing_else(([[512, 4]], 0), [[512, 2]])
    'each square should be as it was, or 0, in an answer (board, score)'
    """
    said = "each square should be as it was, or 0, in an answer (board, score)"
    return None if is_like_before(board, answer) else wrong_kind(answer, (board, 0)) or said
