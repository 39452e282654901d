"""The results of checks: outcomes, the names that a test sees, and mistakes that are named."""

import pytest

from autograder.course_adapter import ROOT
from autograder.grading_data import Cell, CellKind, Outcome, Submission
from autograder.jail import WarmJail
from autograder.judge import judge
from autograder.notebook.master import read_master
from tests.autograder.submissions import (
    LESSON,
    master_submission,
    score,
    verdict_on,
)


def test_the_master_passes_every_check(jail: WarmJail):
    verdict = judge(master_submission(), jail)
    assert {check.outcome for check in verdict.checks} == {Outcome.PASSED}
    assert score(verdict) == sum(check.max_points for check in verdict.checks)


@pytest.mark.parametrize(
    ("student", "test", "outcome", "message"),
    [
        ("merge = sorted", "check(merge, [2, 1], gives=[1, 2])", Outcome.PASSED, ""),
        (
            "def merge(line): return line",
            "check(merge, [2], gives=[4])",
            Outcome.FAILED,
            "expected  [4]",
        ),
        ("def merge(line): pass", "assert merge([2]) == [2]", Outcome.FAILED, "AssertionError"),
        (
            "def merge(line):\n    raise NotImplementedError()",
            "check(merge, [2], gives=[2])",
            Outcome.FAILED,
            "NotImplementedError",
        ),
        (
            "def merge(line):\n    return line[9]",
            "merge([2])",
            Outcome.ERROR,
            "IndexError: list index out of range (merge, line 2)",
        ),
        ("x = 1", "merge([2])", Outcome.ERROR, "name 'merge' is not defined"),
        ("def merge(line)", "merge([2])", Outcome.ERROR, "its cell stopped with SyntaxError"),
        ("merge = 5", "merge([2])", Outcome.ERROR, "'int' object is not callable"),
        ("import os as merge", "merge", Outcome.ERROR, "name 'merge' is not defined"),
        ("def merge(line): exit()", "merge([2])", Outcome.PASSED, ""),
        (
            "def merge(line): raise SystemExit(3)",
            "merge([2])",
            Outcome.ERROR,
            "SystemExit: 3",
        ),
        (
            "def merge(line): raise KeyboardInterrupt",
            "merge([2])",
            Outcome.ERROR,
            "KeyboardInterrupt",
        ),
        (
            "import os\ndef merge(line): os._exit(0)",
            "merge([2])",
            Outcome.CRASHED,
            "a call of merge: the program ended the Python process it ran in",
        ),
        (
            "def merge(line): return (n for n in line)",
            "check(merge, [2], gives=[2])",
            Outcome.FAILED,
            "generator cannot be handed to the tests",
        ),
        (
            "def merge(line): return line",
            "merge(object())",
            Outcome.ERROR,
            "a object cannot be given to the student's code",
        ),
    ],
    ids=[
        "right",
        "wrong",
        "assert",
        "stub",
        "raises",
        "missing",
        "syntax",
        "no function",
        "odd value",
        "exit",
        "SystemExit",
        "KeyboardInterrupt",
        "os._exit",
        "generator",
        "odd argument",
    ],
)
def test_what_becomes_of_a_check(
    jail: WarmJail, student: str, test: str, outcome: Outcome, message: str
):
    check = verdict_on(jail, student, test)
    assert (check.outcome, check.points) == (outcome, float(outcome is Outcome.PASSED))
    assert message in check.message


def test_a_known_mistake_is_named(jail: WarmJail):
    slides_only = "def merge(line):\n    return close_gaps(line)"
    checks = {check.id: check for check in judge(master_submission(merge=slides_only), jail).checks}
    assert checks["merge-once"].misconception == "slides-only"
    assert checks["tiles-to-front"].misconception is None


def test_a_function_that_a_later_cell_defines_again_is_named_again(jail: WarmJail):
    helper = "def close_gaps(line):\n    return sorted(line, key=lambda tile: not tile)\n"
    nothing, slides = "    close_gaps(line)", "    return close_gaps(line)"
    wrong = "check(merge, [2, 2], gives=[4, 0])"
    cells = (
        Cell("given-imports", CellKind.GIVEN, "from course import check", 0),
        Cell("merge", CellKind.STUDENT, f"{helper}\ndef merge(line):\n{nothing}", 0),
        Cell("first", CellKind.TEST, wrong, 1),
        Cell("again", CellKind.STUDENT, f"def merge(line):\n{slides}", 0),
        Cell("second", CellKind.TEST, wrong, 1),
        Cell("third", CellKind.TEST, wrong, 1),
    )
    named = [check.misconception for check in judge(Submission(LESSON, cells), jail).checks]
    assert named == ["answer-thrown-away", "slides-only", "slides-only"]


def test_given_names_win_over_the_students_except_those_of_exercises(jail: WarmJail):
    given = "def helper(): return 1\ndef merge(line): return 'given'"
    student = "def helper(): return 2\ndef merge(line): return helper()"
    test = "assert (helper(), merge([])) == (1, 2)"
    assert verdict_on(jail, student, test, given).outcome is Outcome.PASSED


def test_a_given_helper_calls_the_students_function(jail: WarmJail):
    given = "def twice(line): return merge(merge(line))"
    test = "assert twice([1]) == [1, 0, 0]"
    student = "def merge(line): return line + [0]"
    assert verdict_on(jail, student, test, given).outcome is Outcome.PASSED


def test_a_test_sees_the_student_as_he_was_at_that_point_of_the_notebook(jail: WarmJail):
    cells = (
        Cell("first", CellKind.STUDENT, "value = 1"),
        Cell("one", CellKind.TEST, "assert value == 1", 1.0),
        Cell("second", CellKind.STUDENT, "value = 2"),
        Cell("two", CellKind.TEST, "assert value == 2", 1.0),
    )
    assert score(judge(Submission(LESSON, cells), jail)) == 2


def test_a_cell_that_raises_does_not_stop_the_later_ones(jail: WarmJail):
    cells = (
        Cell("first", CellKind.STUDENT, "1 / 0"),
        Cell("second", CellKind.STUDENT, "value = 2"),
        Cell("test", CellKind.TEST, "assert value == 2", 1.0),
    )
    verdict = judge(Submission(LESSON, cells), jail)
    assert score(verdict) == 1
    assert verdict.outputs["first"][0]["ename"] == "ZeroDivisionError"


def test_warnings_and_prints_cost_nothing(jail: WarmJail):
    student = """
import sys, warnings
def merge(line):
    print(1, file=sys.stderr)
    warnings.warn("x")
    return 1
"""
    assert verdict_on(jail, student, "check(merge, [], gives=1)").outcome is Outcome.PASSED


def test_a_given_cell_that_fails_lets_no_check_pass(jail: WarmJail):
    check = verdict_on(jail, "merge = 1", "pass", given="1 / 0")
    assert (check.outcome, check.points) == (Outcome.ERROR, 0)
    assert "given" in check.message


def test_a_test_cell_that_is_no_python_is_an_error(jail: WarmJail):
    assert verdict_on(jail, "merge = 1", "assert (").outcome is Outcome.ERROR


def test_stop_iteration_does_not_end_a_test_in_silence(jail: WarmJail):
    student = "def merge(line): raise StopIteration"
    check = verdict_on(jail, student, "assert all(map(merge, [[2], [4]]))")
    assert (check.outcome, check.points) == (Outcome.ERROR, 0)
    assert verdict_on(jail, student, "check(merge, [2], raises=StopIteration)").points == 1


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


def test_each_check_of_a_class_names_its_own_part_and_what_stopped_its_cell():
    move = "@add_to(Game)\ndef move(self, direction):\n    return None"
    over = "@add_to(Game)\n@property\ndef is_over(self):\n    return True"
    text = "@add_to(Game)\ndef __str__(self):\n    return 'x"
    replaced = {"Game-move": move, "Game-is_over": over, "Game-str": text}
    named = {"game-answers": "board-not-slid", "game-is-over": "yes-too-often", "game-text": None}
    cells = tuple(
        Cell(cell.id, cell.kind, replaced.get(cell.id, cell.source), cell.points)
        for cell in read_master("6-the-whole-game", ROOT / "source").cells
        if cell.cell_type == "code" and (cell.kind is not CellKind.TEST or cell.id in named)
    )
    with WarmJail("6-the-whole-game") as games:
        checks = {one.id: one for one in judge(Submission(games.lesson, cells), games).checks}
    assert {check: checks[check].misconception for check in named} == named
    assert "Game has no __str__: its cell stopped with SyntaxError" in checks["game-text"].told
