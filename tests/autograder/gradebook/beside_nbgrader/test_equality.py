"""Honest submissions: this grader enters the same points as plain nbgrader, check by check.

Plain nbgrader runs with its own `Execute` on the same class, split over folders to save time.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.course_adapter import ROOT
from autograder.misconceptions import catalogue
from course.lessons import lesson
from tests.autograder.conftest import LESSON, make_course
from tests.autograder.gradebook.nbgrader_helpers import Grade, hands_in, opened
from tests.lessons.right import StyledSampler
from tests.parametrize_marks import some_in_every_run

Rows = dict[str, dict[str, tuple[float | None, bool]]]

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("equality")]

CHECKS = set(lesson(LESSON).checks)
ALL_OF_MERGE = CHECKS - {"tiles-to-front"}
LOST: dict[str, set[str]] = {
    **{entry.id: set(entry.loses) for entry in catalogue(LESSON)},
    "untouched": CHECKS,
    "syntax-error": ALL_OF_MERGE,
    "endless-loop": ALL_OF_MERGE,
}
SAMPLER = StyledSampler(ROOT, LESSON)
# Every ninth right program and every fourth mistake, as nbgrader takes seconds for each. Tests of
# the catalogue show that each mistake loses the expected checks with this grader.
HONEST = {
    student.name: student.hand_in
    for kind, step in (("right", 9), ("wrong", 4), ("slip", 1))
    for student in SAMPLER.students()[kind][::step]
}
CLASS = ("right-as-in-the-source", "cascade", "syntax-error")
STUDENTS = some_in_every_run({student: student for student in HONEST}, CLASS)
# Never ends, like an endless loop, but leaves the processor free.
WAITS = "import time\n\n\ndef merge(line):\n    while True:\n        time.sleep(0.1)"


def rows(course: Path) -> Rows:
    """Return student → check → (auto score, needs manual grade), from a course's gradebook."""
    with opened(course) as book:
        return {
            submission.student.id: {
                grade.name: (grade.auto_score, grade.needs_manual_grade)
                for notebook in submission.notebooks
                for grade in notebook.grades
            }
            for submission in book.assignment_submissions(LESSON)
        }


def run(course: Path, *command: str) -> subprocess.Popen[bytes]:
    """Start nbgrader in a course folder, and return the process; its log is in `log.txt` there."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with (course / "log.txt").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "nbgrader", *command],
            cwd=course,
            env={**os.environ, "PATH": path},
            stdout=log,
            stderr=log,
        )


def hand_in(course: Path, students: list[str]) -> Path:
    for student in students:
        if student == "endless-loop":
            hands_in(course, SAMPLER)(student, merge=WAITS)
        else:
            HONEST[student](course / "submitted" / student / LESSON)
    return course


@pytest.fixture(scope="module")
def students(request: pytest.FixtureRequest) -> list[str]:
    """Return the students of the tests that were selected for this run."""
    asked = [getattr(item, "callspec", None) for item in request.session.items]
    named = {each.params.get("student") for each in asked if each is not None}
    return [student for student in HONEST if student in named]


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory, students: list[str]) -> Rows:
    """Return the rows that nbgrader writes without this grader."""
    folder = tmp_path_factory.mktemp("plain")
    first = make_course(folder / "first")
    (first / "nbgrader_config.py").write_text("c = get_config()\nc.Execute.timeout = 60\n")
    assert run(first, "generate_assignment", LESSON).wait() == 0
    second = shutil.copytree(first, folder / "second")
    endless = shutil.copytree(first, folder / "endless")
    (endless / "nbgrader_config.py").write_text("c = get_config()\nc.Execute.timeout = 3\n")
    ending = [student for student in students if student != "endless-loop"]
    courses = [hand_in(first, ending[::2]), hand_in(second, ending[1::2])]
    if "endless-loop" in students:
        courses.append(hand_in(endless, ["endless-loop"]))
    running = [run(course, "autograde", LESSON) for course in courses]
    for course, process in zip(courses, running, strict=True):
        assert process.wait() == 0, (course / "log.txt").read_text()
    return {student: found for course in courses for student, found in rows(course).items()}


@pytest.fixture(scope="module")
def jailed(tmp_path_factory: pytest.TempPathFactory, students: list[str], grade: Grade) -> Rows:
    """Return the rows that `autograder grade` writes."""
    course = hand_in(make_course(tmp_path_factory.mktemp("jailed") / "course"), students)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(course)
        patch.setattr("autograder.jail.session.GENEROUS", 1)  # only an endless program sleeps here
        assert grade().exit_code == 0
    return rows(course)


@pytest.mark.parametrize("student", STUDENTS)
def test_the_rows_are_those_of_plain_nbgrader_which_takes_the_expected_checks(
    student: str, plain: Rows, jailed: Rows
) -> None:
    assert jailed[student] == plain[student]
    lost = {check for check, (score, _) in plain[student].items() if score == 0}
    assert set(plain[student]) == CHECKS
    assert lost == LOST.get(student, set())
