"""What tests of the records share: handing in."""

from pathlib import Path

import pytest

from autograder.sample import Sampler
from tests.autograder.records.books import HandIn, hands_in


@pytest.fixture
def hand_in(course: Path, sampler: Sampler) -> HandIn:
    """Hands in a notebook for a student; programs by the names of their exercises."""
    return hands_in(course, sampler)
