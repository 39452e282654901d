"""nbgrader's own programs with this grader: `nbgrader autograde`, formgrader's button, `unzip`."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from nbgrader.apps.api import NbGraderAPI

from autograder.gradebook.course_folder import CourseFolder
from autograder.sample import Sampler
from tests.autograder.conftest import LESSON
from tests.autograder.gradebook.nbgrader_helpers import (
    WRONG,
    Grade,
    HandIn,
    gradebook,
    nbgrader,
    score,
    submission,
)

pytestmark = pytest.mark.slow

NAME = "merge-a-line.ipynb"
UNZIPS = """
import sys
import autograder.grade_assignment
assert "setuptools" not in sys.modules  # it takes long to load
from nbgrader.utils import unzip
unzip("handed-in.zip", ".")
assert "setuptools" in sys.modules
"""


def nest(folder: Path) -> None:
    (folder / "homework").mkdir()
    (folder / NAME).rename(folder / "homework" / NAME)


def graded(student: str) -> Path:
    return Path("autograded", student, LESSON, NAME)


@pytest.mark.deep
def test_nbgraders_program_grades_as_this_one_does_and_only_what_changed(
    hand_in: HandIn, sampler: Sampler, grade: Grade
) -> None:
    for student in ("renamed", "nested", "timeless"):
        hand_in(student)
    hand_in("warns", merge="import warnings\nwarnings.warn('!')\n" + sampler.solutions["merge"])
    (hand_in("empty") / NAME).write_bytes(b"")
    grade()
    folder = hand_in("renamed", merge=WRONG)
    (folder / NAME).rename(folder / "my notebook (1).ipynb")
    nest(hand_in("nested", merge=WRONG))
    (hand_in("timeless", merge=WRONG) / "timestamp.txt").write_text("no time")
    log = nbgrader("autograde", LESSON)
    assert "timeless: timestamp.txt could not be read" in log
    expected = {"renamed": 3, "nested": 3, "timeless": 3, "warns": 12, "empty": 0}
    assert {student: score(student) for student in expected} == expected
    assert all(graded(student).is_file() for student in expected)
    assert "5 were graded before and have not changed" in grade().stderr
    assert "empty: the file is empty" in nbgrader("autograde", LESSON, "--force", "--student=e*")


def formgrader() -> NbGraderAPI:
    """Return the interface through which formgrader reads the course in the working directory."""
    app = CourseFolder().app
    return NbGraderAPI(app.coursedir, parent=app)


def test_formgraders_button_grades_what_was_nested(someone: Path, hand_in: HandIn) -> None:
    nest(hand_in("someone", merge=WRONG))
    said = formgrader().autograde(LESSON, "someone")
    assert said["success"], said["log"]
    assert score("someone") == 3
    assert os.listdir("autograded") == ["someone"]


def test_formgrader_lists_everybody_whatever_one_has_for_a_time(
    hand_in: HandIn, grade: Grade
) -> None:
    hand_in("right", "2026-03-01 12:00:00 UTC")
    hand_in("timeless", "2026-01-01 00:00:00 ..")
    listed = {one["student"]: one["timestamp"] for one in formgrader().get_submissions(LESSON)}
    assert listed == {"right": "2026-03-01T12:00:00", "timeless": None}
    grade()
    listed = {one["student"]: one["score"] for one in formgrader().get_submissions(LESSON)}
    assert listed == {"right": 12, "timeless": 12}


@pytest.mark.deep
def test_without_a_jail_nothing_is_removed(someone: Path) -> None:
    before = graded("someone").read_bytes()
    run = subprocess.run(
        [sys.executable, "-m", "nbgrader", "autograde", LESSON, "--force"],
        env={"PATH": str(Path(sys.executable).parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1
    assert "bubblewrap" in run.stderr
    assert graded("someone").read_bytes() == before


@pytest.mark.deep
def test_three_runs_at_once_each_work_and_nothing_is_lost(hand_in: HandIn) -> None:
    students = [f"student-{number}" for number in range(6)]
    for student in students:
        hand_in(student, merge=WRONG)
    Path("gradebook.db").unlink()
    command = [sys.executable, "-m", "autograder", "grade", LESSON, "--workers", "1", "--json"]
    runs = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    said = [run.communicate() for run in runs]
    assert [run.returncode for run in runs] == [0, 0, 0], said
    graded_by = [json.loads(line)["student"] for out, _ in said for line in out.splitlines()]
    assert sorted(graded_by) == students
    assert sum("Another run grades in this folder" in err for _, err in said) == 2
    with gradebook() as book:
        assert {submission(book, student).score for student in students} == {3}
    assert sorted(os.listdir("autograded")) == students


@pytest.mark.deep
def test_setuptools_is_loaded_only_when_nbgrader_unpacks_an_archive(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "handed-in.zip", "w") as archive:
        archive.writestr(NAME, "{}")
    subprocess.run([sys.executable, "-c", UNZIPS], cwd=tmp_path, check=True)
    assert (tmp_path / NAME).read_text() == "{}"
