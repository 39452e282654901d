"""The results in the gradebook: scores, work for a person, lateness, missing submissions."""

import codecs
import csv
import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from autograder.cli.print_class_tables import show_results, state
from autograder.gradebook.read_grades import COLUMNS, Result, as_csv
from tests.autograder.conftest import LESSON, Autograder
from tests.autograder.gradebook.nbgrader_helpers import (
    LATE_IS_ZERO,
    WRONG,
    Grade,
    HandIn,
    gradebook,
)

ABSENT = "=HYPERLINK(1)"


@pytest.fixture
def graded(hand_in: HandIn, grade: Grade) -> None:
    """Grade a class of four: one is late, one wrong, one handed in an empty file, and one nothing.

    The student who is wrong has a score by hand for one check; another check waits for a person.
    """
    config = Path("nbgrader_config.py")
    config.write_text(config.read_text() + LATE_IS_ZERO)
    with gradebook() as book:
        book.update_or_create_assignment(LESSON, duedate="2026-03-02 00:00:00 UTC")
        book.update_or_create_student(ABSENT, first_name="Ab", last_name="Sent")
    hand_in("late", "2026-03-03 12:00:00 UTC")
    hand_in("wrong", "2026-03-01 12:00:00 UTC", merge=WRONG)
    (hand_in("empty", "2026-03-01 12:00:00 UTC") / "merge-a-line.ipynb").write_bytes(b"")
    grade()
    with gradebook() as book:
        by_hand = book.find_grade("merge-once", "merge-a-line", LESSON, "wrong")
        by_hand.manual_score = 1.5
        book.find_grade("no-chain", "merge-a-line", LESSON, "wrong").needs_manual_grade = True
        book.db.commit()


def test_before_the_due_date_nobody_is_missing(graded: None, autograder: Autograder) -> None:
    with gradebook() as book:
        book.update_or_create_assignment(LESSON, duedate="2999-03-02 00:00:00 UTC")
    text = " ".join(autograder("results", LESSON).stdout.split())
    assert f"{ABSENT} 0/12 Ab Sent not yet due" in text
    assert f"Not yet due, and not here: {ABSENT}" in text
    autograder("report")
    autograder("report", LESSON)
    overview, report = (Path(f"reports/{name}.html").read_text() for name in ("index", LESSON))
    assert ">not yet due<" in overview
    assert ">missing<" not in overview
    assert "Not yet due, and not here" in report


def test_the_table_says_what_the_gradebook_says(graded: None, autograder: Autograder) -> None:
    result = autograder("results", LESSON)
    assert result.exit_code == 0
    text = " ".join(result.stdout.split())
    assert f"{ABSENT} 0/12 Ab Sent handed in nothing" in text
    assert "late 0/12 1 day 12 hours late, 12 taken off" in text
    assert "wrong 4.5/12 1 point for a person to give; 1 score given by hand" in text
    assert "empty 0/12 could not be graded: the file is empty" in text
    assert "In the gradebook: 3 of 4 handed in." in text
    assert f"Handed in nothing: {ABSENT}" in text
    assert "A person has to look at: wrong" in text


def test_points_that_a_person_gave_do_not_wait_after_another_grading(
    graded: None, autograder: Autograder
) -> None:
    again = autograder("grade", LESSON, "--force", "--workers", 1)
    text = " ".join(autograder("results", LESSON).stdout.split())
    assert "wrong 4.5/12 1 score given by hand, to look at again" in text
    assert "A person has to look at: wrong" in text
    assert "A person has to look at: wrong" in again.stderr
    assert "wait" not in autograder("feedback", LESSON).stderr


def test_the_table_for_a_spreadsheet_has_the_same_and_no_formula(
    graded: None, autograder: Autograder
) -> None:
    autograder("results", LESSON, "--csv", "results.csv")
    assert Path("results.csv").read_bytes().startswith(codecs.BOM_UTF8 + b"student,")
    absent, empty, late, wrong = csv.DictReader(
        io.StringIO(Path("results.csv").read_text("utf-8-sig"))
    )
    assert tuple(absent) == COLUMNS
    assert (absent["student"], absent["handed_in"]) == (f"'{ABSENT}", "no")
    assert (late["score"], late["late_penalty"], late["late_seconds"]) == (
        "0.0",
        "12.0",
        "129600.0",
    )
    assert (empty["score"], empty["unreadable"]) == ("0.0", "the file is empty")
    assert (wrong["score"], wrong["points_waiting"], wrong["cells_by_hand"]) == ("4.5", "1.0", "1")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_no_name_is_a_formula(start: str) -> None:
    text = as_csv([Result(f"{start}1", f"{start}2", f"{start}3", True, 12.0)])
    row = list(csv.reader(io.StringIO(text, newline="")))[1]
    assert row[:3] == [f"'{start}{number}" for number in (1, 2, 3)]


def test_grading_shows_what_the_gradebook_says_also_beside_the_verdict(
    graded: None, grade: Grade
) -> None:
    again = grade("--force")
    assert "late 0/12 1 day 12 hours late, 12 taken off" in " ".join(again.stdout.split())
    assert f"Handed in nothing: {ABSENT}" in again.stderr
    again = grade("--force", "--json", "--student", "late")
    told = json.loads(again.stdout)
    assert (told["score"], told["gradebook"]["score"]) == (12.0, 0.0)
    assert list(told["gradebook"]) == list(COLUMNS)


def test_nothing_is_cut_off_at_80_columns(capsys: pytest.CaptureFixture[str]) -> None:
    student = "a-student-whose-id-is-longer-than-any-column-would-be-x"
    result = Result(student, "of the Long Name", "Somebody", True, 12.0, 10.0, 2.5, 90061, 3.0, 2)
    show_results(Console(width=80), [result], "ps1")
    shown = capsys.readouterr().out
    assert "…" not in shown
    assert max(map(len, shown.splitlines())) <= 80
    columns = shown.splitlines()[1:-2]
    assert student in "".join(line.split(" ")[0] for line in columns)
    for word in state(result).split():
        assert word in shown
    assert "7.5/12" in shown


def test_many_who_handed_in_nothing_are_only_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    absent = [Result(f"absent-{n}", "", "", False, 12.0) for n in range(11)]
    results = [*absent, Result("there", "", "", True, 12.0, 10.0)]
    show_results(Console(width=80), results, "ps1")
    shown = capsys.readouterr().out
    assert "there" in shown
    assert "1 of 12 handed in" in shown
    assert "Handed in nothing: 11 (autograder results ps1 --csv FILE: who)" in shown
    assert "absent-" not in shown
