"""For expected trouble, such as a damaged gradebook, one sentence says what to do."""

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import Result

from autograder.course_adapter import ROOT
from autograder.gradebook import write_grades as scores
from autograder.sample import Sampler
from tests.autograder.conftest import LESSON, Autograder
from tests.autograder.gradebook.nbgrader_helpers import Grade, HandIn, score, set_database


def assert_said(result: Result, *words: str, status: int = 2) -> None:
    assert result.exit_code == status, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    for word in words:
        assert word in result.stderr
    assert "Traceback" not in result.output


COMMANDS = pytest.mark.parametrize("command", ["grade", "results"])


@COMMANDS
def test_a_gradebook_that_is_none(command: str, hand_in: HandIn, autograder: Autograder) -> None:
    hand_in("someone")
    Path("gradebook.db").write_bytes(b"no database at all" * 1000)
    assert_said(autograder(command, LESSON), "is damaged, or no gradebook", "Put back a copy")


@COMMANDS
def test_a_gradebook_of_another_version(
    command: str, hand_in: HandIn, autograder: Autograder
) -> None:
    hand_in("someone")
    with closing(sqlite3.connect("gradebook.db")) as database:
        database.execute("ALTER TABLE assignment DROP COLUMN duedate")
    assert_said(autograder(command, LESSON), "is of another version", "nbgrader db upgrade")


@pytest.mark.deep
@pytest.mark.slow
def test_a_gradebook_that_another_program_holds(hand_in: HandIn, grade: Grade) -> None:
    hand_in("someone")
    with closing(sqlite3.connect("gradebook.db", isolation_level=None)) as database:
        database.execute("BEGIN EXCLUSIVE")
        assert_said(grade(), "is locked by another program")
    assert not Path("autograded").exists()


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("mysql://root:secret@localhost/grades", ("needs the Python package MySQLdb", "***")),
        ("postgresql://me:secret@127.0.0.1:1/grades", ("cannot be reached", "***")),
        ("postgresql://me:secret@127.0.0.1:1", ("cannot be reached", "***")),
        ("nonsense", ("is no address of a database",)),
        ("strange://localhost/grades", ("is no address of a database",)),
        ("sqlite:////nowhere/at/all/gradebook.db", ("cannot be opened",)),
    ],
    ids=[
        "driver missing",
        "nobody there",
        "no name",
        "no address",
        "no such kind",
        "no such folder",
    ],
)
def test_a_gradebook_that_can_not_be_opened(
    url: str, words: tuple[str, ...], hand_in: HandIn, grade: Grade
) -> None:
    hand_in("someone")
    set_database(url)
    result = grade()
    assert_said(result, *words)
    assert "secret" not in result.output


def test_a_gradebook_that_fails_in_the_middle_keeps_what_was_recorded(
    hand_in: HandIn, grade: Grade, monkeypatch: pytest.MonkeyPatch
) -> None:
    for student in ("first", "second", "third"):
        hand_in(student)
    monkeypatch.setattr("autograder.grading_run._BATCH", 2)
    monkeypatch.setattr("autograder.grading_run._SECONDS", 600.0)
    whole = Path("gradebook.db")

    def write(course: object, entries: list[scores.Graded]) -> dict[str, str]:
        if len(entries) == 1:
            whole.rename("kept.db")
            whole.write_bytes(b"damaged" * 10_000)
        return scores.write(course, entries)  # type: ignore[arg-type]

    monkeypatch.setattr("autograder.grading_run.write", write)
    result = grade()
    assert_said(result, "is damaged", "What is not in the list was not recorded", status=1)
    Path("kept.db").rename(whole)
    recorded = sorted(os.listdir("autograded"))
    assert [score(student) for student in recorded] == [12, 12]
    assert all(student in result.stdout for student in recorded)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense", "ftp://127.0.0.1:8786"])
def test_a_scheduler_that_does_not_answer(
    address: str, hand_in: HandIn, autograder: Autograder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autograder.workers.dask_cluster._CONNECT", 1.0)
    hand_in("someone")
    assert_said(
        autograder("grade", LESSON, "--scheduler", address),
        f"No Dask scheduler answers at {address}",
        "dask scheduler",
    )


def test_no_source_folder(course: Path, autograder: Autograder) -> None:
    (course / "source").rename(course / "elsewhere")
    assert_said(autograder("grade", LESSON), "run this in the course's folder")


def test_no_release_folder(course: Path, autograder: Autograder) -> None:
    result = autograder("sample", LESSON, "--students", 2, "--into", course / "sample")
    assert_said(result, "is missing; nbgrader generate_assignment")


def test_no_gradebook_yet(course: Path, autograder: Autograder) -> None:
    (course / "gradebook.db").unlink()
    assert_said(autograder("results", LESSON), "no gradebook yet")
    assert not (course / "gradebook.db").exists()


def test_a_lesson_that_the_gradebook_does_not_know(course: Path, autograder: Autograder) -> None:
    assert_said(
        autograder("results", f"source/{LESSON}/"), f"No such assignment: {LESSON}", "grade enters"
    )


@pytest.mark.parametrize("command", ["results", "feedback", "report"])
def test_a_lesson_that_the_course_does_not_have_is_not_promised(
    command: str, course: Path, autograder: Autograder
) -> None:
    assert_said(autograder(command, "9-nowhere"), f"has no assignment 9-nowhere; it has {LESSON}")


def test_a_table_is_not_written_under_the_name_of_another_format(
    someone: Path, autograder: Autograder
) -> None:
    for command in ("results", "report"):
        assert_said(autograder(command, LESSON, "--csv", "out.xlsx"), "out.csv")
    assert not Path("out.xlsx").exists()


def test_a_notebook_of_another_lesson_is_one_line_that_says_so(course: Path, grade: Grade) -> None:
    other = Sampler(ROOT, "3-spawn").notebook()
    for student in ("ada", "bob"):
        folder = course / "submitted" / student / LESSON
        folder.mkdir(parents=True)
        (folder / "merge-a-line.ipynb").write_text(json.dumps(other), encoding="utf-8")
    lines = grade().stdout.splitlines()
    said = "this is the notebook of 3-spawn; hand in merge-a-line.ipynb of 1-merge-a-line"
    assert [line.split()[:2] for line in lines[1:]] == [["ada", "0/12"], ["bob", "0/12"]]
    assert all(line.strip().endswith(said) for line in lines[1:])


def test_a_configuration_that_is_no_program(course: Path, autograder: Autograder) -> None:
    (course / "nbgrader_config.py").write_text("c = (")
    assert_said(autograder("grade", LESSON), "configuration cannot be read (SyntaxError")
