"""Chance under test: what is promised of the counts is added up here, and tried."""

import re
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import nbformat
import pytest

from autograder.misconceptions import catalogue
from autograder.records.release import ROOT
from course import rules
from course.answers import Answer
from course.checks import CheckFailed
from course.checks.chance import (
    FOURS,
    RISK,
    SQUARES,
    bounds,
    chance_of,
    check_fours,
    check_only_rng,
    check_squares,
)
from course.lessons import lesson

LESSON = lesson("3-spawn")
PROMISED = 1e-9
SEEDS = range(1, 201)
EXERCISES = ("spawn", "new_board", "take_turn")


def chance_within(total: int, share: float, limits: tuple[int, int]) -> float:
    """The probability that a count of a certain share lies within certain limits."""
    return sum(chance_of(count, total, share) for count in range(limits[0], limits[1] + 1))


@pytest.mark.parametrize(
    ("total", "share"),
    [(FOURS, 0.1), (300, 0.1), (FOURS, 0.5), (SQUARES, 1 / 9), (SQUARES, 1 / 8)],
)
def test_a_right_count_is_out_of_bounds_at_either_end_with_less_than_the_risk(total, share):
    low, high = bounds(total, share)
    assert sum(chance_of(count, total, share) for count in range(low)) < RISK
    assert sum(chance_of(count, total, share) for count in range(high + 1, total + 1)) < RISK


def test_all_counts_of_the_lesson_together_keep_the_promise():
    squares = 9 + 8 + 8
    shares_of_fours = len([line for line in lines("check_fours") if "p_four=0," not in line]) - 3
    assert 2 * RISK * (squares + shares_of_fours) < PROMISED


WRONG = {
    "half of them 4s": (FOURS, 0.5, bounds(FOURS, 0.1)),
    "half of them 4s, in a new board": (300, 0.5, bounds(300, 0.1)),
    "never a 4": (FOURS, 0, bounds(FOURS, 0.1)),
    "always a 4": (FOURS, 1, bounds(FOURS, 0.1)),
    "the row first: a square alone in its row": (SQUARES, 1 / 2, bounds(SQUARES, 1 / 8)),
    "never the last square": (SQUARES, 0, bounds(SQUARES, 1 / 9)),
    "a corner every second time": (SQUARES, 1 / 2, bounds(SQUARES, 1 / 9)),
}


@pytest.mark.parametrize(("total", "share", "limits"), WRONG.values(), ids=WRONG)
def test_a_wrong_count_is_within_bounds_with_less_than_the_promised_risk(total, share, limits):
    assert chance_within(total, share, limits) < PROMISED


def test_the_chances_of_all_counts_make_one():
    assert chance_within(FOURS, 0.1, (0, FOURS)) == pytest.approx(1)


# -- the test cells of the lesson, with other seeds ------------------------------------------------


def lines(start: str) -> list[str]:
    """The lines of the lesson's test cells that begin so."""
    path = ROOT / "source" / LESSON.id / LESSON.notebook
    cells = nbformat.read(path, as_version=4).cells
    return [
        line for cell in cells for line in cell.source.splitlines() if line.startswith(f"{start}(")
    ]


def statistics_of(exercise: str) -> list[str]:
    """What the lesson's test cells check of an exercise by statistics, without their own seeds."""
    found = [*lines("check_fours"), *lines("check_squares"), *lines("check_only_rng")]
    asked = [line for line in found if line.split("(")[1].startswith(f"{exercise},")]
    return [re.sub(r", seed=\d+", "", line) for line in asked]


class Quick:
    """A right function, asked many times without copying what it does not change anyway."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def call_many(self, calls: list[list[Any]]) -> list[Answer]:
        return [Answer(self.function(*call), None, tuple(call)) for call in calls]


def defined(exercise: str, program: str) -> Callable[..., Any]:
    """The function that a program of the catalogue defines, given what stands before it."""
    namespace: dict[str, Any] = {name: getattr(rules, name) for name in rules.__all__}
    exec(program, namespace)  # noqa: S102 — our own programs
    return namespace[exercise]


STYLES = [
    *[pytest.param(name, getattr(rules, name), id=f"{name}-reference") for name in EXERCISES],
    *[
        pytest.param(found.exercise, defined(found.exercise, found.program), id=found.title)
        for found in catalogue(LESSON.id).right
        if found.exercise in EXERCISES
    ],
]


@pytest.mark.slow
@pytest.mark.parametrize(("exercise", "function"), STYLES)
def test_a_right_program_passes_with_two_hundred_seeds(exercise, function):
    checks = statistics_of(exercise)
    assert len(checks) >= 4
    for seed in SEEDS:
        names: dict[str, Any] = {
            exercise: Quick(function),
            "wide": [[2, 4, 8, 16, 2, 4, 8, 0], [0] * 8],
            "check_fours": partial(check_fours, seed=seed),
            "check_squares": partial(check_squares, seed=seed),
            "check_only_rng": partial(check_only_rng, seed=seed),
        }
        for line in checks:
            eval(line, names)  # a line of the lesson


BY_CHANCE = {
    "half-and-half": check_fours,
    "only-twos": check_fours,
    "one-in-two-by-default": check_fours,
    "row-first": check_squares,
    "column-first": check_squares,
    "never-the-last-square": check_squares,
    "a-favoured-corner": check_squares,
    "always-the-first-square": check_squares,
    "own-randomness": check_only_rng,
}


@pytest.mark.slow
@pytest.mark.parametrize(("mistake", "caught_by"), BY_CHANCE.items(), ids=BY_CHANCE)
def test_a_known_mistake_is_caught_with_every_seed(mistake, caught_by):
    entry = next(found for found in catalogue(LESSON.id).misconceptions if found.id == mistake)
    names = {
        "spawn": defined("spawn", entry.specimen),
        "wide": [[2, 4, 8, 16, 2, 4, 8, 0], [0] * 8],
    }
    checks = [line for line in statistics_of("spawn") if line.startswith(caught_by.__name__)]
    for seed in range(1, 6):
        seeded = names | {caught_by.__name__: partial(caught_by, seed=seed)}
        found = [named for line in checks if (named := what_is_found(line, seeded))]
        assert set(found) == {mistake}


def what_is_found(line: str, names: dict[str, Any]) -> str | None:
    """The mistake that a line of the lesson finds and names; `None` if the line passes."""
    try:
        eval(line, names)
    except CheckFailed as failed:
        return failed.diagnosis.id if failed.diagnosis is not None else "a nameless mistake"
    return None


# -- what a learner reads -------------------------------------------------------------------------


def only_twos(board, rng, p_four=0.1):
    return rules.spawn(board, rng, 0)


def test_a_wrong_share_of_fours_is_told_with_its_numbers():
    with pytest.raises(CheckFailed, match="of 250 new tiles 0 are 4s, where 1 to 62 should be"):
        check_fours(only_twos, [[0, 0]])


@pytest.mark.parametrize(("p_four", "should"), [(0, "none should be"), (1, "all 20 should be")])
def test_a_certain_share_is_told_in_words(p_four, should):
    with pytest.raises(CheckFailed, match=should):
        check_fours(
            lambda board, rng, p: rules.spawn(board, rng, 1 - p), [[0]], p_four=p_four, times=20
        )


def test_a_wrong_share_of_squares_is_told_with_the_square():
    def first(board, rng, p_four=0.1):
        return [[2, 0]]

    with pytest.raises(CheckFailed, match="250 come to row 0, column 0, where 73 to 177 should"):
        check_squares(first, [[0, 0]])


@pytest.mark.parametrize("answer", [None, [], [2, 0], [[2, 0], [2]], [["2", "0"]]])
@pytest.mark.parametrize("checked", [check_fours, check_squares, check_only_rng])
def test_an_answer_that_is_no_board_fails(checked, answer):
    with pytest.raises(CheckFailed, match="not a board"):
        checked(lambda board, rng, p_four=0.1: answer, [[0, 0]])


@pytest.mark.parametrize("checked", [check_fours, check_squares])
def test_spawning_nothing_fails(checked):
    with pytest.raises(CheckFailed, match="calls spawn only 0"):
        checked(lambda board, rng, p_four=0.1: board, [[0, 0]])


def test_chance_from_elsewhere_is_told_with_both_boards():
    own = Random()
    with pytest.raises(CheckFailed, match=r"one call gives .*, the next, just so, "):
        check_only_rng(lambda board, rng, p_four: rules.spawn(board, own, p_four), [[0, 0], [0, 0]])
