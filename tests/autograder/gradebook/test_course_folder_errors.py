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


@pytest.mark.parametrize("command", ["grade", "results"])
def test_a_gradebook_of_another_version_or_that_is_none(
    command: str, hand_in: HandIn, autograder: Autograder
) -> None:
    hand_in("someone")
    with closing(sqlite3.connect("gradebook.db")) as database:
        database.execute("ALTER TABLE assignment DROP COLUMN duedate")
    assert_said(autograder(command, LESSON), "is of another version", "nbgrader db upgrade")
    Path("gradebook.db").write_bytes(b"no database at all" * 1000)
    assert_said(autograder(command, LESSON), "is damaged, or no gradebook", "Put back a copy")


@pytest.mark.deep
@pytest.mark.slow
def test_a_gradebook_that_another_program_holds(hand_in: HandIn, grade: Grade) -> None:
    hand_in("someone")
    with closing(sqlite3.connect("gradebook.db", isolation_level=None)) as database:
        database.execute("BEGIN EXCLUSIVE")
        assert_said(grade(), "is locked by another program")
    assert not Path("autograded").exists()


SERVER = "postgresql://me:secret@127.0.0.1:1"
UNUSABLE = {
    "driver missing": (
        "mysql://root:secret@localhost/grades",
        ("needs the Python package MySQLdb", "course-2048[cluster]", "***"),
    ),
    "nobody there": (f"{SERVER}/grades", ("cannot be reached", "***")),
    "no name": (SERVER, ("cannot be reached", "***")),
    "no address": ("nonsense", ("is no address of a database",)),
    "no such kind": ("strange://localhost/grades", ("is no address of a database",)),
    "no such folder": ("sqlite:////nowhere/at/all/gradebook.db", ("cannot be opened",)),
}


@pytest.mark.parametrize(("url", "words"), UNUSABLE.values(), ids=UNUSABLE)
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


def test_what_is_not_there_is_said(course: Path, autograder: Autograder) -> None:
    for command in ("results", "feedback", "report"):
        said = f"has no assignment 9-nowhere; it has {LESSON}"
        assert_said(autograder(command, "9-nowhere"), said)
    unknown = autograder("results", f"source/{LESSON}/")
    assert_said(unknown, f"No such assignment: {LESSON}", "grade enters")
    sample = autograder("sample", LESSON, "--students", 2, "--into", course / "sample")
    assert_said(sample, "is missing; nbgrader generate_assignment")
    (course / "gradebook.db").unlink()
    assert_said(autograder("results", LESSON), "no gradebook yet")
    assert not (course / "gradebook.db").exists()
    (course / "source").rename(course / "elsewhere")
    assert_said(autograder("grade", LESSON), "run this in the course's folder")
    (course / "nbgrader_config.py").write_text("c = (")
    assert_said(autograder("grade", LESSON), "configuration cannot be read (SyntaxError")


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
