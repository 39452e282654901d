"""Wrong programs with random numbers of their own lose the same checks, whatever they draw.

Two equal draws are rare, so a check that depends on them would show only in hundreds of gradings.
Here they are common: with a probability of 1 in 4, each `Random()` that a program makes has the
same seed as the one before.
"""

import random
from random import Random

import pytest

from course.lessons import cell_of
from tests.lessons.measure_flaky_grades import (
    OTHER_CHANCE,
    Program,
    drawing,
    programs,
    seeds_of_new_randoms,
)
from tests.lessons.running import lost_checks
from tests.parametrize_marks import some_in_every_run

SEEDS = range(4, 8)  # with two of these, a check that compares only one pair of boards is passed


def drawn_elsewhere() -> list[object]:
    """Return, as cases for pytest, wrong programs that draw random numbers not only from `rng`."""
    found = {
        f"{program.lesson}-{program.title}": program
        for lesson_id in ("3-spawn", "6-the-whole-game", "7-special-rules")
        for program in programs(lesson_id)
        if OTHER_CHANCE.search(program.text)
        or ("Random()" in program.text and "rng is" not in program.text and not program.is_right)
    }
    return some_in_every_run(found, ["6-the-whole-game-a reset makes chance of its own"])


@pytest.mark.parametrize("program", drawn_elsewhere())
def test_no_equal_draw_decides_which_checks_are_lost(program: Program):
    replaced, checks = {cell_of(program.exercise): program.text}, drawing(program)
    assert checks
    lost = []
    for seed in SEEDS:
        chance, last = Random(seed), [0]

        def often_the_last(_: object, chance: Random = chance, last: list[int] = last) -> int:
            last[0] = chance.getrandbits(64) if chance.random() < 3 / 4 else last[0]
            return last[0]

        random.seed(seed)
        with seeds_of_new_randoms(often_the_last):
            lost.append(lost_checks(program.lesson, replaced, only=checks))
    assert lost == lost[:1] * len(SEEDS)
