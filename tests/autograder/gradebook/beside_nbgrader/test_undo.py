"""Copies of the gradebook, and `autograder undo`, which brings them back."""

import os
import shutil
import signal
import subprocess
import sys
from contextlib import closing
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from nbgrader.api import Gradebook
from typer.testing import CliRunner

from autograder.cli import app
from autograder.gradebook.gradebook_backups import copies_of
from autograder.gradebook.locks import one_at_a_time
from tests.autograder.conftest import LESSON, Autograder
from tests.autograder.gradebook.contents import rows_of
from tests.autograder.gradebook.nbgrader_helpers import (
    LATE_IS_ZERO,
    WRONG,
    Grade,
    HandIn,
    address_of,
    configure,
    gradebook,
    score,
    set_database,
    set_due,
    submission,
)
from tests.autograder.gradebook.test_course_folder_errors import assert_said
from tests.parametrize_marks import one_in

Rows = dict[str, list[str]]
COPIES = Path("gradebook-copies")


def rows() -> Rows:
    return rows_of(address_of(Path()))


def commands() -> list[str]:
    return [copy.command for copy in copies_of(address_of(Path()))]


@pytest.fixture
def states(someone: Path, hand_in: HandIn, grade: Grade) -> tuple[Rows, Rows]:
    """Return all rows before and after one more grading and entries by hand."""
    before = rows()
    hand_in("ada", merge=WRONG)
    grade()
    with gradebook() as book:
        book.find_grade("merge-once", "merge-a-line", LESSON, "someone").manual_score = 0.5
        book.find_comment("merge", "merge-a-line", LESSON, "ada").manual_comment = "Nearly."
        book.db.commit()
    return before, rows()


def test_each_run_that_changes_the_gradebook_keeps_a_copy_and_only_the_last_are_kept(
    someone: Path, hand_in: HandIn, grade: Grade, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autograder.gradebook.gradebook_backups.KEPT", 3)
    first = copies_of(address_of(Path()))
    assert commands() == [f"grade {LESSON}"]
    grade()
    assert copies_of(address_of(Path())) == first
    for number in range(3):
        hand_in(f"student-{number}")
        grade()
    numbers = [copy.number for copy in copies_of(address_of(Path()))]
    assert numbers == [first[0].number + more for more in (3, 2, 1)]
    assert len(list(COPIES.iterdir())) == 3


def test_undo_says_what_had_been_done_and_an_undo_is_undone(
    states: tuple[Rows, Rows], autograder: Autograder
) -> None:
    before, after = states
    back = autograder("undo", "--yes")
    assert back.exit_code == 0, back.stderr
    for said in (
        f"before autograder grade {LESSON}",
        "students added: 1 (ada)",
        "submissions entered: 1 (ada)",
        "cells whose score by hand changed: 1 (someone)",
        "cells whose comment by hand changed: 1 (ada)",
    ):
        assert said in back.stderr
    assert rows() == before
    assert "before autograder undo" in autograder("undo", "--list").stdout
    forth = autograder("undo", "--yes")
    assert "submissions taken out: 1 (ada)" in forth.stderr
    assert rows() == after
    assert autograder("undo", "2", "--yes").exit_code == 0
    assert "someone" not in str(rows()["student"])
    assert_said(autograder("undo", "9", "--yes"), "there is no copy 9")


def test_undo_says_who_handed_in_at_another_time_and_whose_late_penalty_changed(
    someone: Path, hand_in: HandIn, grade: Grade, autograder: Autograder
) -> None:
    set_due()
    configure(LATE_IS_ZERO)
    hand_in("someone", "2026-03-09 12:00:00 UTC")
    assert "Fewer points than before: someone 12 → 0" in grade().stderr
    back = autograder("undo", "--yes").stderr
    assert "submissions handed in at another time: 1 (someone)" in back
    assert "late penalties that changed: 1 (someone)" in back


def test_undo_asks_first_and_what_was_undone_is_graded_again_for_nobody_was_removed(
    states: tuple[Rows, Rows], grade: Grade
) -> None:
    for answer, said in (("n\n", "Nothing was changed"), (None, "with --yes it is not asked")):
        result = CliRunner().invoke(app, ["undo"], input=answer)
        assert (result.exit_code, rows()) == (1, states[1])
        assert said in result.stderr
    assert CliRunner().invoke(app, ["undo"], input="y\n").exit_code == 0
    assert rows() == states[0]
    assert "Graded again because the gradebook did not have it: ada" in grade().stderr
    assert score("ada") < 12


def test_a_program_that_has_the_gradebook_open_sees_what_was_brought_back(
    states: tuple[Rows, Rows], autograder: Autograder
) -> None:
    with closing(Gradebook(address_of(Path()), "2048")) as formgrader:
        assert {one.id for one in formgrader.students} == {"ada", "someone"}
        formgrader.db.commit()
        autograder("undo", "--yes")
        assert [one.id for one in formgrader.students] == ["someone"]
        submission(formgrader, "someone").student.first_name = "Somebody"
        formgrader.db.commit()
    assert "Somebody" in str(rows()["student"])


@pytest.mark.slow
def test_undo_waits_until_a_run_is_done(states: tuple[Rows, Rows], course: Path) -> None:
    with one_at_a_time(course, address_of(course), int):
        undo = subprocess.Popen(
            [sys.executable, "-m", "autograder", "undo", "--yes"], stderr=subprocess.PIPE, text=True
        )
        assert undo.stderr is not None
        assert "waiting until it is done" in undo.stderr.readline()
        assert rows() == states[1]
    undo.communicate()
    assert (undo.returncode, rows()) == (0, states[0])


@pytest.mark.parametrize("damage", one_in(4, ["no database", "emptied", "cut off", "removed"]))
def test_a_gradebook_that_is_lost_is_brought_back(
    damage: str, states: tuple[Rows, Rows], autograder: Autograder
) -> None:
    book = Path("gradebook.db")
    whole = book.read_bytes()
    broken = {"no database": b"no database at all" * 1000, "emptied": b"", "cut off": whole[:9000]}
    book.unlink()
    if damage in broken:
        book.write_bytes(broken[damage])
    back = autograder("undo", "--yes")
    assert back.exit_code == 0, back.stderr
    assert f"the gradebook was {'damaged' if damage in broken else 'removed'}" in back.stderr
    assert rows() == states[0]
    kept = [path.read_bytes() for path in COPIES.glob("damaged-*")]
    assert kept == ([broken[damage]] if damage in broken else [])


def test_without_a_copy_or_a_file_it_is_said_what_helps(
    course: Path, autograder: Autograder
) -> None:
    assert_said(autograder("undo", "--yes"), "There is nothing to bring back")
    set_database("postgresql://me:secret@127.0.0.1:1/grades")
    result = autograder("undo", "--yes")
    assert_said(result, "bring it back from the backups of its own database")
    assert "secret" not in result.output


def undo_and_die(course: str, deadly: int, counted: Any) -> None:
    """Run `autograder undo` in this process, and kill the process right before step `deadly`.

    Steps are changes on the disk and openings of a database. Their number goes into `counted`.
    """
    os.chdir(course)
    steps = count(1)

    def watch(event: str, _arguments: tuple[object, ...]) -> None:
        if event in ("os.rename", "os.mkdir", "os.remove", "os.chmod", "sqlite3.connect"):
            counted.value = next(steps)
            if counted.value == deadly:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)
    app(["undo", "--yes"], standalone_mode=False)


@pytest.mark.slow
@pytest.mark.deep
def test_killed_at_any_step_an_undo_loses_neither_of_the_two(
    states: tuple[Rows, Rows], course: Path, tmp_path: Path
) -> None:
    context = get_context("forkserver")
    context.set_forkserver_preload([__name__, "autograder.gradebook.course_folder"])
    counted = context.Value("i", 0)

    def run(folder: Path, deadly: int = 0) -> int | None:
        process = context.Process(target=undo_and_die, args=(str(folder), deadly, counted))
        process.start()
        process.join()
        return process.exitcode

    run(shutil.copytree(course, tmp_path / "whole"))
    steps = counted.value
    assert steps > 10
    for deadly in range(1, steps + 1):
        killed = shutil.copytree(course, tmp_path / f"killed at {deadly}")
        assert run(killed, deadly) == -signal.SIGKILL
        address = address_of(killed)
        kept = [rows_of(f"sqlite:///{copy.path}") for copy in copies_of(address)]
        assert rows_of(address) in states
        assert all(state in (rows_of(address), *kept) for state in states)
        is_before = rows_of(address) == states[0]
        assert run(killed) == 0
        assert rows_of(address) == states[is_before]
        assert not list((killed / COPIES).glob(".unfinished-*"))
