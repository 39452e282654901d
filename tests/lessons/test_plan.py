"""Every test of this course runs outside of the jail, and asks something of the answer."""

from functools import partial

import pytest

from autograder.jail import Conditions
from autograder.pipeline import grade
from autograder.plan import Place, make_plan
from autograder.records.folder import CourseFolder
from autograder.records.release import ROOT
from course.lessons import Lesson


def test_every_test_of_this_course_runs_outside(
    lesson: Lesson, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    [one] = CourseFolder().prepared(lesson.id)
    plan = make_plan(one.master, one.key, one.stub, partial(grade, conditions=Conditions()))
    assert plan.troubles == ()
    assert {test.place for test in plan.tests} == {Place.OUTSIDE}
    assert plan.given == ()
