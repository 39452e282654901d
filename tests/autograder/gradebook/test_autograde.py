"""`nbgrader autograde` grades renamed and nested notebooks, and loses nothing that was graded."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from nbgrader.apps.api import NbGraderAPI

from autograder.gradebook.course_folder import CourseFolder
from autograder.sample import Sampler
from tests.autograder.conftest import LESSON, make_course
from tests.autograder.gradebook.books import (
    WRONG,
    Grade,
    HandIn,
    gradebook,
    hands_in,
    nbgrader,
    score,
    submission,
)

pytestmark = pytest.mark.slow

NAME = "merge-a-line.ipynb"
WARNS = "import warnings\nwarnings.warn('!')\n"


@dataclass(frozen=True)
class Regraded:
    """A class that `autograder grade` has graded, then nbgrader, then `autograder grade` again.

    `ours` and `nbgraders` are the scores after the first and the second time, `log` is what
    nbgrader logged, and `again` what was said the third time.
    """

    ours: dict[str, float]
    nbgraders: dict[str, float]
    log: str
    again: str


def rename(folder: Path) -> None:
    (folder / NAME).rename(folder / "my notebook (1).ipynb")


def nest(folder: Path) -> None:
    (folder / "homework").mkdir()
    (folder / NAME).rename(folder / "homework" / NAME)


def link(folder: Path) -> None:
    for name, leads in {
        "book.txt": "../../../gradebook.db",
        "master.txt": f"../../../source/{LESSON}/{NAME}",
    }.items():
        (folder / name).symlink_to(leads)
    (folder / "notes.txt").write_text("mine")


def graded(student: str) -> Path:
    return Path("autograded", student, LESSON, NAME)


@pytest.fixture(scope="module")
def regraded(
    tmp_path_factory: pytest.TempPathFactory,
    sampler: Sampler,
    grade: Grade,
) -> Iterator[Regraded]:
    """Grade a class three times; before the second time, most students hand in again.

    One hand-in is renamed, one nested, one has links, and one has a time that stops nbgrader.
    """
    with pytest.MonkeyPatch.context() as patch:
        course = make_course(tmp_path_factory.mktemp("regraded") / "course")
        patch.chdir(course)
        hand_in = hands_in(course, sampler)
        for student in ("renamed", "nested", "links", "timeless"):
            hand_in(student)
        hand_in("warns", merge=WARNS + sampler.solutions["merge"])
        hand_in("wrong", merge=WRONG)
        (hand_in("empty") / NAME).write_bytes(b"")
        grade()
        ours, kept = scores(), graded("timeless").read_bytes()
        rename(hand_in("renamed", merge=WRONG))
        nest(hand_in("nested", merge=WRONG))
        link(hand_in("links"))
        (hand_in("timeless", merge=WRONG) / "timestamp.txt").write_text("no time")
        log = nbgrader("autograde", LESSON, "--force", status=1)
        nbgraders = scores()
        assert graded("timeless").read_bytes() == kept
        again = grade()
        yield Regraded(ours, nbgraders, log, again.stderr)


def scores() -> dict[str, float]:
    return {student: score(student) for student in os.listdir("submitted")}


IN_ONE = pytest.mark.xdist_group("regraded")  # nbgrader is started once for all of these


@pytest.mark.deep
@IN_ONE
@pytest.mark.parametrize("student", ["renamed", "nested"])
def test_a_notebook_that_was_renamed_or_nested_is_graded(student: str, regraded: Regraded) -> None:
    assert (regraded.ours[student], regraded.nbgraders[student]) == (12, 3)
    assert graded(student).is_file()


@pytest.mark.deep
@IN_ONE
def test_what_nbgrader_can_not_grade_leaves_the_earlier_result(regraded: Regraded) -> None:
    assert "is the earlier result, which was put back" in regraded.log
    assert regraded.nbgraders["timeless"] == 12
    assert sorted(os.listdir("autograded")) == sorted(os.listdir("submitted"))


@pytest.mark.deep
@IN_ONE
def test_no_link_that_was_handed_in_is_followed(regraded: Regraded) -> None:
    assert regraded.nbgraders["links"] == 12
    files = {path.name for path in graded("links").parent.iterdir() if path.is_file()}
    assert files == {NAME, "notes.txt"}


@pytest.mark.deep
@IN_ONE
def test_nbgrader_comes_to_the_same_scores(regraded: Regraded) -> None:
    same = {"warns": 12, "wrong": 3, "empty": 0}
    assert {student: regraded.ours[student] for student in same} == same
    assert {student: regraded.nbgraders[student] for student in same} == same
    assert "empty: the file is empty" in regraded.log


@pytest.mark.deep
@IN_ONE
def test_what_nbgrader_graded_is_not_graded_again(regraded: Regraded) -> None:
    assert "6 were graded before and have not changed" in regraded.again
    assert "it was handed in at another time: timeless" in regraded.again


def formgrader() -> NbGraderAPI:
    """Return the interface that formgrader's pages ask, for the working directory."""
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
