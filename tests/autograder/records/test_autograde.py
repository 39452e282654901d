"""`nbgrader autograde` grades what was renamed or nested, and loses nothing that was graded."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.autograder.conftest import LESSON, Autograder
from tests.autograder.records.books import WRONG, HandIn, gradebook, nbgrader, score, submission

pytestmark = pytest.mark.slow

NAME = "merge-a-line.ipynb"


def rename(folder: Path) -> None:
    (folder / NAME).rename(folder / "my notebook (1).ipynb")


def nest(folder: Path) -> None:
    (folder / "homework").mkdir()
    (folder / NAME).rename(folder / "homework" / NAME)


def graded(student: str) -> Path:
    return Path("autograded", student, LESSON, NAME)


@pytest.mark.parametrize("move", [rename, nest])
def test_a_notebook_that_was_renamed_or_nested_is_graded(
    move: Callable[[Path], None], hand_in: HandIn, autograder: Autograder
) -> None:
    hand_in("someone")
    autograder("grade", LESSON, "--workers", 1)
    move(hand_in("someone", merge=WRONG))
    nbgrader("autograde", LESSON, "--force")
    assert score("someone") == 3
    assert graded("someone").is_file()


def test_formgraders_button_grades_it_too(hand_in: HandIn, autograder: Autograder) -> None:
    hand_in("someone")
    autograder("grade", LESSON, "--workers", 1)
    nest(hand_in("someone", merge=WRONG))
    program = (
        "from nbgrader.apps.baseapp import NbGrader\n"
        "from nbgrader.apps.api import NbGraderAPI\n"
        "app = NbGrader(); app.initialize([])\n"
        f"said = NbGraderAPI(app.coursedir, parent=app).autograde({LESSON!r}, 'someone')\n"
        "assert said['success'], said['log']\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
    assert score("someone") == 3
    assert os.listdir("autograded") == ["someone"]


def test_what_nbgrader_can_not_grade_leaves_the_earlier_result(
    hand_in: HandIn, autograder: Autograder
) -> None:
    folder = hand_in("someone", "2026-03-01 12:00:00 UTC")
    hand_in("other", merge=WRONG)
    autograder("grade", LESSON, "--workers", 1)
    before = graded("someone").read_bytes()
    (folder / "timestamp.txt").write_text("no time")  # nbgrader stops at it
    log = nbgrader("autograde", LESSON, "--force", status=1)
    assert "is the earlier result, which was put back" in log
    assert graded("someone").read_bytes() == before
    assert (score("someone"), score("other")) == (12, 3)
    assert sorted(os.listdir("autograded")) == ["other", "someone"]


def test_no_link_that_was_handed_in_is_followed(hand_in: HandIn, autograder: Autograder) -> None:
    folder = hand_in("someone")
    autograder("grade", LESSON, "--workers", 1)
    for name, leads in {
        "book.txt": "../../../gradebook.db",
        "master.txt": f"../../../source/{LESSON}/{NAME}",
    }.items():
        (folder / name).symlink_to(leads)
    (folder / "notes.txt").write_text("mine")
    nbgrader("autograde", LESSON, "--force")
    assert score("someone") == 12
    files = {path.name for path in graded("someone").parent.iterdir() if path.is_file()}
    assert files == {NAME, "notes.txt"}


def test_without_a_jail_nothing_is_removed(hand_in: HandIn, autograder: Autograder) -> None:
    hand_in("someone")
    autograder("grade", LESSON, "--workers", 1)
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


def test_what_nbgrader_graded_is_not_graded_again(hand_in: HandIn, autograder: Autograder) -> None:
    hand_in("right", "2026-03-01 12:00:00 UTC")
    hand_in("wrong", merge=WRONG)
    (hand_in("empty") / NAME).write_bytes(b"")
    nbgrader("generate_assignment", LESSON, "--create", "--force")
    nbgrader("autograde", LESSON)
    again = autograder("grade", LESSON, "--workers", 1)
    assert "3 were graded before and have not changed" in again.stderr


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
