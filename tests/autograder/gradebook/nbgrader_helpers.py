"""Helpers that hand in and pack notebooks, set up and read gradebooks, run nbgrader's programs."""

import io
import json
import re
import stat
import subprocess
import sys
import zipfile
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

from click.testing import Result
from nbgrader.api import Gradebook

from autograder.sample import Sampler
from tests.autograder.conftest import LESSON

HandIn = Callable[..., Path]
Grade = Callable[..., Result]
Files = Mapping[str, str | bytes]

WRONG = "def merge(line):\n    return close_gaps(line)"
LATE_IS_ZERO = "\nc.LateSubmissionPlugin.penalty_method = 'zero'\n"
DOWNLOADED = datetime(2026, 3, 9, 8)
BOOK = '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'


def zipped(files: Files, at: datetime | Mapping[str, datetime] = DOWNLOADED) -> bytes:
    """Return a zip file; a file with the content `LINK` becomes a link; `at` may be name → time."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in files.items():
            moment = at if isinstance(at, datetime) else at[name]
            info = zipfile.ZipInfo(name, moment.timetuple()[:6])
            info.compress_type = zipfile.ZIP_DEFLATED
            if content == "LINK":
                info.external_attr = (stat.S_IFLNK | 0o777) << 16
            file.writestr(info, content)
    return made.getvalue()


def hands_in(course: Path, sampler: Sampler) -> HandIn:
    """Return a function that hands in a notebook for a student, and returns the submitted folder.

    The function takes programs by exercise, such as `merge=WRONG`; the others are right ones.
    """

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
    """Open the gradebook of a course folder; the end of a `with` block closes it."""
    return closing(Gradebook(address_of(course), "2048"))


def address_of(course: Path) -> str:
    """Return the last `db_url` in the configuration of a course folder, or nbgrader's default."""
    text = (course / "nbgrader_config.py").read_text(encoding="utf-8")
    named = re.findall(r"^c\.CourseDirectory\.db_url = '(.*)'$", text, flags=re.MULTILINE)
    return str(named[-1]) if named else f"sqlite:///{course / 'gradebook.db'}"


def configure(lines: str, course: Path = Path()) -> None:
    """Append lines to the configuration of a course folder."""
    with (course / "nbgrader_config.py").open("a", encoding="utf-8") as config:
        config.write(f"\n{lines}\n")


def set_database(address: str, course: Path = Path()) -> None:
    configure(f"c.CourseDirectory.db_url = {address!r}", course)


def set_due(moment: str = "2026-03-02 00:00:00 UTC") -> None:
    with gradebook() as book:
        book.update_or_create_assignment(LESSON, duedate=moment)


def submission(book: Gradebook, student: str) -> Any:
    return book.find_submission(LESSON, student)


def score(student: str) -> float:
    with gradebook() as book:
        return float(submission(book, student).score)


def nbgrader(*arguments: str, status: int = 0) -> str:
    """Run nbgrader in the working directory; return its log."""
    run = subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments], capture_output=True, text=True, check=False
    )
    assert run.returncode == status, run.stderr
    return run.stderr
