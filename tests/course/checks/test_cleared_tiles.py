"""Checks of a second chance: the risk of failing a right one is computed; wrong ones are tried."""

from collections.abc import Callable
from copy import copy
from random import Random
from typing import Any

import pytest

from course import rules
from course.checks import CheckFailed, cleared_tiles
from course.checks.cleared_tiles import check_cleared, check_clears_by_rng
from tests.course.checks.test_statistical_checks import chance_outside, counts_of

BOARD = [[512, 2, 4, 8], [2, 4, 8, 1024], [4, 8, 512, 32], [8, 16, 32, 256]]
SMALL = [(row, column) for row in range(4) for column in range(4) if BOARD[row][column] <= 128]
BOARDS = 2  # boards that lesson 7 checks
PROMISED = 9.2e-10  # the highest risk that a right submission fails

Draw = Callable[[Random], list[Any]]


def clearing_what(draw: Draw) -> Callable[..., Any]:
    """Return a `second_chance` that clears the squares which `draw(rng)` returns."""

    def second_chance(board, score, rng):
        cleared = [squares[:] for squares in board]
        for row, column in draw(rng):
            cleared[row][column] = 0
        return cleared, score - 2048

    return second_chance


def test_all_counts_of_a_submission_together_keep_the_promise(monkeypatch):
    counted = counts_of(monkeypatch, cleared_tiles)
    check_cleared(rules.second_chance, BOARD)
    assert len(counted) == 23
    assert BOARDS * sum(chance_outside(*count) for count in counted) < PROMISED


ALIKE: dict[str, Draw] = {
    "one": lambda rng: rng.sample(SMALL, 1),
    "five": lambda rng: rng.sample(SMALL, 5),
    "all": lambda rng: SMALL,
    "six, one of them perhaps twice": lambda rng: rng.choices(SMALL, k=6),
    "as many as a die shows": lambda rng: rng.sample(SMALL, rng.randint(1, 6)),
}


@pytest.mark.parametrize("draw", ALIKE.values(), ids=ALIKE)
def test_how_many_tiles_are_cleared_is_another_idea(draw):
    for seed in range(1, 6):
        check_cleared(clearing_what(draw), BOARD, seed)


def six_in_a_row(rng: Random) -> list[Any]:
    start = rng.randrange(12)
    return [*SMALL, *SMALL][start : start + 6]


UNALIKE: dict[str, Draw] = {
    "the first, and five by chance": lambda rng: [SMALL[0], *rng.sample(SMALL[1:], 5)],
    "never the last": lambda rng: rng.sample(SMALL[:-1], 6),
    "always the first five": lambda rng: SMALL[:5],
    "six in a row": six_in_a_row,
}


@pytest.mark.parametrize("draw", UNALIKE.values(), ids=UNALIKE)
def test_tiles_that_are_not_alike_are_told(draw):
    for seed in range(1, 6):
        with pytest.raises(CheckFailed, match=r"300 second chances clear the \d+ in row \d"):
            check_cleared(clearing_what(draw), BOARD, seed)


def test_chance_from_elsewhere_and_from_a_copy_of_rng_is_told():
    own = Random(1)
    with pytest.raises(CheckFailed, match="two equal calls"):
        check_clears_by_rng(clearing_what(lambda rng: own.sample(SMALL, 6)), BOARD)
    with pytest.raises(CheckFailed, match="not from a copy of it"):
        check_clears_by_rng(clearing_what(lambda rng: copy(rng).sample(SMALL, 6)), BOARD)
