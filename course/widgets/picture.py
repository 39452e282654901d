"""Pictures: lines and boards as HTML that needs no script, for failed checks and saved outputs."""

import ast
import re
import sys
from collections.abc import Collection, Sequence
from html import escape
from typing import Any

from course.rules import Board, Square
from course.rules.shape import is_board, is_line
from course.widgets.assets import read

LONGEST, TOO_LONG = 32, 10**9  # squares of a line; a tile that no square has room for
SIZE = 42  # the side of a square, with its gap, in pixels
LABELS = {"expected": "Expected", "got": "Yours", "before": "Before", "after": "After"}
FACT = re.compile(rf"^  ({'|'.join(LABELS)}) +(.*)$", re.MULTILINE)


def board_html(board: Board, marks: Collection[Square] = ()) -> str:
    """Return a board as an HTML table with its style; the marked squares are outlined.

    >>> ">2</div>" in board_html([[2, 0]])
    True
    """
    return f'<style>{read("tiles.css")}</style><div class="c2048">{_table(board, marks)}</div>'


def value_html(value: Any) -> str:
    """Return a line or a board as a picture, and anything else as text."""
    return (
        board_html(_as_board(value)) if is_drawn(value) else f"<code>{escape(repr(value))}</code>"
    )


def failure_html(failed: Any) -> str:
    """Return a failed check as a picture: what went in, what was expected, what came back.

    The picture is HTML that needs nothing else, or "" if there is no line and no board. It shows
    what the plain message says in its lines `expected`, `got`, `before` and `after`.
    """
    picture = facts_html(str(failed), failed.call, failed.arguments)
    return f"<style>{read('picture.css')}</style>{picture}" if picture else ""


def facts_html(message: str, call: str, arguments: Sequence[Any]) -> str:
    """Return the message of a failed check as a picture, without the style that it needs."""
    facts = [(label, _value(text), text) for label, text in FACT.findall(message)]
    drawn = [value for _, value, _ in facts if is_drawn(value)]
    if not drawn:
        return ""
    given = [] if any(label == "before" for label, _, _ in facts) else arguments
    rows = [("Given", _table(_as_board(value))) for value in given if is_drawn(value)]
    for label, value, text in facts:
        other = next((each for name, each, _ in facts if name != label), None)
        picture = _table(_as_board(value), _marks(label, value, other)) if is_drawn(value) else ""
        rows.append((LABELS[label], picture or f"<code>{escape(text)}</code>"))
    parts = "".join(
        f'<div class="c2048-fact"><div class="c2048-label">{label}</div>{part}</div>'
        for label, part in rows
    )
    return (
        f'<div class="c2048 c2048-failure" role="group" aria-label="{escape(call)}">{parts}</div>'
    )


def show_failure(failed: Any) -> None:
    """Show a failed check as a picture, once; if this is no notebook, do nothing."""
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module is not None else None
    if module is None or not hasattr(shell, "kernel") or hasattr(failed, "is_shown"):
        return
    failed.is_shown = True
    picture = failure_html(failed)
    if picture:
        module.display.display({"text/html": picture, "text/plain": ""}, raw=True)


def _value(text: str) -> Any:
    """Return the value that was written as text, or the text itself."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


def _marks(label: str, value: Any, other: Any) -> list[Square]:
    """Return the squares of an answer that differ from what they should be."""
    if label not in ("got", "after") or not is_drawn(other):
        return []
    got, want = _as_board(value), _as_board(other)
    return [
        (row, column)
        for row, line in enumerate(got)
        for column, tile in enumerate(line)
        if row >= len(want) or column >= len(want[row]) or want[row][column] != tile
    ]


def _as_board(value: Any) -> Board:
    board: Board = [value] if is_line(value, signed=True) else value
    return board


def is_drawn(value: Any) -> bool:
    """Return true if a value can be drawn: a line or a board of at most 32 squares in length.

    Its tiles must also be short enough for a square.

    >>> is_drawn([2, 0]), is_drawn([[2, 0], [4, 8]]), is_drawn([2] * 33), is_drawn("2")
    (True, True, False, False)
    """
    line, board = is_line(value, signed=True), is_board(value, signed=True)
    lines = [value] if line else value if board else [[]]
    return 0 < max(len(lines), len(lines[0])) <= LONGEST and bool(lines[0]) and _are_short(lines)


def _are_short(lines: Board) -> bool:
    return all(abs(tile) < TOO_LONG for line in lines for tile in line)


def _table(board: Board, marks: Collection[Square] = ()) -> str:
    width = max(len(row) for row in board) * SIZE
    rows = "".join(
        "<tr>" + "".join(_cell(tile, (r, c) in marks) for c, tile in enumerate(row)) + "</tr>"
        for r, row in enumerate(board)
    )
    return f'<table class="c2048-board c2048-small" style="width: {width}px">{rows}</table>'


def _cell(tile: int, is_marked: bool) -> str:
    mark = " c2048-marked" if is_marked else ""
    note = '<span class="c2048-hidden"> differs</span>' if is_marked else ""
    style = f"--digits: {len(str(tile))}"
    owner = ' data-owner="second"' if tile < 0 else ""
    inside = (
        f'<div class="c2048-tile" data-tile="{abs(tile)}"{owner} style="{style}">{tile}</div>'
        if tile
        else '<span class="c2048-hidden">0</span>'
    )
    return f'<td class="c2048-cell{mark}"><div class="c2048-square">{inside}{note}</div></td>'
