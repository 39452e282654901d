"""The set-up of the tests of the lessons: a test can ask for a lesson, or for its master.

A master is the instructor's copy of a lesson's notebook, with solutions and hidden tests.
"""

from functools import cache
from pathlib import Path

import nbformat
import pytest

from autograder.course_adapter import ROOT
from course.lessons import Lesson, lessons


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run every test that asks for a `lesson` once for each lesson of the course."""
    if "lesson" in metafunc.fixturenames:
        metafunc.parametrize("lesson", lessons(), ids=lambda entry: entry.id)


@cache
def notebook(path: Path) -> nbformat.NotebookNode:
    """Return a notebook, which is read only once; no test may change it."""
    return nbformat.read(path, as_version=4)


@pytest.fixture
def master(lesson: Lesson) -> nbformat.NotebookNode:
    return notebook(ROOT / "source" / lesson.id / lesson.notebook)
