"""A fixture for tests of downloads: a gradebook in which a class is entered."""

from pathlib import Path

import pytest

from tests.autograder.conftest import LESSON
from tests.autograder.gradebook.lms.downloads import CLASS, DUE
from tests.autograder.gradebook.nbgrader_helpers import gradebook


@pytest.fixture
def enrolled(course: Path) -> Path:
    """Enter a due date and 40 students, two of one name; these two have no number in Canvas."""
    with gradebook() as book:
        for number, (student, first, last) in enumerate(CLASS):
            known = None if student.startswith("bob") else str(1000 + number)
            book.update_or_create_student(
                student, first_name=first, last_name=last, lms_user_id=known
            )
        book.update_or_create_assignment(LESSON, duedate=DUE)
    return course
