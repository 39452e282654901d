"""Answers of a program that are forged or huge: only the check that asked for them is lost."""

from typing import Any

import pytest

from autograder.grading_data import Outcome
from autograder.jail import WarmJail
from autograder.judge import Uses, judge
from tests.autograder.grading_helpers import (
    asked,
    asks,
    limited,
    student,
    submission,
    verdict_on,
)

DOUBLED = "answer = []\n    for _ in range(50): answer = [answer, answer]\n    return answer"
SHARED = """
from autograder.jail.inside import child
answer = [None, [[[]], [[0] * 1000, *[{"ref": 4}] * 5000]], False, False]
child.Server._one = lambda self, *call: answer
def merge(line): return line
"""


def test_a_patched_wire_can_not_break_the_judge(jail: WarmJail):
    student = """
from autograder.jail.inside import child
nonsense = {"answers": {}, "value": {"ref": 7}}
child.Server._many = child.Server._call = lambda self, question: nonsense
def merge(line): return line
"""
    for test in ("merge([])", "check.many(merge, [[2]], gives=[2])"):
        check = verdict_on(jail, student, test)
        assert (check.outcome, check.points) == (Outcome.CRASHED, 0)
        assert "makes no sense" in check.message


@pytest.mark.parametrize(
    "student", [f"def merge(line):\n    {DOUBLED}", SHARED], ids=["doubled", "shared rows"]
)
def test_an_answer_that_repeats_itself_is_not_written_out(jail: WarmJail, student: str):
    with limited(jail, call=0.5, cell=0.5):  # in a notebook, to compare it would take for ever
        check = verdict_on(jail, student, "check(merge, [2], gives=[2])")
    assert (check.outcome, check.points) == (Outcome.CRASHED, 0)
    assert "repeated too often" in check.message


def test_an_answer_may_share_its_rows(jail: WarmJail):
    student = "def merge(line):\n    row = [0] * 9\n    return [row] * 9"
    check = verdict_on(jail, student, "check(merge, [2], gives=[[0] * 9] * 9)")
    assert check.outcome is Outcome.PASSED


def test_a_text_without_end_costs_only_its_check(jail: WarmJail):
    student = "class merge:\n    def __str__(self): return '\\n' * 6_000_000"
    check = verdict_on(jail, student, "str(merge())")
    assert (check.outcome, check.points) == (Outcome.ERROR, 0)
    assert "too long" in check.message


def test_where_no_line_of_the_test_is_seen_to_ask_no_object_comes(jail: WarmJail):
    test = "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor() as pool:\n"
    test += "    bag = pool.submit(Bag).result()"
    [check] = judge(asked("class Bag: pass", (test,)), jail, Uses(is_learning=True)).checks
    assert "where the answer key has plain data" in check.message  # so the test runs inside


FORGED = (
    [1, 2],
    {"kind": {}, "message": 5, "line": "x", "mistake": [1]},
    {"kind": "AssertionError", "cell": [], "in line": -3, "line": 10**9, "mistake": {"id": []}},
    {"kind": "CheckFailed", "message": "\x1b[2J", "mistake": {"id": "made-up", "title": "Praise"}},
)


@pytest.mark.parametrize("raised", FORGED)
def test_what_a_program_forges_of_a_released_test_gains_nothing(jail: WarmJail, raised: Any):
    merge = f"""
from autograder.jail.inside import child
child.Server._test = lambda self, question: {{"outputs": 5, "raised": {raised!r}}}
def merge(line): raise ValueError(line)
"""
    hidden = asks("merge([2])", visible="")
    [check] = judge(submission(student(merge), hidden), jail).checks
    assert (check.points, check.misconception, "\x1b" in check.told) == (0.0, None, False)
