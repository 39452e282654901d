"""The writing of graded notebooks: odd files of a student are reported, and harm no others.

In a folder that several instructors share, each may write what another has made.
"""

import json
import os
import resource
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from autograder.gradebook.course_folder import CourseFolder
from tests.autograder.conftest import LESSON
from tests.autograder.gradebook.nbgrader_helpers import Grade, HandIn, score
from tests.parametrize_marks import one_in, some_in_every_run

DEPTH = 1500


def a_deep_tree(folder: Path, name: str = "d" * 3) -> None:
    """Make folders within folders, with a file in each, until paths are too long to be opened."""
    here = os.open(folder, os.O_RDONLY)
    for _ in range(DEPTH):
        os.mkdir(name, dir_fd=here)
        below = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
        os.close(os.open("file.txt", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)


def is_written(student: str) -> bool:
    return Path("autograded", student, LESSON, "merge-a-line.ipynb").is_file()


def a_pipe(folder: Path) -> None:
    os.mkfifo(folder / "pipe")


def long_names(folder: Path) -> None:
    for letter in "abcdefghijklmno":
        folder = folder / (letter * 240)
        folder.mkdir()
        (folder / ("f" * 250)).write_text("")


@pytest.fixture(autouse=True)
def cleared(tmp_path: Path) -> Iterator[None]:
    """Remove the course folder after a test, because pytest cannot remove a tree so deep."""
    yield
    subprocess.run(["rm", "-rf", tmp_path / "a course"], check=True)


@pytest.mark.parametrize("trouble", one_in(3, [a_pipe, a_deep_tree, long_names]))
def test_odd_files_beside_a_notebook_keep_nobodys_from_being_written(
    trouble: Callable[[Path], None], hand_in: HandIn, grade: Grade
) -> None:
    trouble(hand_in("first"))
    hand_in("second")
    assert grade().exit_code == 0
    assert is_written("first")
    assert is_written("second")
    assert sorted(os.listdir("autograded")) == ["first", "second"]


@pytest.mark.deep
def test_no_name_that_moves_a_terminal_comes_along(hand_in: HandIn, grade: Grade) -> None:
    """Such a name would reach the terminal, because nbgrader prints the names of copied files."""
    folder = hand_in("first")
    (folder / "red \x1b[31m.txt").write_text("")
    (folder / "h\u00e9.txt").write_text("")
    result = grade("--json")
    [problem] = json.loads(result.stdout)["problems"]
    assert problem == r"red \x1b[31m.txt was left out: odd characters in its name"
    names = os.listdir(f"autograded/first/{LESSON}")
    assert [name for name in names if name.endswith(".txt")] == ["h\u00e9.txt"]


IN_THE_WAY = {
    "a file": (Path("autograded", "first"), Path.touch),
    "a file in the place of the lesson": (Path("autograded", "first", LESSON), Path.touch),
    "a link to nowhere": (Path("autograded", "first"), lambda path: path.symlink_to("/nowhere/x")),
}


@pytest.mark.parametrize(("path", "put"), some_in_every_run(IN_THE_WAY, ["a link to nowhere"]))
def test_what_is_in_the_way_of_one_notebook_is_kept_and_said_until_it_is_moved(
    path: Path, put: Callable[[Path], None], hand_in: HandIn, grade: Grade
) -> None:
    path.parent.mkdir(parents=True)
    put(path)
    hand_in("first")
    hand_in("second")
    result = grade()
    assert result.exit_code == 1
    assert "the score is recorded, but the graded notebook could not be written" in result.stdout
    assert "is in the way; move it elsewhere" in result.stdout
    assert is_written("second")
    assert (score("first"), score("second")) == (12, 12)
    assert sorted(os.listdir("autograded")) == ["first", "second"]
    assert os.path.lexists(path)
    path.unlink()
    again = grade()
    assert (again.exit_code, is_written("first")) == (0, True)
    assert "its graded notebook was not there: first" in again.stderr


@pytest.mark.deep
def test_a_disk_that_takes_no_more_costs_only_what_did_not_fit(
    hand_in: HandIn, grade: Grade
) -> None:
    hand_in("first")
    grade()
    before = Path("autograded", "first", LESSON, "merge-a-line.ipynb").read_bytes()
    hand_in("first", close_gaps="# " + "x" * 3_000_000)
    hand_in("second")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2_500_000, hard))
    try:
        result = grade()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert result.exit_code == 1
    assert "could not be written: File too large" in result.stdout
    assert is_written("second")
    assert Path("autograded", "first", LESSON, "merge-a-line.ipynb").read_bytes() == before
    assert sorted(os.listdir("autograded")) == ["first", "second"]


@pytest.mark.deep
def test_a_submission_that_vanishes_changes_nothing_and_is_said(
    hand_in: HandIn, grade: Grade, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = hand_in("first")
    hand_in("second")
    grade()
    folders = CourseFolder().handed_in(LESSON)
    monkeypatch.setattr(CourseFolder, "handed_in", lambda *_: folders)
    shutil.rmtree(folder)
    result = grade()
    assert result.exit_code == 1
    assert "the submission vanished" in result.stdout
    assert score("first") == 12
    assert is_written("first")


def test_another_instructor_may_write_what_is_made_in_a_folder_that_they_share(
    course: Path, hand_in: HandIn, grade: Grade
) -> None:
    hand_in("someone")
    lock = course / ".autograder-lock"
    lock.touch()
    lock.chmod(0o644)  # of an earlier run
    course.chmod(0o2775)
    usual = os.umask(0o022)
    try:
        grade()
        assert os.umask(0o022) == 0o022
    finally:
        os.umask(usual)
    folders = (path for path in Path("autograded").rglob("*") if path.is_dir())
    made = [lock, course / "gradebook.db", *folders]
    assert [path for path in made if not path.stat().st_mode & 0o020] == []
    assert is_written("someone")
