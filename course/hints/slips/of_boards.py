"""Slips (ids of general hints) of wrong lines, boards and squares.

In these functions, `given` is what the function under test was passed, `wanted` is the right
answer, and `got` the function's answer. `before`, `right` and `after` are the boards or lines in
`given`, `wanted` and `got`, or only their tiles.
"""

from collections import Counter
from itertools import chain
from typing import Any

from course.cases.lines import chained
from course.rules.board import DIRECTIONS, rotate, slide
from course.rules.shape import is_board

Board = list[list[int]]
Square = tuple[Any, ...]
Tiles = list[int]


def of_board(given: tuple[Any, ...], wanted: Board, got: Board) -> list[str]:
    """Return the slips of a wrong board; `given` are a board, and perhaps a direction to slide."""
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
        # What all tiles of the board show together, and not line by line.
        right, after = ([tile for row in board for tile in row if tile] for board in (wanted, got))
        found = of_numbers(right, after)
        of_lanes = ["other-places"] if found == ["order-changed"] else found
    return shared + other + of_lanes + unchanged


def _of_lanes(before: Board, direction: str, wanted: Board, got: Board) -> list[str]:
    """Return the slips that all wrong lines of a board share; none if the sum of one is wrong."""
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


def of_line(given: Tiles, wanted: Tiles, got: Tiles) -> list[str]:
    """Return the slips of a line of numbers that is not the right one."""
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


def of_numbers(right: Tiles, after: Tiles) -> list[str]:
    """Return the slips that the numbers on tiles show, whatever their order and squares are."""
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


def _groups(before: Tiles, after: Tiles) -> list[Tiles] | None:
    """Return, for each tile in `after`, the neighbours in `before` that add up to it, in order.

    Return `None` if a tile in `after` is no such sum, or one in `before` is left over.

    >>> _groups([2, 2, 4, 8], [4, 12]), _groups([2, 4], [4, 2])
    ([[2, 2], [4, 8]], None)
    """
    rest, groups = list(before), []
    for tile in after:
        group: Tiles = []
        while rest and sum(group) < tile:
            group.append(rest.pop(0))
        groups.append(group)
    return groups if not rest and list(map(sum, groups)) == after else None


def of_squares(wanted: list[Square], got: list[Square]) -> list[str]:
    """Return the slips of a list of squares that is not the right one."""
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
    """Return the slips of a wrong tuple; `given` are perhaps a board, and a square to start at."""
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
    is_counted = not (given and isinstance(given[0], list))  # and not taken from a list of squares
    is_near = is_counted and {abs(got[0] - wanted[0]), abs(got[1] - wanted[1])} in ({1}, {0, 1})
    return ["squares-shifted" if is_near else "other-square"]


def _is_square(value: Any) -> bool:
    return type(value) is tuple and len(value) == 2 and all(type(item) is int for item in value)
