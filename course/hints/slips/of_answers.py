"""Slips (ids of general hints) of one wrong answer, and of all answers of a function together."""

from collections.abc import Sequence
from typing import Any

from course.answer_comparison import same
from course.hints.slips.compared_call import AskedCall, kind_of, name_of_odd
from course.hints.slips.of_boards import of_board, of_line, of_square, of_squares
from course.hints.slips.of_kinds import of_error, of_kind, of_no_error
from course.hints.slips.of_texts import of_text
from course.rules.board import DIRECTIONS, start_squares


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
    is_one = all(same(asked.got.value, first) for asked in answered)
    kinds = {kind_of(asked.got.value) for asked in answered}
    if kinds == {"nothing"}:
        return ["prints-instead"] if any(a.got.printed for a in answered) else ["returns-nothing"]
    if is_one and type(first) is bool:
        return ["always-true" if first else "always-false"]
    if is_one:
        return ["always-empty"] if first in ([], "", ()) else ["always-the-same"]
    if kinds == {"flag"} and not any(asked.is_answered_rightly for asked in answered):
        return ["upside-down"]
    if all(asked.given and same(asked.got.value, asked.given[0]) for asked in answered):
        return ["gives-its-argument"]
    wrong = [asked for asked in answered if not asked.is_answered_rightly]
    return ["length-not-kept"] if _is_longer_and_shorter(wrong) else of_sizes(answered)


def _is_longer_and_shorter(wrong: Sequence[AskedCall]) -> bool:
    """Return true if the wrong answers have only wrong lengths: some too long, some too short.

    The answers are lines. A line that is too long ends in more zeros; a line that is too short is
    cut off at its end.
    """
    if not all(kind_of(value) == "line" for a in wrong for value in (a.wanted.value, a.got.value)):
        return False
    right = [a.wanted.value + [0] * len(a.got.value) for a in wrong]
    if any(a.got.value != line[: len(a.got.value)] for a, line in zip(wrong, right, strict=True)):
        return False
    steps = [len(a.got.value) - len(a.wanted.value) for a in wrong]
    return any(step > 0 for step in steps) and any(step < 0 for step in steps)


def _of_value(asked: AskedCall) -> list[str]:
    """Return the slips of an answer that has the right kind, but a wrong value."""
    wanted, got = asked.wanted.value, asked.got.value
    match kind_of(wanted):
        case "flag":
            return ["yes-too-often" if got else "no-too-often"]
        case "number" if kind_of(_first(asked)) == "board" and {wanted, got} <= {-1, 0, 1}:
            return ["other-sign"]  # the number says who leads
        case "number":
            return _of_number(wanted, got)
        case "text":
            return of_text(wanted, got)
        case "tuple":
            return of_square(asked.given, wanted, got)
        case "squares":
            return _of_wall(asked) + of_squares(wanted, got)
        case "line" if kind_of(_first(asked)) == "line":
            return of_line(_first(asked), wanted, got)
        case "board" if kind_of(_first(asked)) == "board":
            return of_board(asked.given, wanted, got)
    return _of_list(wanted, got)


def _of_wall(asked: AskedCall) -> list[str]:
    """Return `["other-wall"]` if the answer has the squares at another wall, else `[]`."""
    if len(asked.given) < 2 or asked.given[1] not in DIRECTIONS:
        return []
    board, direction = asked.given
    walls = (start_squares(board, other) for other in DIRECTIONS if other != direction)
    return ["other-wall"] if asked.got.value in walls else []


def _first(asked: AskedCall) -> Any:
    return asked.given[0] if asked.given else None


def _of_list(wanted: Any, got: Any) -> list[str]:
    """Return the slips of a wrong list, whatever its items are."""
    if len(got) != len(wanted):
        return ["too-short" if len(got) < len(wanted) else "too-long"]
    is_same = sorted(map(repr, got)) == sorted(map(repr, wanted))
    return ["order-changed" if is_same else "other-entries"]


USUAL = 4  # squares in a line
ENOUGH = 3  # answers; fewer might agree by chance


def of_sizes(asked: Sequence[AskedCall]) -> list[str]:
    """Return the slip of a function that is right only on square boards, or lines of four squares.

    Return `[]` for all other functions.
    """
    kinds = {kind_of(each.given[0]) if each.given else "" for each in asked}
    if kinds == {"board"}:
        sizes = [len(each.given[0][0]) - len(each.given[0]) for each in asked]
        return ["square-boards-only"] if _is_right_at_zero(asked, sizes) else []
    if kinds == {"line"}:
        sizes = [len(each.given[0]) - USUAL for each in asked]
        return ["four-squares-only"] if _is_right_at_zero(asked, sizes) else []
    return []


def _is_right_at_zero(asked: Sequence[AskedCall], sizes: Sequence[int]) -> bool:
    """Return true if a function is right only on boards or lines of the usual size.

    `sizes` has a number for each answer: 0 if its board or line has the usual size. All answers
    with the number 0 must be right, and there must be at least `ENOUGH` of them. At least `ENOUGH`
    answers with a number below 0 must be wrong, and so must as many with one above 0.
    """
    pairs = list(zip(sizes, (each.is_answered_rightly for each in asked), strict=True))
    usual = [is_right for size, is_right in pairs if size == 0]
    others = [[right for size, right in pairs if size < 0], [r for size, r in pairs if size > 0]]
    is_wrong = all(rights.count(False) >= ENOUGH for rights in others)
    return len(usual) >= ENOUGH and all(usual) and is_wrong


def _of_number(wanted: int, got: int) -> list[str]:
    """Return the slips of a number that is not the right one."""
    found = []
    if got == 0:
        found.append("number-zero")
    elif got * 2 == wanted:
        found.append("number-half")
    elif got == wanted * 2:
        found.append("number-double")
    return [*found, "number-too-small" if got < wanted else "number-too-large"]
