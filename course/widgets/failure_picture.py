"""Pictures of failed checks: the board that a check asked about, the expected and the real answer.

A picture is made from the message of the check, so the notebook and the pages of the grader show
the same. The message begins with a call, or with lines that make and play a game. Below stand
facts, each on a line of its own: two blanks, a label of `LABELS`, and a value.
"""

import ast
import re
import sys
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

from course.plain_errors import ipython_shell
from course.rules import Board, Square
from course.widgets.static_html import as_board, read, table_of

LABELS = {
    "before": "Before",
    "board": "Board",
    "view": "Given",
    "first": "First call",
    "second": "Second call",
    "with": "With",
    "without": "Without",
    "expected": "Expected",
    "got": "Yours",
    "after": "After",
}
COMPARED = {"got": "expected", "after": "before", "second": "first", "without": "with"}

FACT = re.compile(rf"^  ({'|'.join(LABELS)})((?: [\w=.]+)*)  +(\S.*)$", re.MULTILINE)
BOARD_SET = re.compile(r"^\w+\.board = (\[.*\])$")
NOTED = re.compile(r"^(\[.*\]) (and .*)$")  # a board, and a note on it: [[4, 0]] and one new tile
ONE_OF = re.compile(r"^(one of) (\[.*\])$")
PLAIN = (bool, int, float, str, tuple, list, type(None))
WIDEST = 60  # characters of a value that stands beside a board


class MessageFact(NamedTuple):
    """One line of a check's message: a label, such as "expected", and a value.

    `about` are the words behind the label, and `text` is the value as it is written. `note` is a
    text beside the value, such as "one of" or "and one new tile".
    """

    label: str
    about: str
    value: Any
    text: str
    note: str = ""


def failure_html(failed: Any) -> str:
    """Return a `CheckFailed` as HTML with its style; "" if there is no line or board to draw."""
    picture = facts_html(str(failed), failed.call, failed.arguments)
    return f"<style>{read('tiles.css')}</style>{picture}" if picture else ""


def facts_html(message: str, call: str, arguments: Sequence[Any]) -> str:
    """Return the message of a failed check as a picture, without the style that it needs.

    The result is "" if neither the arguments of the call nor the message hold a line or a board.
    """
    facts = []
    for label, about, text in FACT.findall(message):
        noted, chosen = NOTED.match(text), ONE_OF.match(text)
        value, note = text, ""
        if noted is not None and as_board(_value(noted[1])):
            value, note = noted.groups()
        elif chosen is not None:
            note, value = chosen.groups()
        facts.append(MessageFact(label, about, _value(value), text, note))
    if not facts:
        return ""
    pictures = [*_given(facts, arguments), *_played(message, facts)]
    # The board on which the squares of an answer lie.
    views = [fact.value for fact in facts if fact.label == "view" and type(fact.value) is dict]
    boards = [*(view.get("board") for view in views), *arguments]
    board = next((one for one in boards if as_board(one) and one == as_board(one)), None)
    by_label = {fact.label: fact for fact in facts}
    for fact in sorted(facts, key=lambda fact: list(LABELS).index(fact.label)):
        other = by_label.get(COMPARED.get(fact.label, ""))
        title = f"{LABELS[fact.label]}{escape(fact.about)}"
        pictures.append((title, _fact_html(fact, other, board)))
    if not any("<table" in picture for _, picture in pictures):
        return ""
    parts = "".join(
        f'<div class="c2048-fact"><div class="c2048-label">{title}</div>{picture}</div>'
        for title, picture in pictures
    )
    name = escape(call or message.partition("\n")[0])
    return f'<div class="c2048 c2048-failure" role="group" aria-label="{name}">{parts}</div>'


def show_failure(failed: Any) -> None:
    """Show a failed check as a picture, once only. Outside of a notebook, do nothing."""
    if not hasattr(ipython_shell(), "kernel") or hasattr(failed, "is_shown"):
        return
    failed.is_shown = True
    picture = failure_html(failed)
    if picture:
        sys.modules["IPython"].display.display({"text/html": picture, "text/plain": ""}, raw=True)


def _value(text: str) -> Any:
    """Return the value of a text that is a literal of Python; return any other text as it is."""
    try:
        return ast.literal_eval(text)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return text


def _given(facts: list[MessageFact], arguments: Sequence[Any]) -> list[tuple[str, str]]:
    """Return pairs (title, HTML) for the arguments of a call; lines and boards are drawn.

    The list is empty if the message itself shows them, under the label "before" or "view".
    """
    if any(fact.label in ("before", "view") for fact in facts):
        return []
    boards = [table_of(board) for value in arguments if (board := as_board(value))]
    others = [value for value in arguments if type(value) in PLAIN and not as_board(value)]
    if others:
        words = _code(", ".join(map(repr, others)))
        last = f"{boards.pop()}<span>and {words}</span>" if boards else words
        boards.append(last)
    return [("Given", picture) for picture in boards]


def _played(message: str, facts: list[MessageFact]) -> list[tuple[str, str]]:
    """Return pairs (title, HTML): the board that a game was given, and the calls that follow it."""
    lines = FACT.split(message, maxsplit=1)[0].splitlines()
    found = [(place, BOARD_SET.match(line)) for place, line in enumerate(lines)]
    sets = [(place, _value(match[1])) for place, match in found if match is not None]
    if not sets or not as_board(sets[-1][1]):
        return []
    place, board = sets[-1]
    then = [line for line in lines[place + 1 :] if line and not line.startswith("  ")]
    is_shown = any(fact.label == "before" for fact in facts)
    rows = [] if is_shown else [("Given", table_of(as_board(board)))]
    return [*rows, ("Then", "<br>".join(map(_code, then)))] if then else rows


def _fact_html(fact: MessageFact, other: MessageFact | None, board: Board | None) -> str:
    """Return a fact as HTML; squares of a board that differ from the value of `other` are marked.

    If the fact is an answer that consists of squares, they are marked on `board`. Any other value
    that is no board is shown as code.
    """
    note = f"<div>{escape(fact.note)}</div>" if fact.note else ""
    value, wanted = fact.value, None if other is None else other.value
    if fact.label == "view" and board is not None:
        return table_of(board)
    squares = _squares(value, board) if fact.label in ("expected", "got") else []
    if board is not None and squares:
        right = squares if fact.label == "expected" else _squares(wanted, board)
        kinds = ("wrong", "correct") if right else ("named", "named")
        marks = {square: kinds[square in right] for square in squares}
        return note + table_of(board, marks)
    if type(value) is tuple and len(value) == 2 and as_board(value[0]):
        wanted = wanted[0] if type(wanted) is tuple and wanted else None
        return table_of(as_board(value[0]), _differing(value[0], wanted)) + _code(repr(value[1]))
    drawn = as_board(value)
    is_told = drawn and (fact.label != "got" or as_board(wanted))
    if drawn and not is_told:  # draw only what may be tiles, and only if no square was wanted
        numbers = [abs(tile) for row in drawn for tile in row]
        are_tiles = all(tile != 1 and tile & (tile - 1) == 0 for tile in numbers)
        is_told = are_tiles and not _is_square(
            wanted[0] if type(wanted) is list and wanted else wanted
        )
    if is_told:
        is_loose = other is not None and bool(other.note)
        return table_of(drawn, _differing(value, wanted, is_loose)) + note
    return _code(fact.text)


def _squares(value: Any, board: Board | None) -> list[Square]:
    """Return the squares in an answer; `[]` if anything in it is not a square of the board."""
    found = value if type(value) is list else [value]
    if board is None or not all(map(_is_square, found)):
        return []
    height, width = len(board), len(board[0])
    if not all(0 <= row < height and 0 <= column < width for row, column in found):
        return []
    return found


def _is_square(value: Any) -> bool:
    return type(value) is tuple and [type(number) for number in value] == [int, int]


def _differing(value: Any, wanted: Any, is_loose: bool = False) -> Mapping[Square, str]:
    """Return a dictionary from the squares on which `value` differs from `wanted` to "differs".

    If `is_loose` is true, any tile may stand on a square that is empty in `wanted`.
    """
    got, want = as_board(value), as_board(wanted)
    return {
        (row, column): "differs"
        for row, line in enumerate(got if want else [])
        for column, tile in enumerate(line)
        if row >= len(want)
        or column >= len(want[row])
        or (want[row][column] != tile and not (is_loose and want[row][column] == 0))
    }


def _code(text: str) -> str:
    return f"<code>{escape(text if len(text) <= WIDEST else text[: WIDEST - 2] + ' …')}</code>"
