"""Slips (ids of general hints) for one wrong answer, and for all answers of a function together.

In functions about lines, boards and squares, `given` is what the function under test was passed,
`wanted` is the right answer, and `got` the function's answer. `before`, `right` and `after` are the
boards or lines in `given`, `wanted` and `got`, or only their tiles.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

from course.answer_comparison import same
from course.cases.lines import chained
from course.heard import heard
from course.hints.observe import AskedCall
from course.hints.slips.of_kinds import kind_of, name_of_odd, of_error, of_kind, of_no_error
from course.rules.board import DIRECTIONS, Board, is_board, rotate, slide, start_squares
from course.rules.line import Line

Square = tuple[Any, ...]

_NAME = re.compile(r"\b([A-Za-z])(\d+)\b")
_MARK = re.compile(r"(?!-\d)\W")  # punctuation, but no minus of a number
_BRACES = re.compile(r"\{[\w.]+[^}]*\}")
USUAL = 4  # squares in a line
ENOUGH = 3  # answers; fewer might agree by chance


def slips_of(asked: AskedCall) -> list[str]:
    """Return the ids of the hints for one answer, the best one first; `[]` if all is right."""
    if asked.is_answered_rightly:
        return ["changes-its-argument"] if asked.changes else []
    if asked.wanted.error is not None:
        return of_no_error(asked.got)
    if asked.got.error is not None and name_of_odd(asked.got) is None:
        return of_error(asked.got.error)
    return of_kind(asked.wanted.value, asked.got) or _of_value(asked)


def slips_of_all(all_asked: Sequence[AskedCall]) -> list[str]:
    """Return the ids of the hints that fit all answers of a function together, or `[]`."""
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
        is_empty = isinstance(first, list | str | tuple) and not first
        return ["always-empty" if is_empty else "always-the-same"]
    if kinds == {"flag"} and not any(asked.is_answered_rightly for asked in answered):
        return ["upside-down"]
    if all(asked.given and same(asked.got.value, asked.given[0]) for asked in answered):
        return ["gives-its-argument"]
    wrong = [
        (asked.wanted.value, asked.got.value) for asked in answered if not asked.is_answered_rightly
    ]
    are_lines = all(kind_of(value) == "line" for pair in wrong for value in pair)
    # A line that is too long has more zeros at its end; one that is too short lacks its last items.
    is_cut = are_lines and all(got == (due + [0] * len(got))[: len(got)] for due, got in wrong)
    if is_cut and {len(got) > len(due) for due, got in wrong} == {True, False}:
        return ["length-not-kept"]
    return of_sizes(answered)


def _of_value(asked: AskedCall) -> list[str]:
    """Return the ids of the hints for an answer that has the right kind, but a wrong value."""
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


def of_sizes(asked: Sequence[AskedCall]) -> list[str]:
    """Return the id of the hint for a function that is right only on boards or lines of usual size.

    The usual sizes are square boards and lines of four squares. All answers for these must be
    right, and there must be at least `ENOUGH` of them. As many answers must be wrong for boards
    that are higher than wide or for shorter lines, and as many for boards that are wider than high
    or for longer lines. The id is in a list, which is empty for all other functions.
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
    """Return the ids of the hints for a wrong text, the best one first."""
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
        """Return the right text with the names of squares changed, such as C2 in place of B3."""
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
    """Return the ids of the hints for a wrong text.

    `right` are the words of the right text, and `seen` those of the wrong one, as `heard.py` makes
    them: a listener could not tell two equal words apart.
    """
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


def of_board(given: tuple[Any, ...], wanted: Board, got: Board) -> list[str]:
    """Return the ids of the hints for a wrong board; `given` is (board,) or (board, direction)."""
    if not all(type(number) is int for row in got for number in row):
        are_squares = all(_is_square(each) for row in got for each in row)
        return ["squares-for-tiles", "other-items"] if are_squares else ["other-items"]
    before = given[0]
    direction = given[1] if len(given) > 1 and given[1] in DIRECTIONS else None
    filled = [id(row) for row in got if row]
    shared = ["shared-rows"] if len({*filled}) < len(filled) else []
    others = [other for other in DIRECTIONS if direction is not None and other != direction]
    other = ["other-direction"] if any(slide(before, each) == got for each in others) else []
    turned = [wanted, wanted[::-1]]
    for _ in range(3):
        turned += map(rotate, turned[-2:])
    if got in turned:
        return [*shared, *other, "turned-or-mirrored"]
    if [len(row) for row in got] != [len(row) for row in wanted]:
        filled_up = [
            row + [0] * (len(right) - len(row)) for row, right in zip(got, wanted, strict=False)
        ]
        zeros = ["zeros-missing"] if filled_up == wanted and len(got) == len(wanted) else []
        return [*shared, *zeros, "other-shape"]
    unchanged = ["stays-as-it-was"] if got == before else []
    of_lanes = _of_lanes(before, direction, wanted, got) if direction is not None else []
    if not of_lanes:
        # Compare all tiles of the two boards, and not line by line.
        right, after = ([tile for row in board for tile in row if tile] for board in (wanted, got))
        found = of_numbers(right, after)
        of_lanes = ["other-places"] if found == ["order-changed"] else found
    return shared + other + of_lanes + unchanged


def _of_lanes(before: Board, direction: str, wanted: Board, got: Board) -> list[str]:
    """Return the ids of the hints that fit all wrong lines of a board.

    Return `[]` if the tiles of a line have a wrong sum.
    """
    is_across, is_turned = direction in ("left", "right"), direction in ("right", "down")
    lines = [[*each] if is_across else [*zip(*each, strict=True)] for each in (before, wanted, got)]
    steps = slice(None, None, -1 if is_turned else 1)
    lanes = [
        tuple([*line][steps] for line in lane)  # each from the wall that its tiles move to
        for lane in zip(*lines, strict=True)
    ]
    wrong = [lane for lane in lanes if lane[1] != lane[2]]
    if any(sum(right) != sum(after) for _, right, after in lanes):
        return []
    if len(wrong) < len(lanes) and all(given == after for given, _, after in wrong):
        return ["some-lines-only"]
    of_lines = [of_line(given, right, after) for given, right, after in wrong]
    found = [each for each in of_lines[0] if all(each in other for other in of_lines)]
    return [each for each in found if each != "stays-as-it-was"]


def of_line(given: Line, wanted: Line, got: Line) -> list[str]:
    """Return the ids of the hints for a wrong line of numbers."""
    before, right, after = ([tile for tile in line if tile] for line in (given, wanted, got))
    length, zeros = [], [0] * abs(len(got) - len(wanted))
    if len(got) < len(wanted):
        length = [*(["zeros-missing"] if got + zeros == wanted else []), "too-short"]
    elif len(got) > len(wanted):
        length = [*(["zeros-too-many"] if wanted + zeros == got else []), "too-long"]
    unchanged = ["stays-as-it-was"] if got == given else []
    if after == right:
        at_the_end = [0] * (len(got) - len(after)) + after
        places = [] if length else ["far-end"] if got == at_the_end else ["gap-left"]
        return length + places + unchanged
    groups = _groups(before, after)
    if groups is None:
        slips = of_numbers(right, after)
    elif any(len(chained(group)) > 1 for group in groups):
        slips = ["merged-no-pair"]
    elif any(len(group) > 2 for group in groups):
        slips = ["merged-again"]
    else:
        slips = ["other-pairs" if len(after) == len(right) else "merged-too-little"]
    return slips + length + unchanged


def of_numbers(right: Line, after: Line) -> list[str]:
    """Return the ids of the hints for wrong numbers on tiles, wherever the tiles stand."""
    missing, extra = Counter(right) - Counter(after), Counter(after) - Counter(right)
    if not missing and not extra:
        return ["order-changed"]
    sizes, own_sizes = sorted(map(abs, right)), sorted(map(abs, after))
    if sizes == own_sizes:
        return ["owner-changed"]
    if sum(sizes) == sum(own_sizes):
        return ["merged-otherwise"]
    total = "sum-smaller" if sum(own_sizes) < sum(sizes) else "sum-larger"
    if not after:
        return ["no-tiles", total]
    if not extra:
        return ["tile-lost", total]
    if not missing:
        return ["tile-doubled" if set(extra) <= set(right) else "tile-made-up", total]
    return [total]


def _groups(before: Line, after: Line) -> list[Line] | None:
    """Return for each tile in `after` the next tiles of `before`, in order, that add up to it.

    Return `None` if a tile in `after` is no such sum, or if a tile in `before` is left over.

    >>> _groups([2, 2, 4, 8], [4, 12]), _groups([2, 4], [4, 2])
    ([[2, 2], [4, 8]], None)
    """
    rest, groups = list(before), []
    for tile in after:
        group: Line = []
        while rest and sum(group) < tile:
            group.append(rest.pop(0))
        groups.append(group)
    return groups if not rest and list(map(sum, groups)) == after else None


def of_squares(wanted: list[Square], got: list[Square]) -> list[str]:
    """Return the ids of the hints for a wrong list of squares."""
    if not all(_is_square(square) for square in got):
        if any(type(part) is list for square in got for part in square):
            return ["row-for-number", "other-items"]
        are_long = any(len(square) > 2 for square in got)
        return ["tuples-joined", "other-items"] if are_long else ["other-items"]
    if any(-1 in square for square in got) and not any(-1 in square for square in wanted):
        numbers = list(zip(chain(*got), chain(*wanted), strict=False))
        ends = {b for a, b in numbers if a == -1}
        if len(got) == len(wanted) and len(ends) == 1 and all(a in (b, -1) for a, b in numbers):
            return ["negative-index", "squares-shifted"]
    right, found = set(wanted), set(got)
    if found == right:
        return ["square-twice"] if len(got) > len(found) else ["squares-in-another-order"]
    if {square[::-1] for square in found} == right and got:
        return ["row-and-column-swapped"]
    if len(got) > len(found) and found and found < right:
        return ["squares-repeat"]
    if found < right:
        count = ["squares-missing"] if found else ["no-squares", "squares-missing"]
    else:
        count = ["squares-too-many"] if found > right else ["other-squares"]
    pairs = zip(wanted, got, strict=False)
    steps = {(one[0] - other[0], one[1] - other[1]) for one, other in pairs}
    is_shifted = len(wanted) == len(got) > 0 and len(steps) == 1
    return [*count, "squares-shifted"] if is_shifted else count


def of_square(given: tuple[Any, ...], wanted: Square, got: Square) -> list[str]:
    """Return the ids of the hints for a wrong tuple; `given` may be a board and a start square."""
    if len(got) != len(wanted):
        return ["other-length"]
    if any(type(item) is str for item in got):
        return ["square-of-text"]
    if got[::-1] == wanted and _is_square(got):
        return ["row-and-column-swapped"]
    if not _is_square(got) or not _is_square(wanted):
        return ["other-square"]
    if len(given) > 1 and is_board(given[0]):
        board, start = given[:2]
        if not (0 <= got[0] < len(board) and 0 <= got[1] < len(board[0])):
            return ["leaves-the-board"]
        return ["step-not-made" if got == start else "other-step"]
    is_counted = not (given and isinstance(given[0], list))  # not one of a list of squares
    is_near = is_counted and {abs(got[0] - wanted[0]), abs(got[1] - wanted[1])} in ({1}, {0, 1})
    return ["squares-shifted" if is_near else "other-square"]


def _is_square(value: Any) -> bool:
    return type(value) is tuple and len(value) == 2 and all(type(item) is int for item in value)
