"""Chance under test: many new tiles are counted, and the counts held against bounds.

What a right program does by chance has a binomial distribution: each of `total` new tiles is a 4
(or comes to a certain square) with the same probability `share`, independently of the others.
`bounds` cuts off as much of either end of that distribution as has a probability below `RISK`,
added up exactly, term by term. The seeds are fixed, so a program always gets the same verdict; but
each right program draws in its own way, so to each of them the seeds are as good as random.

Never unfair: lesson 3 holds 30 counts against two bounds each. So the probability that a right
program fails, whatever its style, is below 60 × `RISK`, which is below 10⁻⁹.

Always caught: a mistake that changes a share has a binomial distribution too, and nearly all of it
lies out of bounds. For every such mistake that is known (half and half, only 2s, the row or the
column drawn first, the last square never, some square every second time) the probability that its
counts lie within bounds is below 10⁻⁹. `tests/course/test_statistics.py` adds that up as well.
"""

from collections import Counter
from collections.abc import Callable
from functools import cache
from math import comb, exp, log
from random import Random
from typing import Any

from course.answers import same
from course.checks.check import check
from course.plainly import plainly
from course.rules.board import Board
from course.rules.shape import is_board
from course.rules.spawn import empty_cells

RISK = 1e-11

FOURS = 250  # new tiles, enough to tell one 4 in ten from none and from one in two
SQUARES = 250  # new tiles, enough to tell whether each of eight or nine squares gets its share
PAIRS = 40  # calls made twice, enough that one coin tossed elsewhere shows


@plainly
def check_fours(
    function: Callable[..., Any],
    *arguments: Any,
    p_four: float | None = None,
    times: int = FOURS,
    seed: int = 1,
) -> None:
    """Of the new tiles that many calls spawn, as many are 4s as `p_four` says, and the others 2s.

    Each call gets `arguments`, which hold no 2 and no 4, then a `Random` of its own, then `p_four`,
    if it is given; without it, a tenth should be 4s. Where `p_four` is 0 or 1, the check is exact.
    Raises `CheckFailed`.

    >>> from course.rules import spawn
    >>> check_fours(spawn, [[0, 0], [0, 8]])
    >>> check_fours(spawn, [[0, 0], [0, 8]], p_four=1, times=20)
    """
    chance = () if p_four is None else (p_four,)
    calls = [(*arguments, rng, *chance) for rng in _randoms(times, seed)]
    tiles = Counter(tile for board in _boards(function, calls) for row in board for tile in row)
    fours, total = tiles[4], tiles[2] + tiles[4]
    check.that(total >= times // 4, f"{times} calls spawn only {total} 2s and 4s", of=function)
    low, high = bounds(total, 0.1 if p_four is None else p_four)
    asked = "" if p_four is None else f"with p_four={p_four}, "
    sentence = f"{asked}of {total} new tiles {fours} are 4s, where {_span(low, high)} should be"
    check.that(low <= fours <= high, sentence, of=function)


@plainly
def check_squares(
    spawn: Callable[..., Any], board: Board, times: int = SQUARES, seed: int = 1
) -> None:
    """Of many new tiles, each empty square of the board gets its share: all are equally likely.

    Raises `CheckFailed`.

    >>> from course.rules import spawn
    >>> check_squares(spawn, [[0, 0], [0, 8]])
    """
    calls = [(board, rng) for rng in _randoms(times, seed)]
    empty = empty_cells(board)
    places = Counter(
        cell for after in _boards(spawn, calls) for cell in empty if after[cell[0]][cell[1]]
    )
    total = places.total()
    check.that(total >= times // 4, f"{times} calls spawn only {total} tiles", of=spawn)
    low, high = bounds(total, 1 / len(empty))
    for row, column in empty:
        sentence = (
            f"on the board {board}, of {total} new tiles {places[row, column]} come to row {row}, "
            f"column {column}, where {_span(low, high)} should"
        )
        check.that(low <= places[row, column] <= high, sentence, of=spawn)


@plainly
def check_only_rng(
    function: Callable[..., Any], *arguments: Any, pairs: int = PAIRS, seed: int = 1
) -> None:
    """All chance comes from `rng`: the same call with the same `Random` gives the same answer.

    Each call gets `arguments`, then a `Random`, then 0.5 for `p_four`. Raises `CheckFailed`.

    >>> from course.rules import spawn
    >>> check_only_rng(spawn, [[0, 0], [0, 8]])
    """
    once, again = _randoms(pairs, seed), _randoms(pairs, seed)
    calls = [(*arguments, rng, 0.5) for pair in zip(once, again, strict=True) for rng in pair]
    boards = _boards(function, calls)
    for first, second in zip(boards[::2], boards[1::2], strict=True):
        sentence = f"with rng = Random(1), one call gives {first}, the next, just so, {second}"
        check.that(same(first, second), sentence, of=function)


@cache
def bounds(total: int, share: float) -> tuple[int, int]:
    """The counts that chance allows: a binomial count is below or above them with less than `RISK`.

    Returns the least and the greatest count that is allowed.

    >>> bounds(500, 0.1), bounds(20, 0), bounds(20, 1)
    ((12, 100), (0, 0), (20, 20))
    """
    low, high = 0, total
    below = chance_of(low, total, share)
    while below < RISK:
        low += 1
        below += chance_of(low, total, share)
    above = chance_of(high, total, share)
    while above < RISK:
        high -= 1
        above += chance_of(high, total, share)
    return low, high


def chance_of(count: int, total: int, share: float) -> float:
    """The probability that just `count` of `total` come out, where each does with `share`.

    >>> round(chance_of(1, 2, 0.5), 12)
    0.5
    """
    if share in (0, 1):
        return float(count == total * share)
    return exp(log(comb(total, count)) + count * log(share) + (total - count) * log(1 - share))


def _randoms(count: int, seed: int) -> list[Random]:
    return [Random(seed * 1_000_003 + index) for index in range(count)]


def _boards(function: Callable[..., Any], calls: list[tuple[Any, ...]]) -> list[Board]:
    """The answers of many calls; `CheckFailed` if one of them is no board."""
    boards: list[Board] = []

    def note(answer: Any, *_: Any) -> str | None:
        boards.append(answer)
        return None if is_board(answer) else "this is not a board, a list of rows"

    check.many(function, calls, obeys=note)
    return boards


def _span(low: int, high: int) -> str:
    return f"{low} to {high}" if low < high else f"all {high}" if high else "none"
