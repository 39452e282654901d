"""Pictures: lines and boards as HTML that needs no script, for failed checks and saved outputs."""

from collections.abc import Collection
from typing import Any

from course.checks import CheckFailed
from course.rules import Board, Line, Square
from course.widgets.assets import read

SIZE = 44  # the side of a square in pixels


def board_html(board: Board, marks: Collection[Square] = ()) -> str:
    """A board as a table, with the marked squares outlined; brings its style along.

    >>> "2</div>" in board_html([[2, 0]])
    True
    """
    return f"<style>{read('tiles.css')}</style>{_table(board, marks)}"


def line_html(line: Line, marks: Collection[int] = ()) -> str:
    """A line is drawn as a board of one row."""
    return board_html([line], [(0, index) for index in marks])


def _table(board: Board, marks: Collection[Square]) -> str:
    width = max(len(row) for row in board)
    rows = "".join(
        "<tr>" + "".join(_cell(tile, (r, c) in marks) for c, tile in enumerate(row)) + "</tr>"
        for r, row in enumerate(board)
    )
    return (
        f'<div class="c2048 c2048-picture"><table class="c2048-board" '
        f'style="width: {width * SIZE}px">{rows}</table></div>'
    )


def _cell(tile: int, is_marked: bool) -> str:
    mark = " c2048-marked" if is_marked else ""
    digits = len(str(tile))
    inside = (
        f'<div class="c2048-tile" data-tile="{tile}" style="--digits: {digits}">{tile}</div>'
        if tile
        else '<span class="c2048-hidden">0</span>'
    )
    return f'<td class="c2048-cell{mark}"><div class="c2048-square">{inside}</div></td>'


def is_line(value: Any) -> bool:
    """Whether a value can be drawn as a line: a list of whole numbers, not negative.

    >>> is_line([2, 0]), is_line([]), is_line([True])
    (True, False, False)
    """
    return (
        type(value) is list
        and 0 < len(value) <= 32
        and all(type(tile) is int and 0 <= tile < 10**9 for tile in value)
    )


def is_board(value: Any) -> bool:
    """Whether a value can be drawn as a board: a list of lines of one length.

    >>> is_board([[2, 0], [4, 8]]), is_board([[2], [2, 2]]), is_board([2])
    (True, False, False)
    """
    return (
        type(value) is list
        and 0 < len(value) <= 32
        and all(map(is_line, value))
        and len({len(row) for row in value}) == 1
    )


def failure_html(failed: CheckFailed) -> str:
    """A failed check as a picture: what went in, what was expected, what came back."""
    raise NotImplementedError
