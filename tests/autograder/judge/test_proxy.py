"""The student's functions, classes and objects, used by a test that runs outside of the jail."""

import pytest

from autograder.grading_data import Outcome
from autograder.jail import WarmJail
from tests.autograder.grading_helpers import checks_by, limited, verdict_on
from tests.autograder.judge.program_cases import cases, data

DATA = data("game_as_proxy")
GAME, USES, ODD = DATA["game"], DATA["uses"], DATA["odd"]


def test_a_class_is_used_as_if_it_were_here(jail: WarmJail):
    for test, check in zip(USES, checks_by(jail, GAME, USES), strict=True):
        assert (check.outcome, check.message) == (Outcome.PASSED, ""), test


def test_nothing_else_is_answered_by_python_itself(jail: WarmJail):
    given, caught = "from copy import deepcopy\nimport numpy as np", "game = Game()\ntry:\n"
    tests = [f"{caught}    {test}\nexcept Exception:\n    pass" for test in ODD]
    for test, check in zip(ODD, checks_by(jail, GAME, tests, given), strict=True):
        assert check.outcome is Outcome.ERROR, test
        assert "only a test beside the program can ask" in check.message, test


@pytest.mark.parametrize(("program", "test"), cases("changed_arguments", "program", "test"))
def test_what_a_function_does_to_its_arguments_is_seen(jail: WarmJail, program: str, test: str):
    check = verdict_on(jail, program, test, "from random import Random")
    assert (check.outcome, check.message) == (Outcome.PASSED, "")


def test_what_is_left_in_an_argument_does_not_touch_the_answer(jail: WarmJail):
    student = "def merge(line):\n    line.append(object())\n    return len(line)"
    assert verdict_on(jail, student, "check(merge, [2], gives=2)").outcome is Outcome.PASSED
    check = verdict_on(jail, student, "check.unchanged(merge, [[2]])")
    assert (check.outcome, check.points) == (Outcome.FAILED, 0)


def test_a_class_may_come_from_a_module_that_a_cell_has_written(jail: WarmJail):
    student = """
from pathlib import Path
Path("mine.py").write_text("class Tile:\\n    value = 2")
from mine import Tile as merge
"""
    assert verdict_on(jail, student, "assert merge().value == 2").outcome is Outcome.PASSED


def test_an_object_is_lost_with_its_process(jail: WarmJail):
    student = GAME + "\nimport os\ndef merge(line):\n    os._exit(0)"
    test = "game = Game()\ntry:\n    merge([])\nexcept BaseException:\n    pass\ngame.score"
    with limited(jail, call=0.3):
        check = verdict_on(jail, student, test)
    assert check.outcome is Outcome.CRASHED
    assert "lost with the process" in check.message
