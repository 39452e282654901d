"""What tests of the records share: handing in."""

import json
from pathlib import Path

import pytest

from autograder.sample import Sampler
from tests.autograder.conftest import LESSON
from tests.autograder.records.books import HandIn


@pytest.fixture
def hand_in(course: Path, sampler: Sampler) -> HandIn:
    """Hands in a notebook for a student; programs by the names of their exercises."""

    def save(student: str, timestamp: str = "", **programs: str) -> Path:
        folder = course / "submitted" / student / LESSON
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(sampler.notebook(**programs))
        (folder / sampler.lesson.notebook).write_text(text, encoding="utf-8")
        if timestamp:
            (folder / "timestamp.txt").write_text(timestamp)
        return folder

    return save
