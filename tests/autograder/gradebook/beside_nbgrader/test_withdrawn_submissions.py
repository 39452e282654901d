"""Submissions that are gone from `submitted/`, and students who were removed from the course."""

import shutil
from pathlib import Path

import pytest
from nbgrader.api import Base
from sqlalchemy import create_engine, func, select

from tests.autograder.conftest import LESSON, Autograder
from tests.autograder.gradebook.contents import rows_of
from tests.autograder.gradebook.nbgrader_helpers import (
    WRONG,
    Grade,
    HandIn,
    address_of,
    gradebook,
    nbgrader,
    score,
)
from tests.autograder.gradebook.test_course_folder_errors import assert_said

MISTAKE = "Nothing merges"  # the one of the program `WRONG`


def students() -> list[str]:
    with gradebook() as book:
        return sorted(student.id for student in book.students)


def handed_in() -> list[str]:
    with gradebook() as book:
        return sorted(one.student_id for one in book.assignment_submissions(LESSON))


def count(table: str) -> int:
    engine = create_engine(address_of(Path()))
    with engine.connect() as connection:
        query = select(func.count()).select_from(Base.metadata.tables[table])
        found = connection.execute(query).scalar_one()
    engine.dispose()
    return int(found)


@pytest.fixture
def withdrawn(hand_in: HandIn, grade: Grade) -> Path:
    """Grade ada and ben, give ada a score and a comment by hand, and remove ada's folder."""
    folder = hand_in("ada", "2026-03-01 12:00:00 UTC", merge=WRONG)
    hand_in("ben")
    grade()
    with gradebook() as book:
        book.find_grade("merge-once", "merge-a-line", LESSON, "ada").manual_score = 1
        book.find_comment("merge", "merge-a-line", LESSON, "ada").manual_comment = "Nearly."
        book.db.commit()
    shutil.rmtree(folder)
    return folder


def test_a_withdrawn_submission_is_said_and_stays_until_it_is_taken_out(
    withdrawn: Path, grade: Grade, autograder: Autograder
) -> None:
    before = rows_of(address_of(Path()))
    again = grade()
    assert "In the gradebook, but gone from submitted/: ada. Nothing was removed" in again.stderr
    assert f"to remove it: autograder grade {LESSON} --withdraw ada\n" in again.stderr
    assert rows_of(address_of(Path())) == before
    autograder("report", LESSON)
    report = Path("reports", f"{LESSON}.html")
    assert "gone from submitted/: 1" in report.read_text()
    assert MISTAKE in report.read_text()
    grades, comments = count("grade"), count("comment")
    out = grade("--withdraw", "ada")
    assert out.exit_code == 0
    said = " ".join(out.stderr.split())
    assert "goes out of the gradebook: ada, handed in 2026-03-01 12:00:00 UTC: " in said
    assert "with a score by hand: 1, with a comment by hand: 1." in said
    assert (handed_in(), students()) == (["ben"], ["ada", "ben"])
    assert (2 * count("grade"), 2 * count("comment")) == (grades, comments)
    assert count("submitted_notebook") == 1
    assert Path("autograded", "ada", LESSON, "merge-a-line.ipynb").exists()
    assert "gone from submitted/" not in grade().stderr
    autograder("report", LESSON)
    assert "Handed in nothing: 1" in report.read_text()
    assert MISTAKE not in report.read_text()
    autograder("feedback", LESSON)
    assert [page.parts[1] for page in Path("feedback").rglob("*.html")] == ["ben"]
    assert autograder("undo", "--yes").exit_code == 0
    assert rows_of(address_of(Path())) == before


def test_a_submission_that_is_there_or_was_never_graded_is_not_taken_out(
    withdrawn: Path, grade: Grade, autograder: Autograder
) -> None:
    before = rows_of(address_of(Path()))
    there = grade("--withdraw", "ada", "--withdraw", "ben")
    assert_said(there, "ben", "is still there", "nothing was changed")
    assert_said(grade("--withdraw", "eve"), "no submission of eve", "nothing was changed")
    assert rows_of(address_of(Path())) == before
    # where no folder is left, the gradebook is asked
    alone = autograder("grade", LESSON, "--student", "ada")
    assert_said(alone, "nothing was handed in", "what ada handed in", "--withdraw ada")
    shutil.rmtree("submitted")
    both = "what 2 students handed in", f"grade {LESSON} --withdraw ada --withdraw ben"
    assert_said(grade(), "nothing was handed in", *both)


@pytest.mark.deep
def test_a_student_who_was_removed_stays_so_until_something_new_is_handed_in(
    hand_in: HandIn, grade: Grade
) -> None:
    for student in ("ada", "ben"):
        hand_in(student)
    grade()
    nbgrader("db", "student", "remove", "ada", "--force")
    said = grade().stderr
    assert "Removed from the course since they were graded, so not entered again: ada" in said
    assert "1 was graded before and has not changed" in said
    assert grade("--force").exit_code == 0
    log = nbgrader("autograde", LESSON, "--force")
    assert "ada was removed from the course after grading" in log
    assert students() == ["ben"]
    hand_in("ada", merge=WRONG)
    grade()
    assert students() == ["ada", "ben"]
    nbgrader("db", "student", "remove", "ada", "--force")
    grade()
    assert students() == ["ben"]
    nbgrader("db", "student", "add", "ada")
    grade()
    assert score("ada") < score("ben")


@pytest.mark.deep
def test_a_gradebook_from_before_this_was_noted_knows_a_removed_student_after_one_run(
    hand_in: HandIn, grade: Grade
) -> None:
    hand_in("ada")
    hand_in("ben")
    grade()
    with gradebook() as book:
        book.db.connection().exec_driver_sql("DROP TABLE autograder_entered")
        book.db.commit()
    assert "2 were graded before" in grade().stderr
    with gradebook() as book:
        book.remove_student("ada")
    assert "not entered again: ada" in grade().stderr
    assert students() == ["ben"]
