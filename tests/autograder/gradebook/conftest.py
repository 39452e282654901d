"""Fixtures for the tests of the gradebook: to hand in, to grade, and a graded student."""

from functools import partial
from pathlib import Path

import pytest

from autograder.sample import Sampler
from tests.autograder.conftest import LESSON, Autograder
from tests.autograder.gradebook.nbgrader_helpers import Grade, HandIn, hands_in


@pytest.fixture
def hand_in(course: Path, sampler: Sampler) -> HandIn:
    """Return a function that hands in a student's notebook; it takes programs by exercise."""
    return hands_in(course, sampler)


@pytest.fixture(scope="session")
def grade(autograder: Autograder) -> Grade:
    """Return a function that runs `autograder grade`; its arguments are further options."""
    return partial(autograder, "grade", LESSON, "--workers", 1)


@pytest.fixture
def someone(hand_in: HandIn, grade: Grade) -> Path:
    """Hand in a right notebook of the student `someone`, grade it, and return the folder."""
    folder = hand_in("someone")
    grade()
    return folder
