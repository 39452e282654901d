"""Honest submissions get the same rows from the jail as from plain nbgrader, check by check.

Plain nbgrader runs here with its own `Execute`, on the same class, in two folders at a time.
"""

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder.misconceptions import catalogue
from autograder.records.release import ROOT
from autograder.sample import Sampler, Student
from course.lessons import lesson
from tests.autograder.conftest import LESSON, make_course

Rows = dict[str, dict[str, tuple[float | None, bool]]]

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("equality")]

CHECKS = set(lesson(LESSON).checks)
ALL_OF_MERGE = CHECKS - {"tiles-to-front"}
LOST: dict[str, set[str]] = {
    **{entry.id: set(entry.loses) for entry in catalogue(LESSON).misconceptions},
    "untouched": CHECKS,
    "syntax-error": ALL_OF_MERGE,
    "endless-loop": ALL_OF_MERGE,
}
HONEST = [
    student
    for kind in ("right", "wrong", "slip")
    for student in Sampler(ROOT, LESSON).students()[kind]
]


def rows(course: Path) -> Rows:
    """student → check → (auto score, needs manual grade), as they are in a gradebook."""
    with closing(Gradebook(f"sqlite:///{course}/gradebook.db", "2048")) as book:
        return {
            submission.student.id: {
                grade.name: (grade.auto_score, grade.needs_manual_grade)
                for notebook in submission.notebooks
                for grade in notebook.grades
            }
            for submission in book.assignment_submissions(LESSON)
        }


def run(course: Path, *command: str) -> subprocess.Popen[bytes]:
    """Starts a program in a course folder; its log is `log.txt` there."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with (course / "log.txt").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "-m", *command],
            cwd=course,
            env={**os.environ, "PATH": path},
            stdout=log,
            stderr=log,
        )


def hand_in(course: Path, students: list[Student]) -> Path:
    for student in students:
        student.hand_in(course / "submitted" / student.name / LESSON)
    return course


def plain_course(folder: Path, students: list[Student], timeout: int) -> Path:
    """A course folder in which nbgrader grades with nothing of ours."""
    make_course(folder)
    config = f"c = get_config()\nc.Execute.timeout = {timeout}\n"
    (folder / "nbgrader_config.py").write_text(config)
    run(folder, "nbgrader", "generate_assignment", LESSON).wait()
    return hand_in(folder, students)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Rows:
    """The rows that nbgrader writes by itself."""
    folder = tmp_path_factory.mktemp("plain")
    quick = [student for student in HONEST if student.name != "endless-loop"]
    endless = [student for student in HONEST if student.name == "endless-loop"]
    half = len(quick) // 2
    courses = [
        plain_course(folder / "first", quick[:half], timeout=60),
        plain_course(folder / "second", quick[half:], timeout=60),
        plain_course(folder / "endless", endless, timeout=3),
    ]
    running = [run(course, "nbgrader", "autograde", LESSON) for course in courses]
    for course, process in zip(courses, running, strict=True):
        assert process.wait() == 0, (course / "log.txt").read_text()
    return {student: found for course in courses for student, found in rows(course).items()}


@pytest.fixture(scope="module")
def jailed(tmp_path_factory: pytest.TempPathFactory) -> Rows:
    """The rows that `autograder grade` writes."""
    course = hand_in(make_course(tmp_path_factory.mktemp("jailed") / "course"), HONEST)
    process = run(course, "autograder", "grade", LESSON)
    assert process.wait() == 0, (course / "log.txt").read_text()
    return rows(course)


@pytest.mark.parametrize("student", HONEST, ids=lambda student: student.name)
def test_the_rows_are_the_same_as_from_plain_nbgrader(
    student: Student, plain: Rows, jailed: Rows
) -> None:
    assert jailed[student.name] == plain[student.name]


@pytest.mark.parametrize("student", HONEST, ids=lambda student: student.name)
def test_plain_nbgrader_takes_these_checks_and_no_others(student: Student, plain: Rows) -> None:
    lost = {check for check, (score, _) in plain[student.name].items() if score == 0}
    assert set(plain[student.name]) == CHECKS
    assert lost == LOST.get(student.name, set())
