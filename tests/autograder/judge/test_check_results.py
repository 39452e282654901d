"""The results of checks: the outcome, the names that a test sees, and the mistake that is named."""

from dataclasses import replace

import pytest

from autograder.grading_data import Cell, CellKind
from autograder.jail import WarmJail
from autograder.judge import judge
from autograder.judge.check_results import MAX_MESSAGE
from tests.autograder.grading_helpers import (
    asks,
    master_submission,
    score,
    student,
    submission,
    verdict_on,
)
from tests.autograder.judge.program_cases import cases


@pytest.mark.parametrize(
    ("program", "test", "given", "outcome", "message"),
    cases("check_results", "program", "test", "given", "outcome", "message"),
)
def test_what_becomes_of_a_check(
    jail: WarmJail, program: str, test: str, given: str, outcome: str, message: str
):
    check = verdict_on(jail, program, test, given)
    assert (check.outcome.value, check.points) == (outcome, float(outcome == "passed"))
    assert message in check.message


def test_a_function_that_a_later_cell_defines_again_is_named_again(jail: WarmJail):
    helper = "def close_gaps(line):\n    return sorted(line, key=lambda tile: not tile)\n"
    nothing, slides = "    close_gaps(line)", "    return close_gaps(line)"
    wrong = "check(merge, [2, 2], gives=[4, 0])"
    cells = (
        Cell("given-imports", CellKind.GIVEN, "from course import check"),
        student(f"{helper}\ndef merge(line):\n{nothing}"),
        asks(wrong, "first"),
        student(f"def merge(line):\n{slides}", "again"),
        asks(wrong, "second"),
        asks(wrong, "third"),
    )
    named = [check.misconception for check in judge(submission(*cells), jail).checks]
    assert named == ["answer-thrown-away", "slides-only", "slides-only"]


def test_a_test_sees_the_student_as_he_was_at_that_point_of_the_notebook(jail: WarmJail):
    first = student("value = 1", "first"), asks("assert value == 1", "one")
    second = student("value = 2", "second"), asks("assert value == 2", "two")
    assert score(judge(submission(*first, *second), jail)) == 2


def test_a_cell_that_raises_does_not_stop_the_later_ones(jail: WarmJail):
    cells = student("1 / 0", "first"), student("value = 2"), asks("assert value == 2")
    verdict = judge(submission(*cells), jail)
    assert score(verdict) == 1
    assert verdict.outputs["first"][0]["ename"] == "ZeroDivisionError"


def test_tests_above_a_given_cell_that_ends_its_process_keep_their_points(jail: WarmJail):
    given = Cell("given", CellKind.GIVEN, "import os\nos._exit(1)")
    cells = student("merge = 1"), asks("assert merge == 1", "above"), given, asks("pass", "below")
    points = {check.id: check.points for check in judge(submission(*cells), jail).checks}
    assert points == {"above": 1, "below": 0}


def test_what_was_printed_and_returned_and_a_wrong_helper_are_seen_through_the_wall(jail: WarmJail):
    helper = "def close_gaps(line):\n    return line\n"
    uses = helper + "def merge(line):\n    return [tile for tile in close_gaps(line)]"
    named = {
        "def merge(line):\n    print(line)": "prints-instead",
        "def merge(line):\n    return None": "returns-nothing",
        "def merge(line):\n    return ValueError('no')": "error-returned",
        "def merge(line):\n    return (tile for tile in line)": "returns-iterator",
        uses: "gaps-stay",
    }
    test = "check(merge, [2, 2], gives=[4, 0])"
    found = {program: verdict_on(jail, program, test).misconception for program in named}
    assert found == named


def test_a_message_stays_short_whatever_stopped_the_cell(jail: WarmJail):
    check = verdict_on(jail, "raise type('E' * 30_000, (Exception,), {})", "merge([2])")
    assert len(check.message) == MAX_MESSAGE


def test_each_check_of_a_class_names_its_own_part_and_what_stopped_its_cell():
    move = "@add_to(Game)\ndef move(self, direction):\n    return None"
    over = "@add_to(Game)\n@property\ndef is_over(self):\n    return True"
    text = "@add_to(Game)\ndef __str__(self):\n    return 'x"
    replaced = {"Game-move": move, "Game-is_over": over, "Game-str": text}
    named = {"game-answers": "board-not-slid", "game-is-over": "yes-too-often", "game-text": None}
    whole = master_submission("6-the-whole-game", **replaced)
    cells = [one for one in whole.cells if one.kind is not CellKind.TEST or one.id in named]
    with WarmJail(whole.lesson) as games:
        verdict = judge(replace(whole, cells=tuple(cells)), games)
    checks = {check.id: check for check in verdict.checks}
    assert {check: checks[check].misconception for check in named} == named
    assert "Game has no __str__: its cell stopped with SyntaxError" in checks["game-text"].told
