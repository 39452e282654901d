"""Pages in the folder `feedback/`, where `nbgrader release_feedback` finds them."""

import secrets
from pathlib import Path

from autograder.disk import put_file
from autograder.records.folder import CourseFolder
from autograder.records.timestamp import FILE

_SECRET = "submission_secret.txt"


def put_page(course: CourseFolder, student: str, assignment: str, name: str, text: str) -> Path:
    """Put a student's page into `feedback/` and return its path. Raise `OSError` if that fails.

    The timestamp and the secret are put beside it: nbgrader releases no page of anybody while one
    of these two files is missing beside a page.
    """
    folder = course.feedback(student, assignment)
    folder.mkdir(parents=True, exist_ok=True)
    graded = course.graded(student, assignment)
    for file, otherwise in ((FILE, ""), (_SECRET, secrets.token_hex(64))):
        put_file(folder / file, _text(graded / file) or _text(folder / file) or otherwise)
    path = folder / f"{name}.html"
    put_file(path, text)
    return path


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""
