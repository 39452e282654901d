"""A look into the gradebook of the working directory, and nbgrader's own programs on it."""

import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook

from tests.autograder.conftest import LESSON

HandIn = Callable[..., Path]

WRONG = "def merge(line):\n    return close_gaps(line)"
LATE_IS_ZERO = "\nc.LateSubmissionPlugin.penalty_method = 'zero'\n"


def gradebook() -> Any:
    return closing(Gradebook("sqlite:///gradebook.db", "2048"))


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
