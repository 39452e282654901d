"""Checks of chance: the risks that `course/checks/chance.py` promises are computed and tried."""

import ast
from collections.abc import Callable
from copy import copy
from functools import cache, partial
from random import Random
from types import ModuleType
from typing import Any

import nbformat
import pytest

from autograder.course_adapter import ROOT
from autograder.misconceptions import catalogue
from course import rules
from course.checks import CheckFailed, chance
from course.checks.chance import (
    FOURS,
    RISK,
    SQUARES,
    bounds,
    chance_of,
    check_fours,
    check_one_in_ten,
    check_only_rng,
    check_squares,
)
from course.function_calls import Answer, Seeded
from course.lessons import lesson
from tests.lessons.right import right_styles
from tests.lessons.running import defined
from tests.parametrize_marks import some_in_every_run

LESSON = lesson("3-spawn")
CORNER = [[0] * 8, *([0] + [8] * 7 for _ in range(7))]
UNFAIR = 1 / 20_000  # the highest risk that a right program fails
SLIPS = 1e-9  # the highest risk that a known mistake passes
SEEDS = range(1, 6)
EXERCISES = ("spawn", "new_board", "take_turn")


def chance_within(total: int, share: float, limits: tuple[int, int]) -> float:
    """Return the probability that a count lies within limits.

    The count is binomial: of `total` tries, each counts with the probability `share`.
    """
    return sum(chance_of(count, total, share) for count in range(limits[0], limits[1] + 1))


@cache
def chance_outside(total: int, share: float, risk: float = RISK) -> float:
    """Return the probability that the count of a right program lies outside its `bounds`."""
    low, high = bounds(total, share, risk)
    outside = [*range(low), *range(high + 1, total + 1)]
    return sum(chance_of(count, total, share) for count in outside)


@pytest.mark.parametrize(
    ("total", "share"),
    [(FOURS, 0.1), (FOURS, 0.5), (SQUARES, 1 / 9), (SQUARES, 1 / 36), (SQUARES, 1 / 3)],
)
def test_a_right_count_is_out_of_bounds_at_either_end_with_less_than_the_risk(total, share):
    low, high = bounds(total, share)
    assert sum(chance_of(count, total, share) for count in range(low)) < RISK
    assert sum(chance_of(count, total, share) for count in range(high + 1, total + 1)) < RISK


def counts_of(monkeypatch: pytest.MonkeyPatch, module: ModuleType) -> list[tuple[Any, ...]]:
    """Return a list that collects the arguments of all later calls of `bounds` in a module."""
    counted: list[tuple[Any, ...]] = []
    monkeypatch.setattr(module, "bounds", lambda *count: counted.append(count) or bounds(*count))
    return counted


def test_all_counts_of_the_lesson_together_keep_the_promise(monkeypatch):
    counted = counts_of(monkeypatch, chance)
    for exercise in EXERCISES:
        passes(exercise, getattr(rules, exercise), seed=1)
    assert sum(chance_outside(*each) for each in counted) < UNFAIR


WRONG = {
    "half of them 4s": (FOURS, 0.5, bounds(FOURS, 0.1)),
    "never a 4": (FOURS, 0, bounds(FOURS, 0.1)),
    "always a 4": (FOURS, 1, bounds(FOURS, 0.1)),
    "the row first: the squares of a full row": (SQUARES // 2, 1 / 8, bounds(SQUARES // 2, 8 / 15)),
    "never the last square": (SQUARES, 0, bounds(SQUARES, 1 / 9)),
    "a corner every second time": (SQUARES, 1 / 2, bounds(SQUARES, 1 / 9)),
    "4s on the first half of the squares": (SQUARES // 2, 0, bounds(SQUARES // 2, 1 / 9)),
    "a new board without its last square": (SQUARES, 0, bounds(SQUARES, 2 / 9)),
}


@pytest.mark.parametrize(("total", "share", "limits"), WRONG.values(), ids=WRONG)
def test_a_wrong_count_is_within_bounds_with_less_than_the_promised_risk(total, share, limits):
    assert chance_within(total, share, (0, total)) == pytest.approx(1)
    assert chance_within(total, share, limits) < SLIPS


# -- the test cells of the lesson, with other seeds ------------------------------------------------


def statistics_of(exercise: str) -> list[str]:
    """Return the lesson's calls, without their seeds, that check the chance of an exercise."""
    path = ROOT / "source" / LESSON.id / LESSON.notebook
    cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    calls = [node for cell in cells for node in ast.walk(ast.parse(cell.source)) if is_chance(node)]
    for call in calls:
        call.keywords = [keyword for keyword in call.keywords if keyword.arg != "seed"]
    return [ast.unparse(call) for call in calls if call.args[0].id == exercise]


def is_chance(node: ast.AST) -> bool:
    names = ("check_fours", "check_squares", "check_only_rng")
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") in names


def passes(exercise: str, function: Callable[..., Any], seed: int) -> None:
    """Check a function as the lesson does, with another seed; raise `CheckFailed` if it fails."""
    names: dict[str, Any] = {
        exercise: Quick(function),
        "corner": CORNER,
        "check_fours": partial(check_fours, seed=seed),
        "check_squares": partial(check_squares, seed=seed),
        "check_only_rng": partial(check_only_rng, seed=seed),
    }
    checks = statistics_of(exercise)
    assert len(checks) >= 6
    for line in checks:
        eval(line, names)  # a line of the lesson


class Quick:
    """A function that changes no argument, so that no call needs copies, which saves time."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def call_many(self, calls: list[list[Any]]) -> list[Answer]:
        made = (
            [Random(one.seed) if type(one) is Seeded else one for one in call] for call in calls
        )
        return [Answer(self.function(*call), None, tuple(call)) for call in made]


STYLES = [pytest.param(name, None, id=f"{name}-reference") for name in EXERCISES] + [
    pytest.param(found.exercise, found.program, id=found.title)
    for found in right_styles(LESSON.id)
    if found.exercise in EXERCISES
]


@pytest.mark.deep
@pytest.mark.parametrize(("exercise", "program"), STYLES)
def test_a_right_program_passes_with_other_seeds(exercise, program):
    own = {exercise: program} if program else {}
    function = defined(LESSON.id, own, exercise) if own else getattr(rules, exercise)
    for seed in SEEDS:
        passes(exercise, function, seed)


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
    "spawn-copies-rng": check_only_rng,
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mistake", "caught_by"),
    some_in_every_run(
        {mistake: (mistake, caught_by) for mistake, caught_by in BY_CHANCE.items()},
        ["only-twos", "a-favoured-corner", "own-randomness"],
    ),
)
def test_a_known_mistake_is_caught_with_every_seed(mistake, caught_by):
    entry = next(found for found in catalogue(LESSON.id) if found.id == mistake)
    names = {"spawn": defined(LESSON.id, {"spawn": entry.specimen}, "spawn"), "corner": CORNER}
    checks = [line for line in statistics_of("spawn") if line.startswith(caught_by.__name__)]
    for seed in (1, 2):
        seeded = names | {caught_by.__name__: partial(caught_by, seed=seed)}
        found = [named for line in checks if (named := what_is_found(line, seeded))]
        assert set(found) == {mistake}


def what_is_found(line: str, names: dict[str, Any]) -> str | None:
    """Run a check; return the id of the mistake that it names, or `None` if the check passes."""
    try:
        eval(line, names)
    except CheckFailed as failed:
        return failed.diagnosis.id if failed.diagnosis is not None else "a nameless mistake"
    return None


# -- what a learner reads -------------------------------------------------------------------------


def test_a_wrong_share_of_fours_is_told_with_its_numbers():
    with pytest.raises(CheckFailed, match="of 250 new tiles 0 are 4s, where 3 to 55 should be"):
        check_fours(lambda board, rng: rules.spawn(board, rng, 0), [[0, 0]])


@pytest.mark.parametrize(("p_four", "should"), [(0, "none should be"), (1, "all 20 should be")])
def test_a_certain_share_is_told_in_words(p_four, should):
    with pytest.raises(CheckFailed, match=should):
        check_fours(
            lambda board, rng, p: rules.spawn(board, rng, 1 - p), [[0]], p_four=p_four, times=20
        )


def test_a_wrong_share_of_squares_is_told_with_the_square():
    with pytest.raises(CheckFailed, match="500 of 500 new tiles come to row 0, column 0, where"):
        check_squares(lambda board, rng, p_four: [[2, 0]], [[0, 0]])


@pytest.mark.parametrize("answer", [None, [], [2, 0], [[2, 0], [2]], [["2", "0"]]])
@pytest.mark.parametrize("checked", [check_fours, check_squares, check_only_rng])
def test_an_answer_that_is_no_board_fails(checked, answer):
    with pytest.raises(CheckFailed, match=r"not a board|nothing was given back"):
        checked(lambda board, rng, p_four=0.1: answer, [[0, 0]])


@pytest.mark.parametrize("checked", [check_fours, check_squares])
def test_spawning_nothing_fails(checked):
    with pytest.raises(CheckFailed, match="calls spawn only 0"):
        checked(lambda board, rng, p_four=0.1: board, [[0, 0]])


@pytest.mark.parametrize("share", [0, 0.01, 0.05, 0.097, 0.103, 0.11, 0.2, 0.25, 0.9, 1])
def test_any_default_but_one_in_ten_is_seen(share):
    def lower(board, rng, p_four=share):
        return [[4 if rng.random() < p_four else 2]]

    def upper(board, rng, p_four=share):
        return [[rng.choices([2, 4], [1 - p_four, p_four])[0]]]

    for other in (lower, upper):
        with pytest.raises(CheckFailed, match="should give the same as with p_four"):
            check_one_in_ten(other, [[0]])


def test_two_tiles_of_a_call_that_are_always_alike_are_told():
    def alike(height, width, rng, p_four=0.1):
        tile = 4 if rng.random() < p_four else 2
        return [[tile, tile, 0]]

    with pytest.raises(CheckFailed, match="of 250 pairs of new tiles 0 are a 2 and a 4, where"):
        check_fours(alike, 1, 3, p_four=0.5)


def test_a_place_that_hangs_together_with_the_tile_is_told():
    def together(board, rng, p_four=0.1):
        drawn = rng.random()
        tile = 4 if drawn < p_four else 2
        return [[tile, 0]] if drawn < 0.5 else [[0, tile]]

    with pytest.raises(CheckFailed, match=r"0 of \d+ new 2s come to row 0, column 0, where"):
        check_squares(together, [[0, 0]])


def test_a_function_that_counts_its_calls_is_told():
    calls = []

    def counting(board, rng, p_four=0.1):
        calls.append(1)
        return [[2, 0]] if len(calls) // 2 % 2 else [[0, 2]]

    with pytest.raises(CheckFailed, match="two equal calls"):
        check_only_rng(counting, [[0, 0]])


def test_chance_from_elsewhere_is_told_with_both_boards_and_so_is_a_copy_of_rng():
    own, board = Random(1), [[0, 0], [0, 0]]
    both = r"(?s)two equal calls.*\n  first     \[\[.*\n  second    \[\["
    with pytest.raises(CheckFailed, match=both):
        check_only_rng(lambda board, rng, p_four: rules.spawn(board, own, p_four), board)
    with pytest.raises(CheckFailed, match=r"two calls in a row .* not from a copy of it"):
        check_only_rng(lambda board, rng, p_four: rules.spawn(board, copy(rng), p_four), board)


def test_what_another_check_looks_for_passes():
    own = Random(1)
    check_one_in_ten(lambda board, rng, p_four=0.5: rules.spawn(board, own, p_four), [[0]])
    check_only_rng(lambda board, rng, p_four: [[2, 0]], [[0, 0]])
