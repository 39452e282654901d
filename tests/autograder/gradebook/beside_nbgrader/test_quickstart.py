"""The course of nbgrader's quickstart: this grader enters the same rows as nbgrader itself."""

import shutil
from pathlib import Path
from typing import Any

import nbgrader as installed
import pytest

from autograder.autograde import LINES
from tests.autograder.conftest import Autograder
from tests.autograder.gradebook.nbgrader_helpers import nbgrader, opened

pytestmark = [pytest.mark.deep, pytest.mark.xdist_group("foreign")]

GUIDE = Path(installed.__file__).parent / "docs" / "source" / "user_guide"
SETTINGS = """c = get_config()
c.CourseDirectory.course_id = '2048'
c.IncludeHeaderFooter.header = 'source/header.ipynb'
"""


def rows(course: Path) -> dict[tuple[str, ...], Any]:
    """Return (student, notebook, cell) → what the gradebook says of the cell."""
    found: dict[tuple[str, ...], Any] = {}
    with opened(course) as book:
        for submission in book.assignment_submissions("ps1"):
            for notebook in submission.notebooks:
                key = submission.student.id, notebook.name
                for grade in notebook.grades:
                    given = grade.auto_score, grade.needs_manual_grade, grade.max_score
                    found[*key, grade.name] = given
                for comment in notebook.comments:
                    found[*key, comment.name, "comment"] = comment.auto_comment
    return found


def test_the_rows_and_comments_of_the_quickstart_are_nbgraders_own(
    tmp_path: Path, new_gradebook: Path, autograder: Autograder, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = {}
    for grader in ("nbgrader", "autograder", "nbgrader with this grader"):
        course = tmp_path / grader
        for folder in ("source", "submitted"):
            left_out = shutil.ignore_patterns("ps1_autotest", "*.html")
            shutil.copytree(GUIDE / folder, course / folder, ignore=left_out)
        shutil.copyfile(new_gradebook, course / "gradebook.db")
        more = LINES if grader.endswith("this grader") else ""
        (course / "nbgrader_config.py").write_text(SETTINGS + more)
        monkeypatch.chdir(course)
        if grader == "autograder":
            assert autograder("grade", "ps1", "--workers", 1).exit_code == 0
        else:
            nbgrader("generate_assignment", "ps1")
            nbgrader("autograde", "ps1")
        found[grader] = rows(course)
    plain = found["nbgrader"]
    assert len(plain) == 32
    assert plain["bitdiddle", "problem1", "sum_of_squares_uses_squares"] == (0.5, False, 0.5)
    assert found["autograder"] == plain
    assert found["nbgrader with this grader"] == plain
