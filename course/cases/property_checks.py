"""Properties of right answers, which a check can test without knowing the right answer.

Most functions here are passed to `check.many` as `obeys=`. They take an answer and the arguments of
the call, and return `None`, or a sentence that says what is wrong.
"""

from contextlib import suppress
from itertools import chain, pairwise
from typing import Any

from course.answer_comparison import wrong_kind
from course.function_calls import Seeded
from course.rules.board import DIRECTIONS, Board, Square, is_board, is_legal, rotate, slide
from course.rules.line import Line
from course.rules.spawn import empty_cells

NO_SQUARES = "the answer should be a list of squares (row, column)"


def with_seeds(count: int, *arguments: Any) -> list[tuple[Any, ...]]:
    """Return the arguments of `count` calls: `arguments`, and for each call a `Seeded` of its own.

    >>> [arguments[:2] for arguments in with_seeds(2, [[2, 0]], "left")]
    [([[2, 0]], 'left'), ([[2, 0]], 'left')]
    """
    return [(*arguments, Seeded(seed)) for seed in range(count)]


def _unless(holds: bool, answer: Any, like: Any, sentence: str) -> str | None:
    """Return `None` if `holds`; else a sentence on what is wrong.

    If `answer` has another type than `like`, the sentence says so; else it is `sentence`.
    """
    return None if holds else wrong_kind(answer, like) or sentence


# --- lines, and lists of squares


def keeps_length(answer: Any, line: Line) -> str | None:
    """Return `None` if the answer is a list as long as the line; else say what is wrong."""
    if type(answer) is not list:
        return wrong_kind(answer, line) or "the answer should be a list"
    if len(answer) != len(line):
        return f"the answer should be a list of {len(line)} squares"
    return None


def is_squares(answer: object) -> bool:
    """Return true if `answer` is a list of squares: tuples (row, column) of two whole numbers.

    >>> is_squares([(0, 1), (2, 0)]), is_squares(["(0, 1)"]), is_squares([[0, 1]])
    (True, False, False)
    """
    return type(answer) is list and all(
        type(square) is tuple and [type(number) for number in square] == [int, int]
        for square in answer
    )


def in_reading_order(answer: Any, _: Board) -> str | None:
    """Return `None` if the answer is a list of squares in reading order; else say what is wrong."""
    if type(answer) is not list:
        return wrong_kind(answer, []) or NO_SQUARES
    for square, following in pairwise(answer):
        with suppress(TypeError):  # not a square: another check says so
            if following < square:
                return f"{square} stands before {following}: this is not in reading order"
    return None


def one_for_each_empty_square(answer: Any, board: Board) -> str | None:
    """Return `None` if the answer has one item for each empty square; else say what is wrong.

    If all items are squares, they must be the empty squares, in any order. All of them may be
    written as (column, row).
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
    """Return `None` if the answer is a list of the squares along one wall; else say what is wrong.

    For left and right, this is the left or the right wall; for up and down, the top or the bottom
    wall. The squares may be in any order.
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
    """Return `None` if a list of squares begins with `start`; else say what is wrong."""
    if type(answer) is not list:
        return wrong_kind(answer, []) or NO_SQUARES
    return None if answer[:1] == [start] else f"the walk should begin with {start}"


def goes_by_the_step(answer: Any, _start: Square, step: Square, _count: int) -> str | None:
    """Return `None` if each square is one `step` from the square before; else say what is wrong."""
    if not is_squares(answer):
        return wrong_kind(answer, []) or "the walk should be a list of squares (row, column)"
    for (row, column), following in pairwise(answer):
        if following != (row + step[0], column + step[1]):
            return f"from {(row, column)} one step leads to {(row + step[0], column + step[1])}"
    return None


def has_count_squares(answer: Any, _start: Square, _step: Square, count: int) -> str | None:
    """Return `None` if the answer is a list of `count` items; else say what is wrong."""
    if type(answer) is not list:
        return wrong_kind(answer, []) or NO_SQUARES
    return None if len(answer) == count else f"the walk should be a list of {count} squares"


# --- boards after a slide, and with new tiles


def _squares(before: Board, after: Any) -> list[tuple[int, int]] | None:
    """Return for each square, in reading order, a pair (number before, number after).

    Return `None` if `after` is not a board of the same shape.
    """
    if not is_board(after) or (len(after), len(after[0])) != (len(before), len(before[0])):
        return None
    return list(zip(chain(*before), chain(*after), strict=True))


def new_tiles(before: Board, after: object) -> list[int] | None:
    """Return the tiles on squares that were empty, or `None` if any other square has changed.

    Return `None`, too, if `after` is not a board of the same shape as `before`.
    """
    squares = _squares(before, after)
    if squares is None or any(old not in (0, new) for old, new in squares):
        return None
    return [new for old, new in squares if new and not old]


def one_new_tile(answer: Any, board: Board, *_: Any) -> str | None:
    """Return `None` if only one square changed, from empty to 2 or 4; else say what is wrong."""
    said = "one empty square should hold a 2 or a 4 now, and no other square should change"
    return _unless(new_tiles(board, answer) in ([2], [4]), answer, board, said)


def is_full(answer: Any, *_: Any) -> str | None:
    """Return `None` if the answer is a board without empty squares; else say what is wrong."""
    holds = is_board(answer) and not any(0 in row for row in answer)
    said = "the board had one empty square, and it should hold the new tile"
    return _unless(holds, answer, [], said)


def has_its_shape(answer: Any, height: int, width: int, *_: Any) -> str | None:
    """Return `None` if the answer is a board of this height and width; else say what is wrong."""
    holds = is_board(answer) and (len(answer), len(answer[0])) == (height, width)
    return _unless(holds, answer, [], f"this is not a board of {height} rows and {width} columns")


def has_two_tiles(answer: Any, *_: Any) -> str | None:
    """Return `None` if the answer is a board with two tiles; else say what is wrong."""
    holds = is_board(answer) and _count(answer) == 2
    return _unless(holds, answer, [], "there should be two tiles")


def slid_some_way(answer: object, board: Board, direction: str) -> str | None:
    """Return `None` if a slide in any direction gives the answer; else say what is wrong.

    The answer may also be turned or mirrored, as long as it keeps the shape of the board, since
    other checks test the direction.
    """
    for way in DIRECTIONS:
        slid = slide(board, way)
        for _ in range(4):
            slid = rotate(slid)
            if len(slid) == len(board) and answer in (slid, slid[::-1]):
                return None
    return "this board is not what one slide makes"


def slides_first(answer: Any, board: Board, direction: str, *_: Any) -> str | None:
    """Return `None` if the answer is the slid board plus any new tiles; else say what is wrong.

    Any number of new tiles may stand on squares that are empty after the slide.
    """
    slid = slide(board, direction)
    more = " and one new 2 or 4" if is_legal(board, direction) else ""
    said = "the board should slide first, and only then get a new tile"
    said += f"\n  expected  {slid!r}{more}"
    return _unless(new_tiles(slid, answer) is not None, answer, slid, said)


def one_tile_more(answer: Any, board: Board, direction: str, *_: Any) -> str | None:
    """Return `None` if the answer has one tile more than the slid board; else say what is wrong."""
    before = _count(slide(board, direction))
    tiles = "is 1 tile" if before == 1 else f"are {before} tiles"
    said = f"after the slide there {tiles}, and after the turn there should be {before + 1}"
    return _unless(is_board(answer) and _count(answer) == before + 1, answer, board, said)


def _count(board: Board) -> int:
    return sum(tile != 0 for row in board for tile in row)


# --- second chances, whose answers are pairs (board, score)


def _board_of(answer: Any) -> Any:
    """Return the board of a pair (board, score), or `None` for any other answer."""
    return answer[0] if type(answer) is tuple and len(answer) == 2 else None


def gone_tiles(before: Board, answer: Any) -> list[int]:
    """Return the tiles of `before` whose squares are empty in the answer, in reading order.

    The list is empty if the answer is no pair with a board of the shape of `before`.

    >>> gone_tiles([[512, 2], [4, 0]], ([[512, 0], [0, 0]], 952))
    [2, 4]
    """
    return [old for old, new in _squares(before, _board_of(answer)) or [] if old and not new]


def six_are_gone(answer: Any, board: Board, *_: Any) -> str | None:
    """Return `None` if six squares that held a tile are empty now; else say what is wrong."""
    said = "six squares that held a tile should be 0 now, in an answer (board, score)"
    return _unless(len(gone_tiles(board, answer)) == 6, answer, (board, 0), said)


def is_like_before(before: Board, answer: Any) -> bool:
    """Return true if the answer is a pair (board, score) with each square as in `before`, or empty.

    >>> is_like_before([[512, 2]], ([[512, 0]], 0)), is_like_before([[512, 0]], ([[512, 2]], 0))
    (True, False)
    """
    squares = _squares(before, _board_of(answer))
    return squares is not None and all(new in (0, old) for old, new in squares)


def changes_nothing_else(answer: Any, board: Board, *_: Any) -> str | None:
    """Return `None` if each square is as in `board`, or is empty now; else say what is wrong."""
    said = "each square should be as it was, or 0, in an answer (board, score)"
    return _unless(is_like_before(board, answer), answer, (board, 0), said)
