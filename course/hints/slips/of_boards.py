"""Slips of boards: what happened to the tiles."""

from collections.abc import Iterator
from typing import Any

from course.hints.slips.of_lines import of_line, of_numbers
from course.rules.board import DIRECTIONS, slide

Board = list[list[int]]


def of_board(given: tuple[Any, ...], wanted: Board, got: Board) -> list[str]:
    """Return the slips of a list of lists that is not the right board.

    `given` are the arguments: a board, and perhaps the direction in which it slides.
    """
    if not all(type(number) is int for row in got for number in row):
        return ["other-items"]
    before = given[0]
    direction = given[1] if len(given) > 1 and given[1] in DIRECTIONS else None
    shared = ["shared-rows"] if _shares_rows(got) else []
    if got in _turned(wanted):
        return [*shared, *_other_direction(before, direction, got), "turned-or-mirrored"]
    if [len(row) for row in got] != [len(row) for row in wanted]:
        return shared + _of_shape(wanted, got)
    unchanged = ["stays-as-it-was"] if got == before else []
    other = _other_direction(before, direction, got)
    if direction is None:
        return shared + _of_places(wanted, got) + unchanged
    return shared + other + _of_lanes(before, direction, wanted, got) + unchanged


def _shares_rows(board: Board) -> bool:
    return len({id(row) for row in board if row}) < len([row for row in board if row])


def _turned(board: Board) -> Iterator[Board]:
    """Yield the board turned and mirrored in all ways that make another board of it."""
    for start in (board, board[::-1]):
        turned = start
        for _ in range(4):
            if turned != board:
                yield turned
            turned = [list(row) for row in zip(*turned[::-1], strict=True)]


def _of_shape(wanted: Board, got: Board) -> list[str]:
    widths = [len(row) for row in wanted]
    if len(got) == len(wanted) and all(
        row + [0] * (width - len(row)) == right
        for row, right, width in zip(got, wanted, widths, strict=True)
    ):
        return ["zeros-missing", "other-shape"]
    return ["other-shape"]


def _of_places(wanted: Board, got: Board) -> list[str]:
    """Return the slips of a board if it is not known which line each tile belongs to."""
    right, after = ([tile for row in board for tile in row if tile] for board in (wanted, got))
    found = of_numbers(right, after)
    return ["other-places"] if found == ["order-changed"] else found


def _other_direction(before: Board, direction: str | None, got: Board) -> list[str]:
    others = [other for other in DIRECTIONS if direction is not None and other != direction]
    return ["other-direction"] if any(slide(before, other) == got for other in others) else []


def _of_lanes(before: Board, direction: str, wanted: Board, got: Board) -> list[str]:
    """Return the slips that all wrong lines share.

    If a line has a wrong sum, or the wrong lines share no slip, return the slips of the board.
    """
    lanes = list(zip(*(_lanes(board, direction) for board in (before, wanted, got)), strict=True))
    wrong = [lane for lane in lanes if lane[1] != lane[2]]
    if any(sum(right) != sum(after) for _, right, after in lanes):
        return _of_places(wanted, got)
    if len(wrong) < len(lanes) and all(given == after for given, _, after in wrong):
        return ["some-lines-only"]
    of_lines = [of_line(given, right, after) for given, right, after in wrong]
    found = [each for each in of_lines[0] if all(each in other for other in of_lines)]
    return [each for each in found if each != "stays-as-it-was"] or _of_places(wanted, got)


def _lanes(board: Board, direction: str) -> Board:
    """Return the lines of a board along a direction, each from the wall that tiles move to."""
    is_across = direction in ("left", "right")
    lanes = board if is_across else [list(column) for column in zip(*board, strict=True)]
    return [lane if direction in ("left", "up") else lane[::-1] for lane in lanes]
