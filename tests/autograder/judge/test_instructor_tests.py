"""Tests as instructors write them: this grader gives the same points as plain nbgrader.

Plain nbgrader runs all cells in one namespace; a test passes if it ends without an error.
"""

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from autograder.grading_data import Cell, CellKind, Outcome
from autograder.jail import WarmJail
from autograder.judge import Uses, judge
from tests.autograder.grading_helpers import learned, passed, submission
from tests.autograder.judge.program_cases import data
from tests.parametrize_marks import some_in_every_run

FILES = ("functions", "variables", "classes", "errors", "arrays", "tables")
INSIDE = "inside"
GOAL = 61


@cache
def idioms(file: str) -> list[dict[str, str]]:
    """Return ways to write a test: each a `test` cell, with a `right` and a `wrong` answer.

    `given` is the text of an instructor's cell above the answer. `other` is one more right answer,
    which returns another type than the answer key.
    """
    found: list[dict[str, str]] = data(f"idioms/{file}")["idiom"]
    return found


def cells(file: str, answer: str) -> tuple[Cell, ...]:
    """Return one notebook with all idioms of a file, with their right, wrong or other answers."""
    found = []
    for idiom in idioms(file):
        found += [
            Cell(f"given: {idiom['name']}", CellKind.GIVEN, idiom.get("given", "")),
            Cell(f"answer: {idiom['name']}", CellKind.STUDENT, idiom.get(answer, idiom["right"])),
            Cell(idiom["name"], CellKind.TEST, idiom["test"], 1.0, is_inside=file == INSIDE),
        ]
    return tuple(found)


def plain_scores(file: str, answer: str) -> dict[str, bool]:
    names: dict[str, Any] = {"__name__": "__main__"}
    scores = {}
    for cell in cells(file, answer):
        try:
            exec(cell.source, names)  # noqa: S102 — the tests of this file
            scores[cell.id] = True
        except BaseException:  # failures that pytest raises are no `Exception`
            scores[cell.id] = False
    return {idiom["name"]: scores[idiom["name"]] for idiom in idioms(file)}


def scores(jail: WarmJail, file: str, answer: str, uses: Uses) -> dict[str, bool]:
    verdict = judge(submission(*cells(file, answer)), jail, uses)
    return {check.id: check.outcome is Outcome.PASSED for check in verdict.checks}


@pytest.mark.filterwarnings("ignore:the matrix subclass")
@pytest.mark.parametrize(
    "file", some_in_every_run({file: file for file in FILES}, ["functions", "classes", "arrays"])
)
def test_a_test_outside_gives_what_plain_nbgrader_gives(jail: WarmJail, file: str):
    uses = learned(jail, submission(*cells(file, "right")))
    others = ["other"] if any("other" in idiom for idiom in idioms(file)) else []
    for answer in ("right", *others, "wrong"):
        assert scores(jail, file, answer, uses) == plain_scores(file, answer)
    assert set(plain_scores(file, "right").values()) == {True}
    assert set(plain_scores(file, "other").values()) == {True}
    assert set(plain_scores(file, "wrong").values()) == {False}


@pytest.mark.deep
def test_what_can_not_run_outside_fails_there_for_the_answer_key(jail: WarmJail):
    outside = [replace(cell, is_inside=False) for cell in cells(INSIDE, "right")]
    checks = judge(submission(*outside), jail, Uses(is_learning=True)).checks
    assert [check.id for check in checks if check.outcome is Outcome.PASSED] == []


@pytest.mark.parametrize("answer", ["right", "wrong"])
def test_a_test_inside_gives_what_nbgrader_gives(jail: WarmJail, answer: str):
    wanted = {idiom["name"]: answer == "right" for idiom in idioms(INSIDE)}
    assert scores(jail, INSIDE, answer, Uses()) == wanted


def test_most_idioms_run_outside():
    assert sum(len(idioms(file)) for file in FILES) >= GOAL


INLINE = """
import unittest
class Test(unittest.TestCase):
    def test_f(self):
        self.assertEqual(f(), 2)
suite = unittest.defaultTestLoader.loadTestsFromTestCase(Test)
assert unittest.TextTestRunner().run(suite).wasSuccessful()
"""


@pytest.mark.parametrize(
    "program",
    [
        "import unittest\ndef f(): raise unittest.SkipTest('not today')",
        "import unittest\nclass Own(unittest.SkipTest): pass\ndef f(): raise Own('not today')",
        "def f():\n    from unittest.case import _ShouldStop\n    raise _ShouldStop",
    ],
)
def test_no_class_takes_part_in_a_test_but_those_that_it_names(jail: WarmJail, program: str):
    assert passed(jail, "def f(): return 2", (INLINE,)) == {INLINE}
    assert passed(jail, program, (INLINE,)) == set()
