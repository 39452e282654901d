"""What tests of the records share: handing in, and grading it."""

from functools import partial
from pathlib import Path

import pytest

from autograder.sample import Sampler
from tests.autograder.conftest import LESSON, Autograder
from tests.autograder.records.books import Grade, HandIn, hands_in


@pytest.fixture
def hand_in(course: Path, sampler: Sampler) -> HandIn:
    """Hands in a notebook for a student; programs by the names of their exercises."""
    return hands_in(course, sampler)


@pytest.fixture(scope="session")
def grade(autograder: Autograder) -> Grade:
    """Grades in this process; options come after."""
    return partial(autograder, "grade", LESSON, "--workers", 1)


@pytest.fixture
def someone(hand_in: HandIn, grade: Grade) -> Path:
    """What `someone` has handed in, right and graded."""
    folder = hand_in("someone")
    grade()
    return folder
