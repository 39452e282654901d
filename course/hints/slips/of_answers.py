"""Slips (ids of general hints) of one wrong answer, and of all answers of a function together."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from course.answer_comparison import same
from course.heard import heard
from course.hints.slips.compared_call import AskedCall, kind_of, name_of_odd
from course.hints.slips.of_boards import of_board, of_line, of_square, of_squares
from course.hints.slips.of_kinds import of_error, of_kind, of_no_error
from course.rules.board import DIRECTIONS, start_squares

_NAME = re.compile(r"\b([A-Za-z])(\d+)\b")
_MARK = re.compile(r"(?!-\d)\W")  # the minus of a number is no mark
_BRACES = re.compile(r"\{[\w.]+[^}]*\}")


def slips_of(asked: AskedCall) -> list[str]:
    """Return the slips of one answer, the best description first; `[]` if all is right."""
    if asked.is_answered_rightly:
        return ["changes-its-argument"] if asked.changes else []
    if asked.wanted.error is not None:
        return of_no_error(asked.got)
    if asked.got.error is not None and name_of_odd(asked.got) is None:
        return of_error(asked.got.error)
    return of_kind(asked) or _of_value(asked)


def slips_of_all(all_asked: Sequence[AskedCall]) -> list[str]:
    """Return the slips that show only if all answers of a function are looked at together."""
    answered = [asked for asked in all_asked if asked.wanted.error is None]
    if len(answered) < 2:
        return []
    if any(asked.got.error is not None for asked in answered):
        return of_sizes(answered)
    first = answered[0].got.value
    kinds = {kind_of(asked.got.value) for asked in answered}
    if kinds == {"nothing"}:
        return ["prints-instead"] if any(a.got.printed for a in answered) else ["returns-nothing"]
    if all(same(asked.got.value, first) for asked in answered):
        if type(first) is bool:
            return ["always-true" if first else "always-false"]
        return ["always-empty"] if first in ([], "", ()) else ["always-the-same"]
    if kinds == {"flag"} and not any(asked.is_answered_rightly for asked in answered):
        return ["upside-down"]
    if all(asked.given and same(asked.got.value, asked.given[0]) for asked in answered):
        return ["gives-its-argument"]
    wrong = [
        (asked.wanted.value, asked.got.value) for asked in answered if not asked.is_answered_rightly
    ]
    are_lines = all(kind_of(value) == "line" for pair in wrong for value in pair)
    # A line that is too long ends in more zeros, and one that is too short is cut off at its end.
    is_cut = are_lines and all(got == (due + [0] * len(got))[: len(got)] for due, got in wrong)
    if is_cut and {len(got) > len(due) for due, got in wrong} == {True, False}:
        return ["length-not-kept"]
    return of_sizes(answered)


def _of_value(asked: AskedCall) -> list[str]:
    """Return the slips of an answer that has the right kind, but a wrong value."""
    wanted, got = asked.wanted.value, asked.got.value
    first = kind_of(asked.given[0]) if asked.given else ""
    match kind_of(wanted):
        case "flag":
            return ["yes-too-often" if got else "no-too-often"]
        case "number" if first == "board" and {wanted, got} <= {-1, 0, 1}:
            return ["other-sign"]  # the number says who leads
        case "number":
            odd = {0: "number-zero", wanted / 2: "number-half", wanted * 2: "number-double"}
            closer = [slip for value, slip in odd.items() if got == value][:1]
            return [*closer, "number-too-small" if got < wanted else "number-too-large"]
        case "text":
            return _of_text(wanted, got)
        case "tuple":
            return of_square(asked.given, wanted, got)
        case "squares":
            others: list[Any] = []
            if len(asked.given) > 1 and asked.given[1] in DIRECTIONS:
                board, direction = asked.given
                others = [start_squares(board, way) for way in DIRECTIONS if way != direction]
            return (["other-wall"] if got in others else []) + of_squares(wanted, got)
        case "line" if first == "line":
            return of_line(asked.given[0], wanted, got)
        case "board" if first == "board":
            return of_board(asked.given, wanted, got)
    if len(got) != len(wanted):  # a list, whatever its items are
        return ["too-short" if len(got) < len(wanted) else "too-long"]
    is_same = sorted(map(repr, got)) == sorted(map(repr, wanted))
    return ["order-changed" if is_same else "other-entries"]


USUAL = 4  # squares in a line
ENOUGH = 3  # answers; fewer might agree by chance


def of_sizes(asked: Sequence[AskedCall]) -> list[str]:
    """Return the slip of a function that is right only on square boards, or lines of four squares.

    All answers for these must be right, and at least `ENOUGH` of them; as many for smaller or lower
    ones must be wrong, and as many for larger ones. Return `[]` for all other functions.
    """
    kinds = {kind_of(each.given[0]) if each.given else "" for each in asked}
    if kinds == {"board"}:
        slip, sizes = "square-boards-only", [len(a.given[0][0]) - len(a.given[0]) for a in asked]
    elif kinds == {"line"}:
        slip, sizes = "four-squares-only", [len(a.given[0]) - USUAL for a in asked]
    else:
        return []
    pairs = list(zip(sizes, (each.is_answered_rightly for each in asked), strict=True))
    usual = [is_right for size, is_right in pairs if size == 0]
    others = [[right for size, right in pairs if size < 0], [r for size, r in pairs if size > 0]]
    is_wrong = all(rights.count(False) >= ENOUGH for rights in others)
    return [slip] if len(usual) >= ENOUGH and all(usual) and is_wrong else []


def _of_text(wanted: str, got: str) -> list[str]:
    """Return the slips of a wrong text, the best description first."""
    if not got.strip():
        return ["text-empty"]
    if got.casefold() == wanted.casefold():
        return ["text-case"]
    if _MARK.sub("", got) == _MARK.sub("", wanted):
        return ["text-marks"]
    if _BRACES.search(got):
        return ["text-braces"]
    right, seen = heard(wanted), heard(got)
    if "none" in seen and "none" not in right:
        return ["text-none"]

    def renamed(change: Callable[[int, int], tuple[int, int]]) -> str:
        """Return the right text with other names of squares, such as C2 in place of B3."""
        return _NAME.sub(
            lambda name: "{:c}{}".format(*change(ord(name[1].upper()), int(name[2]))), wanted
        )

    for slip, text in (
        ("text-square-turned", renamed(lambda letter, row: (min(row, 27) + 64, letter - 64))),
        ("text-letter-beside", renamed(lambda letter, row: (letter - 1, row))),
        ("text-letter-beside", renamed(lambda letter, row: (letter + 1, row))),
    ):
        if text != wanted and heard(text) == seen:
            return [slip, *_of_words(right, seen)]
    return _of_words(right, seen)


def _of_words(right: list[str], seen: list[str]) -> list[str]:
    """Return the slips of a wrong text from the words and numbers that a listener hears."""
    if right == seen:
        return ["text-marks"]
    if sorted(right) == sorted(seen):
        return ["text-order"]
    if seen == ["0" if word == "zero" else word for word in right]:
        return ["text-zero"]
    if [word.removesuffix("s") for word in right] == [word.removesuffix("s") for word in seen]:
        return ["text-plural"]
    for slip, few, many in (("text-parts-missing", seen, right), ("text-too-much", right, seen)):
        rest = iter(many)
        if all(word in rest for word in few):  # in the same order
            return [slip]
    numbers, wanted = ([w for w in words if w.lstrip("-").isdigit()] for words in (seen, right))
    others, due = ([w for w in words if not w.lstrip("-").isdigit()] for words in (seen, right))
    if others == due:
        pairs = zip(wanted, numbers, strict=False)
        steps = {int(got) - int(one) for one, got in pairs if one != got}
        is_near = len(wanted) == len(numbers) and steps in ({1}, {-1})
        return ["text-off-by-one", "text-numbers"] if is_near else ["text-numbers"]
    return ["text-words"] if numbers == wanted else ["text-differs"]
