"""Slips (ids of general hints) of one wrong answer, and of all answers of a function together."""

from collections.abc import Sequence

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
    first = kind_of(asked.given[0]) if asked.given else ""
    match kind_of(wanted):
        case "flag":
            return ["yes-too-often" if got else "no-too-often"]
        case "number" if first == "board" and {wanted, got} <= {-1, 0, 1}:
            return ["other-sign"]  # the number says who leads
        case "number":
            found = ["number-too-small" if got < wanted else "number-too-large"]
            if got == 0:
                return ["number-zero", *found]
            if got * 2 == wanted:
                return ["number-half", *found]
            return ["number-double", *found] if got == wanted * 2 else found
        case "text":
            return of_text(wanted, got)
        case "tuple":
            return of_square(asked.given, wanted, got)
        case "squares":
            at_other_walls = []
            if len(asked.given) > 1 and asked.given[1] in DIRECTIONS:
                board, direction = asked.given
                others = [other for other in DIRECTIONS if other != direction]
                at_other_walls = [start_squares(board, other) for other in others]
            is_there = got in at_other_walls
            return (["other-wall"] if is_there else []) + of_squares(wanted, got)
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

    All answers for these must be right, and at least `ENOUGH` of them. At least `ENOUGH` answers
    for smaller or lower ones must be wrong, and so must as many for larger ones. Return `[]` for
    all other functions.
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
