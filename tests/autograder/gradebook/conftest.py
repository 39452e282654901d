"""Fixtures for the tests of the gradebook: they hand in, grade, and give a graded student."""

import shutil
from functools import partial
from pathlib import Path

import pytest

from autograder.sample import Sampler
from tests.autograder.conftest import LESSON, Autograder, course_in, made_once
from tests.autograder.gradebook.nbgrader_helpers import Grade, HandIn, hands_in


@pytest.fixture
def hand_in(course: Path, sampler: Sampler) -> HandIn:
    """Return a function that hands in a student's notebook: `hand_in("ada", merge=WRONG)`."""
    return hands_in(course, sampler)


@pytest.fixture(scope="session")
def grade(autograder: Autograder) -> Grade:
    """Return a function that runs `autograder grade`; it takes more options of the command."""
    return partial(autograder, "grade", LESSON, "--workers", 1)


@pytest.fixture(scope="session")
def course_of_someone(
    tmp_path_factory: pytest.TempPathFactory,
    new_gradebook: Path,
    kept_plans: Path,
    sampler: Sampler,
    grade: Grade,
) -> Path:
    """Return a course folder, to be copied, in which the student `someone` is graded."""

    def fill(folder: Path) -> None:
        course = course_in(folder, new_gradebook, kept_plans)
        hands_in(course, sampler)("someone")
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(course)
            assert grade().exit_code == 0

    return made_once(tmp_path_factory, "someone", fill)


@pytest.fixture
def someone(course: Path, course_of_someone: Path) -> Path:
    """Put the graded notebook of `someone`, who is right, into the course; return its folder."""
    shutil.copytree(course_of_someone, course, dirs_exist_ok=True)
    return course / "submitted" / "someone" / LESSON
