"""The course tested as a course: masters, the release made from them, and the manifest."""

import nbformat
import pytest

from autograder.course_adapter import ROOT
from course.lessons import Lesson, lessons


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every test that asks for a `lesson` runs once for each lesson of the manifest."""
    if "lesson" in metafunc.fixturenames:
        metafunc.parametrize("lesson", lessons(), ids=lambda entry: entry.id)


@pytest.fixture
def master(lesson: Lesson) -> nbformat.NotebookNode:
    return nbformat.read(ROOT / "source" / lesson.id / lesson.notebook, as_version=4)
