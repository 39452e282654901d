"""The course of nbgrader's quickstart: this grader enters the same rows as nbgrader itself."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbgrader
import pytest
from nbgrader.api import Gradebook

from autograder.autograde import LINES

pytestmark = [pytest.mark.deep, pytest.mark.xdist_group("foreign")]

GUIDE = Path(nbgrader.__file__).parent / "docs" / "source" / "user_guide"
SETTINGS = "c = get_config()\nc.CourseDirectory.course_id = '2048'\n{}"
COMMANDS = {
    "plain": [["nbgrader", "generate_assignment", "ps1"], ["nbgrader", "autograde", "ps1"]],
    "ours": [["autograder", "grade", "ps1", "--workers", "1"]],
    "both": [["nbgrader", "generate_assignment", "ps1"], ["nbgrader", "autograde", "ps1"]],
}


def rows(course: Path) -> dict[tuple[str, ...], Any]:
    """Return (student, notebook, cell) → what the gradebook says of the cell."""
    found: dict[tuple[str, ...], Any] = {}
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "2048") as book:
        for submission in book.assignment_submissions("ps1"):
            for notebook in submission.notebooks:
                key = submission.student.id, notebook.name
                for grade in notebook.grades:
                    given = grade.auto_score, grade.needs_manual_grade, grade.max_score
                    found[*key, grade.name] = given
                for comment in notebook.comments:
                    found[*key, comment.name, "comment"] = comment.auto_comment
    return found


def run(course: Path, *command: str) -> float:
    """Run a program in a course folder, and return the seconds of processor time that it took."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    before = os.times()
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=course,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    after = os.times()
    return sum(after[2:4]) - sum(before[2:4])


@pytest.fixture(scope="module")
def courses(tmp_path_factory: pytest.TempPathFactory, new_gradebook: Path) -> dict[str, Path]:
    """Make the course of `nbgrader quickstart` once for each key of `COMMANDS`: key → folder."""
    found = {}
    for name in COMMANDS:
        course = found[name] = tmp_path_factory.mktemp(name)
        for folder in ("source", "submitted"):
            left_out = shutil.ignore_patterns("ps1_autotest", "*.html")
            shutil.copytree(GUIDE / folder, course / folder, ignore=left_out)
        shutil.copyfile(new_gradebook, course / "gradebook.db")
        more = "c.IncludeHeaderFooter.header = 'source/header.ipynb'\n"
        more += LINES if name == "both" else ""
        (course / "nbgrader_config.py").write_text(SETTINGS.format(more))
    return found


def test_the_rows_and_comments_of_the_quickstart_are_nbgraders_own(
    courses: dict[str, Path], record_property: Any
) -> None:
    for name, commands in COMMANDS.items():
        seconds = [run(courses[name], *command) for command in commands]
        record_property(f"seconds of a processor, {name}", round(seconds[-1], 2))
    plain = rows(courses["plain"])
    assert len(plain) == 32
    assert plain["bitdiddle", "problem1", "sum_of_squares_uses_squares"] == (0.5, False, 0.5)
    assert rows(courses["ours"]) == plain
    assert rows(courses["both"]) == plain
