"""Fixtures for tests of downloads: a gradebook in which a class is entered, and `collect`."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

import pytest
from click.testing import Result

from tests.autograder.conftest import LESSON, Autograder
from tests.autograder.gradebook.lms.names_in_downloads import CLASS, DUE, Collect, saved
from tests.autograder.gradebook.nbgrader_helpers import DOWNLOADED, Files, gradebook, zipped


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


@pytest.fixture
def collect(enrolled: Path, autograder: Autograder) -> Collect:
    """Return a function that collects a download (a path, or files), with options if there are."""

    def run(
        download: Files | Path | str,
        *options: str,
        at: datetime | Mapping[str, datetime] = DOWNLOADED,
        name: str = "download.zip",
    ) -> Result:
        if isinstance(download, Mapping):
            download = saved(zipped(download, at), name)
        return autograder("collect", download, LESSON, *options)

    return run
