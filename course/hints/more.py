"""More calls besides the probes: what is seen of them is compared as a whole, by one digest."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from course.cases import SQUARES, each_direction, every_line, random_boards, random_lines
from course.hints.digest import SHORT, digest
from course.hints.observe import ANSWERS, OBSERVERS, call_of, watched, without_changes
from course.rules.board import DIRECTIONS, Board

LARGE = 1024  # boards with such a tile or a larger one are about winning


def more_seen(function: Callable[..., Any], observer: str, probes: list[str]) -> str:
    """Return one digest of what a function shows on more calls; it is empty if there are none.

    Two programs that agree on all probes and in this digest have the same mistake. Whether
    arguments are changed does not count. Raises `NoAnswer` if the function does not come back.
    """
    if observer not in ANSWERS:
        return ""
    name = call_of(probes[0])[0]
    with watched(function):
        seen = OBSERVERS[observer](function, [(name, given) for given in more_like(probes)])
    facts = list(map(without_changes, seen))
    return digest(facts)[:SHORT] if facts else ""


def more_like(probes: list[str]) -> list[tuple[Any, ...]]:
    """Return the arguments of more calls: all allowed, and of the same kinds as the first probe's.

    The list is empty for probes of other kinds, and for duels.
    """
    if any(map(_has_owners, probes)):
        return []
    first = call_of(probes[0])[1]
    chance = Random(1)
    if isinstance(first[0], int):
        return [(number, other) for number in range(12) for other in range(26)]
    if isinstance(first[0], str):
        return [(f"{letter}{number}",) for letter in "ABCEHLQYZ" for number in range(1, 13)]
    if len(first) == 1 and isinstance(first[0][0], int):
        longer = [line for length in (4, 5, 6) for line in random_lines(chance, 20, length)]
        return [(line,) for line in every_line(3, (0, 2, 4)) + longer]
    if len(first) > 3 or not isinstance(first[0], list):
        return []
    boards = [
        board
        for height, width in ((2, 3), (3, 3), (4, 2))
        for board in random_boards(chance, 8, height, width, _squares(probes))
    ]
    if len(first) == 1:
        return [(board,) for board in boards]
    if len(first) == 2 and isinstance(first[1], int) and _squares(probes) != SQUARES:
        scores = [call_of(probe)[1][1] for probe in probes]
        return [(board, chance.choice(scores)) for board in boards]
    if len(first) == 2 and isinstance(first[1], str):
        return list(each_direction(boards)) if first[1] in DIRECTIONS else []
    return list(_walks(first, boards[::6]))


def _has_owners(probe: str) -> bool:
    """Return true if a probe is about a duel: the tiles of the second player are negative."""
    given = call_of(probe)[1][0]
    return isinstance(given, list) and "-" in repr(given)


def _walks(first: tuple[Any, ...], boards: list[Board]) -> Iterator[tuple[Any, ...]]:
    """Yield arguments like those of the first probe for each row, column or square of boards."""
    for board in boards:
        rows, columns = range(len(board)), range(len(board[0]))
        squares = [(row, column) for row in rows for column in columns]
        if len(first) == 2:
            yield from ((board, row) for row in rows)
            yield from ((board, None, column) for column in columns)
        elif isinstance(first[1], int):
            yield from ((board, *square) for square in squares)
        elif isinstance(first[1], tuple):
            yield from ((board, square, way) for square in squares for way in DIRECTIONS)


def _squares(probes: list[str]) -> tuple[int, ...]:
    """Return the values that the boards of more calls are made of.

    They are those of the probes' boards if a tile there is `LARGE` or more, and else `SQUARES`.
    """
    boards = [call_of(probe)[1][0] for probe in probes]
    tiles = sorted({tile for board in boards for row in board for tile in row})
    return tuple(tiles) if tiles[-1] >= LARGE else SQUARES
