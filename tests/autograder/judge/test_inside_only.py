"""Tests that must run inside of the jail: outside, even the answer key does not pass them."""

import pytest

from autograder.grading_data import Outcome
from autograder.jail import WarmJail
from autograder.judge import Uses, judge
from tests.autograder.grading_helpers import asked
from tests.autograder.judge.program_cases import cases


@pytest.mark.parametrize(
    ("key", "test", "told", "line"), cases("inside_only", "key", "test", "told", "line")
)
def test_a_test_that_only_the_program_can_answer_is_not_for_outside(
    jail: WarmJail, key: str, test: str, told: str, line: int | str
):
    [check] = judge(asked(key, (test,)), jail, Uses(is_learning=True)).checks
    assert check.outcome in ((Outcome.ERROR,) if told else (Outcome.ERROR, Outcome.FAILED))
    assert (check.points, told in check.message, line or check.line) == (0, True, check.line)


def test_what_can_not_be_told_as_it_is_is_not_told(jail: WarmJail):
    tests = ("class Name(str): pass\nassert f(Name('a')) == 'Name'", "assert f('a') == 'str'")
    [told, plain] = judge(asked("def f(s): return type(s).__name__", tests), jail).checks
    assert (told.points, plain.points) == (0.0, 1.0)
    assert "cannot be given to the student's code" in told.message
