"""Checks of a second chance: they count cleared tiles, and compare the counts with bounds.

The checks count how often each small tile (up to 128) is cleared, and how often it is cleared
together with the first small tile: such pairs show a program that always clears six neighbours. If
a program clears more or fewer than six tiles, which another check tests, the bounds fit its own
number. `README.md` says with what risk a right program fails.
"""

from collections import Counter
from typing import Any

from course.cases import is_like_before
from course.checks.chance import PAIRS, bounds, hold_to_rng, randoms
from course.checks.check import check
from course.function_calls import Tested
from course.plain_errors import plainly
from course.rules.board import Board, Square
from course.rules.special_game import CLEARED_TILES, LARGEST_CLEARED

RISK = 1e-11
TIMES = 300


@plainly
def check_cleared(second_chance: Tested, board: Board, seed: int = 1) -> None:
    """Check that all small tiles of a board, those up to 128, are equally likely to be cleared.

    The board must have at least seven small tiles. All pairs of the first small tile and another
    one must be equally likely, too.
    """
    small = {
        (row, column): f"the {tile} in row {row}, column {column}"
        for row, squares in enumerate(board)
        for column, tile in enumerate(squares)
        if 0 < tile <= LARGEST_CLEARED
    }
    assert len(small) > CLEARED_TILES
    first, *others = small
    counts: list[int] = []
    alone, together = Counter[Square](), Counter[Square]()
    for after in _boards(second_chance, _calls(board, TIMES, seed)):
        gone = [(row, column) for row, column in small if not after[row][column]]
        counts.append(len(gone))
        alone.update(gone)
        together.update(gone if first in gone else [])
    share = sum(counts) / (TIMES * len(small))
    pairs = len(small) * (len(small) - 1)
    pair = sum(count * (count - 1) for count in counts) / (TIMES * pairs)
    compared = [(small[square], alone[square], share) for square in small]
    compared += [(f"{small[first]} together with {small[s]}", together[s], pair) for s in others]
    for what, count, chance in compared:
        low, high = bounds(TIMES, chance, RISK)
        sentence = (
            f"{TIMES} second chances clear {what} {count} times, where {low} to {high} times would "
            f"be by chance\n  board     {board!r}"
        )
        check.that(low <= count <= high, sentence, of=second_chance)


@plainly
def check_clears_by_rng(second_chance: Tested, board: Board, seed: int = 1) -> None:
    """Check that all chance comes from `rng`, and that each call draws new numbers from it.

    >>> from course.rules import second_chance
    >>> check_clears_by_rng(second_chance, [[512, *(2, 4, 8, 16) * 3]])
    """
    hold_to_rng(second_chance, _calls(board, PAIRS, seed), _boards, range(PAIRS))


def _calls(board: Board, count: int, seed: int) -> list[tuple[Any, ...]]:
    return [(board, 3000, rng) for rng in randoms(count, seed)]


def _boards(second_chance: Tested, calls: list[tuple[Any, ...]]) -> list[Board]:
    """Return the boards of the answers (board, score) to many calls.

    Raise `CheckFailed` if an answer has another form, or a square is neither as it was nor empty.
    """
    boards: list[Board] = []

    def note(answer: Any, before: Board, *_: Any) -> str | None:
        if not is_like_before(before, answer):
            return "this is not (board, score), with each square as it was, or empty"
        boards.append(answer[0])
        return None

    check.many(second_chance, calls, obeys=note)
    return boards
