"""Checks of chance: they count many new tiles, and compare the counts with bounds.

A right program fails with a probability below 1 in 20,000. A program that takes some square or tile
too often or too seldom passes with a probability below 10⁻⁹. `README.md` says why. Some checks are
exact: that the answer depends on `rng` alone, that a call uses up what it draws from `rng`, and
that `p_four` is 0.1 if it is not given. All checks raise `CheckFailed`.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import accumulate, chain, combinations
from math import exp, lgamma, log
from random import Random
from typing import Any

from course.answer_comparison import same, wrong_kind
from course.cases.case_cache import made_once
from course.cases.rng_objects import calls_after, is_drawn_again, random_near
from course.checks.check import check
from course.function_calls import Seeded, Tested
from course.plain_errors import plainly
from course.rules.board import Board, Square, is_board
from course.rules.spawn import empty_cells

RISK = 1e-8  # the probability that a right program's count is beyond one bound is below this
FOURS = 250  # new tiles, enough to tell one 4 in ten from none and from one in two
SQUARES = 500  # calls, enough to tell whether each row of three gets its share
PAIRS = 40  # calls made twice: a coin toss without `rng` passes with a probability below 10⁻¹¹
BESIDE = (0.09, 0.04, 0.02, 0.01, 0.005, 0.002)  # distances of drawn numbers from 0.1 and 0.9

TWO_ANSWERS = (
    "two equal calls, each with a new Random(1), give two answers. Take all chance from rng: then "
    "the same seed always gives the same"
)
DRAWN_AGAIN = (
    "two calls in a row with one rng always give the same. Take all chance from this rng itself, "
    "not from a copy of it: then the next call draws anew"
)


@plainly
def check_fours(
    function: Tested,
    *arguments: Any,
    p_four: float | None = None,
    times: int = FOURS,
    seed: int = 1,
) -> None:
    """Check that `p_four` is the share of 4s among all 2s and 4s that many calls spawn.

    Each call gets `arguments`, which hold no 2 and no 4, then a `Random` of its own. If `p_four` is
    given, the call gets it, too; if not, the share must be a tenth. If a call spawns two tiles,
    their values must be drawn independently: pairs of a 2 and a 4 are counted, too.

    >>> from course.rules import spawn
    >>> check_fours(spawn, [[0, 0], [0, 8]])
    >>> check_fours(spawn, [[0, 0], [0, 8]], p_four=1, times=20)
    """
    chance = () if p_four is None else (p_four,)
    share = 0.1 if p_four is None else p_four
    calls = [(*arguments, rng, *chance) for rng in randoms(times, seed)]
    new = [Counter(chain.from_iterable(board)) for board in _boards(function, calls)]
    fours, total = (sum(tiles[4] for tiles in new), sum(tiles[2] + tiles[4] for tiles in new))
    check.that(total >= times // 4, f"{times} calls spawn only {total} 2s and 4s", of=function)
    asked = "" if p_four is None else f"with p_four={p_four}, "
    said = _out_of_bounds(fours, total, share)
    check.that(not said, f"{asked}of {total} new tiles {fours} are 4s, where {said} be", function)
    pairs = [tiles for tiles in new if tiles[2] + tiles[4] == 2]
    mixed = sum(tiles[4] == 1 for tiles in pairs)
    said = _out_of_bounds(mixed, len(pairs), 2 * share * (1 - share))
    sentence = f"{asked}of {len(pairs)} pairs of new tiles {mixed} are a 2 and a 4, where {said} be"
    check.that(not said, sentence, of=function)


@plainly
def check_one_in_ten(function: Tested, *arguments: Any) -> None:
    """Check that a function that is called without `p_four` does the same as with `p_four=0.1`.

    Both calls get equal `Random`s, which draw numbers just below and just above 0.1 and 0.9: if the
    default is not 0.1, some answers differ. If two equal calls with `p_four=0.5` give different
    answers, this check passes, because `check_only_rng` finds that mistake.

    >>> from course.rules import spawn
    >>> check_one_in_ten(spawn, [[0]])
    """
    shares = [at + side * by for at in (0.1, 0.9) for by in BESIDE for side in (-1, 1)]
    asked: list[tuple[float, ...]] = [(), (0.1,), (0.5,), (0.5,)]
    calls = [(*arguments, random_near(share), *p_four) for share in shares for p_four in asked]
    boards = _boards(function, calls)
    answers = [boards[start : start + len(asked)] for start in range(0, len(boards), len(asked))]
    if all(same(*halves) for _, _, *halves in answers):
        for once, told, *_ in answers:
            sentence = "without p_four, a call should give the same as with p_four=0.1"
            boards_of = f"\n  with p_four=0.1  {told!r}\n  without p_four   {once!r}"
            check.that(same(once, told), sentence + boards_of, of=function)


@plainly
def check_squares(
    function: Tested,
    *arguments: Any,
    before: Board | None = None,
    times: int = SQUARES,
    seed: int = 1,
) -> None:
    """Check that each empty square, row and column gets its share of many new tiles.

    Each must get its share of all tiles, of the 2s, and of the 4s. Each call gets `arguments`, then
    a `Random` of its own, then 0.5 for `p_four`. `before` is the board without the new tiles; if it
    is not given, it is the first of the arguments. If a call spawns two tiles, all pairs of squares
    must be equally likely.

    >>> from course.rules import new_board, spawn
    >>> check_squares(spawn, [[0, 0], [0, 8]])
    >>> check_squares(new_board, 2, 2, before=[[0, 0], [0, 0]])
    """
    shown = arguments[0] if before is None else before
    empty = empty_cells(shown)
    calls = [(*arguments, rng, 0.5) for rng in randoms(times, seed)]
    new = [_new_tiles(board, empty) for board in _boards(function, calls)]
    total = sum(map(len, new))
    check.that(total >= times // 4, f"{times} calls spawn only {total} tiles", of=function)
    for value, kind in ((0, "new tile"), (2, "new 2"), (4, "new 4")):
        places = [tuple(cell for cell in tiles if value in (0, tiles[cell])) for tiles in new]
        for size in (1, 2):
            found = [cells for cells in places if len(cells) == size]
            what = f"{kind}s" if size == 1 else f"pairs of {kind}s"
            for where, count, said in wrong_places(found, empty, size):
                sentence = f"{count} of {len(found)} {what} come to {where}, where {said}"
                check.that(False, f"{sentence}\n  board     {shown!r}", of=function)


@plainly
def check_only_rng(function: Tested, *arguments: Any, pairs: int = PAIRS, seed: int = 1) -> None:
    """Check that all chance comes from `rng`: calls with equal generators give equal answers.

    Each call gets `arguments`, then a `Random`, then 0.5 for `p_four`. All calls are made twice, in
    another order the second time, so that a function that counts its calls fails, too. A call must
    also use up what it draws: the next call with the same `Random` has to draw anew. A function
    that never draws passes, since another check looks for that.

    >>> from course.rules import spawn
    >>> check_only_rng(spawn, [[0, 0], [0, 8]])
    """
    calls = [(*arguments, rng, 0.5) for rng in randoms(pairs, seed)]
    hold_to_rng(function, calls, _boards, Random(seed).sample(range(pairs), pairs))


def hold_to_rng(
    function: Tested,
    calls: list[tuple[Any, ...]],
    boards_of: Callable[[Callable[..., Any], list[tuple[Any, ...]]], list[Board]],
    order: Sequence[int],
) -> None:
    """Raise `CheckFailed` if equal calls give different boards, or if a call does not use `rng` up.

    A call uses `rng` up if a later call with the same `rng` draws new numbers. `boards_of` makes
    calls and returns their boards. `order` holds the indices of the calls in the order in which
    they are made the second time.
    """
    boards = boards_of(function, [*calls, *(calls[index] for index in order)])
    for index, later in zip(order, boards[len(calls) :], strict=True):
        once = boards[index]
        said = f"{TWO_ANSWERS}\n  first     {once!r}\n  second    {later!r}"
        check.that(same(once, later), said, of=function)
    following = boards_of(function, calls_after(function, calls))
    check.that(not is_drawn_again(boards[: len(calls)], following), DRAWN_AGAIN, of=function)


@cache
@made_once
def bounds(total: int, share: float, risk: float = RISK) -> tuple[int, int]:
    """Return the least and the greatest count that chance allows, if `total` events may happen.

    Each event has the probability `share`. The probability of a count below the least is smaller
    than `risk`, and so is that of a count above the greatest.

    >>> bounds(500, 0.1), bounds(20, 0), bounds(20, 1)
    ((17, 91), (0, 0), (20, 20))
    """

    def first(counts: range) -> int:
        """Add up the probabilities of `counts`; return the count at which they reach `risk`."""
        added = accumulate(chance_of(count, total, share) for count in counts)
        return next(count for count, risked in zip(counts, added, strict=True) if risked >= risk)

    return first(range(total + 1)), first(range(total, -1, -1))


def chance_of(count: int, total: int, share: float) -> float:
    """Return the probability that `count` of `total` events happen, if that of each is `share`."""
    if share in (0, 1):
        return float(count == total * share)
    ways = lgamma(total + 1) - lgamma(count + 1) - lgamma(total - count + 1)
    return exp(ways + count * log(share) + (total - count) * log(1 - share))


def randoms(count: int, seed: int) -> list[Seeded]:
    """Return `count` placeholders for a `Random`, each with a seed of its own."""
    return [Seeded(seed * 1_000_003 + index) for index in range(count)]


def _boards(function: Tested, calls: list[tuple[Any, ...]]) -> list[Board]:
    """Return the answers to many calls; raise `CheckFailed` if an answer is no board."""
    boards: list[Board] = []

    def note(answer: Any, *_: Any) -> str | None:
        boards.append(answer)
        if is_board(answer):
            return None
        return wrong_kind(answer, []) or "this is not a board, a list of rows"

    check.many(function, calls, obeys=note)
    return boards


def _new_tiles(board: Board, empty: list[Square]) -> dict[Square, int]:
    """Return a dictionary from the squares in `empty` that have a tile on `board` to the tiles."""
    there = [(row, column) for row, column in empty if len(board) > row and len(board[0]) > column]
    return {(row, column): board[row][column] for row, column in there if board[row][column]}


def wrong_places(
    found: Sequence[tuple[Square, ...]], empty: list[Square], size: int
) -> Iterator[tuple[str, int, str]]:
    """Yield (name, number of new tiles, text on the right number) for each place that is wrong.

    A place is a square, a row, a column, or a pair such as two rows; it is wrong if it gets too
    many or too few new tiles. `empty` holds all squares to which new tiles may come. `found` has a
    tuple for each call: the squares of its new tiles, which are one or two (`size`).
    """
    ways = list(combinations(empty, size))
    possible = Counter(name for cells in ways for name in _names(cells))
    came = Counter(name for cells in found for name in _names(cells))
    for name, count in possible.items():
        said = _out_of_bounds(came[name], len(found), count / len(ways))
        if said:
            yield name, came[name], said


@cache
def _names(cells: tuple[Square, ...]) -> tuple[str, ...]:
    """Return the names of the places (see `wrong_places`) to which one or two squares belong.

    >>> _names(((0, 1), (2, 0)))
    ('row 0, column 1', 'row 2, column 0', 'row 0 and 2', 'column 0 and 1', '(0, 1) and (2, 0)')
    """
    each = [f"row {row}, column {column}" for row, column in cells]
    rows = f"row {' and '.join(str(row) for row, _ in cells)}"
    columns = f"column {' and '.join(sorted(str(column) for _, column in cells))}"
    return *each, rows, columns, *([" and ".join(map(str, cells))] if len(cells) > 1 else [])


def _out_of_bounds(count: int, total: int, share: float) -> str:
    """Return `""` if chance allows `count` of `total` events, else a text on what it allows."""
    low, high = bounds(total, share)
    if low <= count <= high:
        return ""
    return f"{f'{low} to {high}' if low < high else f'all {high}' if high else 'none'} should"
