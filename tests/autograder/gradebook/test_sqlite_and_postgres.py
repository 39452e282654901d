"""Gradebooks in a file and on a PostgreSQL server: both have the same rows, and lose nothing."""

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.gradebook.locks import one_at_a_time
from autograder.gradebook.staleness import FOLDER as PLANS
from autograder.sample import Sampler, real_class
from tests.autograder.conftest import LESSON, Autograder, make_course
from tests.autograder.gradebook.contents import files_of, rows_of
from tests.autograder.gradebook.nbgrader_helpers import (
    LATE_IS_ZERO,
    WRONG,
    Grade,
    HandIn,
    address_of,
    configure,
    gradebook,
    set_database,
    set_due,
    submission,
)
from tests.autograder.gradebook.postgres import Server, running
from tests.autograder.gradebook.test_course_folder_errors import assert_said
from tests.parametrize_marks import one_in

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("postgres")]


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with running() as made:
        yield made


@pytest.fixture
def on_server(course: Path, server: Server) -> str:
    """Give the course a new gradebook on the server; return its address."""
    address = server.new_gradebook()
    set_database(address)
    return address


@pytest.fixture(params=one_in(2, ["file", "server"]))
def database(request: pytest.FixtureRequest, course: Path) -> None:
    if request.param == "server":
        request.getfixturevalue("on_server")


@pytest.fixture(scope="module")
def in_file(
    tmp_path_factory: pytest.TempPathFactory, sampler: Sampler, kept_plans: Path, grade: Grade
) -> Path:
    """Return a course with a class that was graded into a gradebook in a file."""
    course = make_course(tmp_path_factory.mktemp("class") / "course")
    for student in real_class(sampler, 6):
        student.hand_in(course / "submitted" / student.name / LESSON)
    empty = course / "submitted" / "Zoë O'Neill" / LESSON
    empty.mkdir(parents=True)
    (empty / "merge-a-line.ipynb").write_bytes(b"\x00")
    shutil.copytree(kept_plans, course / PLANS)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(course)
        assert grade().exit_code == 1  # one submission cannot be read
    return course


def test_scores_by_hand_outlive_grading_again_and_nbgraders_own_late_penalty_is_assigned(
    database: None, hand_in: HandIn, grade: Grade
) -> None:
    configure(LATE_IS_ZERO)
    set_due()
    hand_in("wrong", "2026-03-01 12:00:00 UTC", merge=WRONG)
    hand_in("late", "2026-03-03 12:00:00 UTC")
    grade()
    with gradebook() as book:
        row = book.find_grade("merge-once", "merge-a-line", LESSON, "wrong")
        row.manual_score, row.extra_credit = 1.5, 0.5
        book.db.commit()
    grade("--force")
    with gradebook() as book:
        row = book.find_grade("merge-once", "merge-a-line", LESSON, "wrong")
        assert (row.auto_score, row.score, row.needs_manual_grade) == (0, 2, True)
        found = [submission(book, name) for name in ("wrong", "late")]
        assert [one.score - one.late_submission_penalty for one in found] == [5, 0]


@pytest.mark.deep
def test_on_a_server_too_what_is_withdrawn_or_removed_does_not_come_back(
    on_server: str, hand_in: HandIn, grade: Grade, autograder: Autograder
) -> None:
    folders = [hand_in(student) for student in ("withdrawn", "removed", "there")]
    grade()
    shutil.rmtree(folders[0])
    out = grade("--withdraw", "withdrawn")
    assert "No copy was kept: the gradebook's own database has to have backups" in out.stderr
    with gradebook() as book:
        book.remove_student("removed")
    again = grade()
    assert "not entered again: removed" in again.stderr
    assert "In the gradebook: 1 of 2 handed in" in again.stderr
    assert_said(autograder("undo", "--yes"), "is no SQLite file", "backups of its own database")


def test_a_class_has_the_same_rows_and_results_on_a_server(
    in_file: Path, course: Path, on_server: str, grade: Grade, autograder: Autograder
) -> None:
    shutil.copytree(in_file / "submitted", "submitted")
    assert grade().exit_code == 1
    assert rows_of(on_server) == rows_of(address_of(in_file))
    said = autograder("results", LESSON).stdout
    os.chdir(in_file)
    assert said == autograder("results", LESSON).stdout


@pytest.mark.deep
def test_two_graders_at_once_lose_nothing(in_file: Path, server: Server, tmp_path: Path) -> None:
    """Each grader has its own folder, as on its own machine; three students are in both folders."""
    shared = server.new_database()
    folders = [make_course(tmp_path / name) for name in ("one", "other")]
    students = sorted(os.listdir(in_file / "submitted"))
    for folder, some in zip(folders, (students[:5], students[2:]), strict=True):
        set_database(shared, folder)
        shutil.copytree(in_file / PLANS, folder / PLANS)
        for student in some:
            shutil.copytree(in_file / "submitted" / student, folder / "submitted" / student)
    command = [sys.executable, "-m", "autograder", "grade", LESSON, "--workers", "1"]
    graders = [
        subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL) for folder in folders
    ]
    assert [grader.wait(120) for grader in graders] == [1, 0]
    assert rows_of(shared) == rows_of(address_of(in_file))
    together = files_of(folders[0] / "autograded") | files_of(folders[1] / "autograded")
    assert together == files_of(in_file / "autograded")


def test_two_folders_with_one_gradebook_in_a_file_are_graded_one_after_the_other(
    tmp_path: Path,
) -> None:
    address = f"sqlite:///{tmp_path / 'gradebook.db'}"
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
    order = []
    waits = threading.Event()

    def grade_second() -> None:
        with one_at_a_time(tmp_path / "second", address, waits.set):
            order.append("second")

    thread = threading.Thread(target=grade_second)
    with one_at_a_time(tmp_path / "first", address, lambda: None):
        thread.start()
        assert waits.wait(10)
        order.append("first")
    thread.join(10)
    assert order == ["first", "second"]


@pytest.mark.parametrize(
    ("database_name", "password", "words"),
    [("postgres", "wrong", "lets nobody in as this user"), ("nowhere", "secret", "createdb")],
    ids=["wrong password", "no such database"],
)
def test_a_server_that_lets_nobody_in_is_said(
    database_name: str, password: str, words: str, server: Server, hand_in: HandIn, grade: Grade
) -> None:
    hand_in("someone")
    set_database(server.url(database_name, password))
    assert_said(grade(), words, "***")
