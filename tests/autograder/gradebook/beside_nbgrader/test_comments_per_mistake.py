"""One comment to all who made the same mistake, in nbgrader's own table of comments."""

from pathlib import Path

import pytest

from autograder.gradebook.gradebook_backups import copies_of
from tests.autograder.conftest import LESSON, Autograder
from tests.autograder.gradebook.contents import rows_of
from tests.autograder.gradebook.nbgrader_helpers import (
    Grade,
    HandIn,
    address_of,
    gradebook,
    nbgrader,
)
from tests.autograder.gradebook.test_course_folder_errors import assert_said
from tests.autograder.reports.people import CASCADE

BY_HAND = "See me after class."
TO_ALL = "A new tile rests for this move.\n\nLesson 1 has a picture of it."


def comments() -> dict[str, str | None]:
    """Return student → the comment that formgrader shows below the answer `merge`."""
    with gradebook() as book:
        found = {}
        for student in ("ada", "bob", "someone"):
            found[student] = book.find_comment("merge", "merge-a-line", LESSON, student).comment
        return found


@pytest.fixture
def graded(someone: Path, hand_in: HandIn, grade: Grade) -> None:
    """Grade ada and bob, who made the same mistake; bob alone has a comment by hand."""
    hand_in("ada", merge=CASCADE)
    hand_in("bob", merge=CASCADE)
    grade()
    with gradebook() as book:
        book.find_comment("merge", "merge-a-line", LESSON, "bob").manual_comment = BY_HAND
        book.db.commit()


@pytest.mark.usefixtures("graded")
def test_all_who_made_a_mistake_get_a_comment_once_and_what_a_person_wrote_stays(
    autograder: Autograder,
) -> None:
    before = rows_of(address_of(Path()))
    listed = autograder("comment", LESSON)
    assert "2  A merged tile merges again" in listed.stdout
    assert f'autograder comment {LESSON} --mistake "A merged tile merges again"' in listed.stdout
    said = autograder("comment", LESSON, "--mistake", "a merged TILE", TO_ALL)
    assert said.exit_code == 0, said.stderr
    assert "Written to 1: ada" in said.stdout
    assert "Added below a comment that was there, for 1: bob" in said.stdout
    after = {"ada": TO_ALL, "bob": f"{BY_HAND}\n\n{TO_ALL}", "someone": None}
    assert comments() == after
    assert (
        "was there already, for 2: ada, bob"
        in autograder("comment", LESSON, "--mistake", "A merged tile merges again", TO_ALL).stdout
    )
    assert comments() == after
    assert copies_of(address_of(Path()))[0].command == f"comment {LESSON}"
    nbgrader("generate_feedback", LESSON, "--student=ada")
    page = Path("feedback") / "ada" / LESSON / "merge-a-line.html"
    assert "A new tile rests for this move." in page.read_text("utf-8")
    autograder("feedback", LESSON)
    assert "A new tile rests for this move." in page.read_text("utf-8")
    assert autograder("undo", "--yes").exit_code == 0
    assert rows_of(address_of(Path())) == before


@pytest.mark.usefixtures("graded")
def test_a_comment_that_is_for_nobody_is_refused(autograder: Autograder) -> None:
    before = comments()
    for words, why in (
        (("Tiles", TO_ALL), "No mistake begins with 'Tiles'"),
        (("A merged tile", " "), "The comment is empty"),
        (("A merged tile",), "give both"),
    ):
        assert_said(autograder("comment", LESSON, "--mistake", *words), why)
    assert comments() == before
