"""Fixtures for the tests of the records: one to hand in, one to grade."""

from functools import partial
from pathlib import Path

import pytest

from autograder.sample import Sampler
from tests.autograder.conftest import LESSON, Autograder
from tests.autograder.gradebook.books import Grade, HandIn, hands_in


@pytest.fixture
def hand_in(course: Path, sampler: Sampler) -> HandIn:
    """Return a function that hands in a student's notebook, with programs given by exercise."""
    return hands_in(course, sampler)


@pytest.fixture(scope="session")
def grade(autograder: Autograder) -> Grade:
    """Return a function that grades in this process; its arguments are further options."""
    return partial(autograder, "grade", LESSON, "--workers", 1)


@pytest.fixture
def someone(hand_in: HandIn, grade: Grade) -> Path:
    """Hand in a right notebook of the student `someone`, grade it, and return its folder."""
    folder = hand_in("someone")
    grade()
    return folder
