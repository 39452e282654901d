"""The table of results in a terminal: names stay whole; a repair of many cells takes one line."""

import io

import pytest
from rich.console import Console
from rich.text import Text

from autograder.cli.print_class_tables import show_collection
from autograder.cli.print_verdicts import (
    keep_words_whole,
    plain_table,
    show_problems,
    show_verdicts,
)
from autograder.console_output import stdout
from autograder.gradebook.lms.put_into_submitted import NEW, CollectedHandin, Collection
from autograder.grading_data import CheckResult, Outcome, Verdict


def test_names_of_checks_are_not_broken_in_a_narrow_terminal() -> None:
    table = plain_table("student", has_score=True)
    for number, name in enumerate(("state", "checks lost", "likely cause"), 1):
        table.add_column(name, ratio=number, overflow="fold")
    lost = "all but tiles-to-front, merge-once, leaves-argument-alone"
    table.add_row("student-15", "0/12", Text("late"), Text(lost), Text("Tiles are lost " * 9))
    keep_words_whole(table)
    console = Console(file=io.StringIO(), width=64)
    console.print(table)
    printed = console.file.getvalue()  # type: ignore[attr-defined]
    assert "leaves-argument-alone" in printed
    assert max(map(len, printed.splitlines())) <= 64


def test_an_address_that_is_a_students_id_stays_in_one_line_where_there_is_room() -> None:
    address = "ada.lovelace@mathematics.example"
    console = Console(file=io.StringIO(), width=120)
    show_collection(console, Collection([CollectedHandin("ada_7", address, NEW)]), "ps1")
    assert address in console.file.getvalue()  # type: ignore[attr-defined]


def verdict(*checks: CheckResult) -> Verdict:
    return Verdict("a.ipynb", "1-merge-a-line", checks)


def shown(*verdicts: Verdict) -> str:
    console = Console(file=io.StringIO(), width=120)
    show_verdicts(console, [(one.name, one) for one in verdicts], "notebook")
    return console.file.getvalue()  # type: ignore[attr-defined,no-any-return]


def test_of_a_failed_call_the_cause_is_told_and_not_the_calls_before_it() -> None:
    calls = "game = Game(4, 4)\ngame.moves = 9\ngame.score = 28\ngame.reset()\n"
    stopped = "Game has no reset: its cell stopped with SyntaxError: expected ':'"
    for message, cause in (
        (f"{calls}  {stopped}", stopped),
        (f"{calls}  expected  0\n  got       28", "game.reset() · expected 0 · got 28"),
    ):
        line = shown(verdict(CheckResult("reset", 0, 1, Outcome.FAILED, message))).splitlines()[1]
        assert line.strip().endswith(f"0/1  all          {cause}")


def test_what_a_person_must_grade_waits_and_is_no_zero() -> None:
    essay = CheckResult("essay", 0.0, 1.0, Outcome.MANUAL)
    lost = CheckResult("no-chain", 0.0, 1.0, Outcome.FAILED, "merge([2])")
    alone, beside = shown(verdict(essay)), shown(verdict(essay, lost))
    assert "waits  1 point for a person to give" in alone
    assert "0/1" not in alone
    assert "0/2  1 point for a person to give  all " in beside


def test_the_variable_columns_sets_the_width_of_tables_in_a_pipe(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for columns, width in (("64", 64), ("", 200), ("wide", 200)):
        monkeypatch.setenv("COLUMNS", columns)
        assert stdout().width == width


def test_what_was_repaired_in_many_cells_is_said_once() -> None:
    problems = tuple(f"test cell {name} was missing" for name in ("a", "b", "c"))
    console = Console(file=io.StringIO(), width=64)
    show_problems(console, [("ada", Verdict("", "", (), problems))])
    said = console.file.getvalue()  # type: ignore[attr-defined]
    assert "  3 times: test cell … was missing (a, b, c)" in said
