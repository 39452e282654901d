"""The table of results in a terminal: names stay whole; a repair of many cells takes one line."""

import pytest

from autograder.cli.print_class_tables import show_collection
from autograder.cli.print_verdicts import show_problems, show_verdicts
from autograder.console_output import stdout
from autograder.gradebook.lms.put_into_submitted import NEW, CollectedHandin, Collection
from autograder.grading_data import CheckResult, Outcome, Verdict

Capture = pytest.CaptureFixture[str]


def verdict(*checks: CheckResult, problems: tuple[str, ...] = ()) -> Verdict:
    return Verdict("a.ipynb", "1-merge-a-line", checks, problems)


def lost(name: str, message: str = "") -> CheckResult:
    return CheckResult(name, 0.0, 1.0, Outcome.FAILED, message)


def table_of(capsys: Capture, one: Verdict) -> str:
    show_verdicts([("student-15", one)])
    return capsys.readouterr().out


def test_names_of_checks_are_not_broken_in_a_narrow_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("COLUMNS", "64")
    names = ("tiles-to-front", "merge-once", "leaves-argument-alone")
    passed = CheckResult("every-line", 1.0, 1.0, Outcome.PASSED)
    essay = CheckResult("essay", 0.0, 1.0, Outcome.MANUAL)
    failed = [lost(name, "Tiles are lost " * 9) for name in names]
    printed = table_of(capsys, verdict(passed, essay, *failed))
    assert "leaves-argument-alone" in printed
    assert max(map(len, printed.splitlines())) <= 64


def test_an_address_that_is_a_students_id_stays_in_one_line_where_there_is_room(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    address = "ada.lovelace@mathematics.example"
    show_collection(Collection([CollectedHandin("ada_7", address, NEW)]), "ps1")
    assert address in capsys.readouterr().out


def test_of_a_failed_call_the_cause_is_told_and_not_the_calls_before_it(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    calls = "game = Game(4, 4)\ngame.moves = 9\ngame.score = 28\ngame.reset()\n"
    stopped = "Game has no reset: its cell stopped with SyntaxError: expected ':'"
    for message, cause in (
        (f"{calls}  {stopped}", stopped),
        (f"{calls}  expected  0\n  got       28", "game.reset() · expected 0 · got 28"),
    ):
        line = table_of(capsys, verdict(lost("reset", message))).splitlines()[1]
        assert line.strip().endswith(f"0/1  all          {cause}")


def test_what_a_person_must_grade_waits_and_is_no_zero(capsys: Capture) -> None:
    essay = CheckResult("essay", 0.0, 1.0, Outcome.MANUAL)
    alone = table_of(capsys, verdict(essay))
    assert "waits  1 point for a person to give" in alone
    assert "0/1" not in alone
    beside = table_of(capsys, verdict(essay, lost("no-chain", "merge([2])")))
    assert "0/2  1 point for a person to give  all " in beside


def test_the_variable_columns_sets_the_width_of_tables_in_a_pipe(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for columns, width in (("64", 64), ("", 200), ("wide", 200)):
        monkeypatch.setenv("COLUMNS", columns)
        assert stdout().width == width


def test_what_was_repaired_in_many_cells_is_said_once(capsys: Capture) -> None:
    problems = tuple(f"test cell {name} was missing" for name in ("a", "b", "c"))
    show_problems([("ada", verdict(problems=problems))])
    assert "  3 times: test cell … was missing (a, b, c)" in capsys.readouterr().out
