"""A look into the gradebook of the working directory, and nbgrader's own programs on it."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from click.testing import Result
from nbgrader.api import Gradebook

from autograder.sample import Sampler
from tests.autograder.conftest import LESSON

HandIn = Callable[..., Path]
Grade = Callable[..., Result]

WRONG = "def merge(line):\n    return close_gaps(line)"
LATE_IS_ZERO = "\nc.LateSubmissionPlugin.penalty_method = 'zero'\n"


def hands_in(course: Path, sampler: Sampler) -> HandIn:
    """Hands in a notebook for a student; programs by the names of their exercises."""

    def save(student: str, timestamp: str = "", **programs: str) -> Path:
        folder = course / "submitted" / student / LESSON
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(sampler.notebook(**programs))
        (folder / sampler.lesson.notebook).write_text(text, encoding="utf-8")
        if timestamp:
            (folder / "timestamp.txt").write_text(timestamp)
        return folder

    return save


def gradebook() -> Any:
    return opened(Path())


def opened(course: Path) -> Any:
    """The gradebook of a course folder, closed at the end of a `with`."""
    return closing(Gradebook(address_of(course), "2048"))


def address_of(course: Path) -> str:
    """The `db_url` that the configuration of a course folder names last, or nbgrader's own."""
    text = (course / "nbgrader_config.py").read_text(encoding="utf-8")
    named = re.findall(r"^c\.CourseDirectory\.db_url = '(.*)'$", text, flags=re.MULTILINE)
    return str(named[-1]) if named else f"sqlite:///{course / 'gradebook.db'}"


def set_database(address: str, course: Path = Path()) -> None:
    """Has the configuration of a course folder name another `db_url`."""
    with (course / "nbgrader_config.py").open("a", encoding="utf-8") as config:
        config.write(f"\nc.CourseDirectory.db_url = {address!r}\n")


def submission(book: Gradebook, student: str) -> Any:
    return book.find_submission(LESSON, student)


def score(student: str) -> float:
    with gradebook() as book:
        return float(submission(book, student).score)


def nbgrader(*arguments: str, status: int = 0) -> str:
    """nbgrader's own program, in the course folder; what it logged."""
    run = subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments], capture_output=True, text=True, check=False
    )
    assert run.returncode == status, run.stderr
    return run.stderr
