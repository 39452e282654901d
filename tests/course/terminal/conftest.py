"""The fixture that all tests of the terminal share."""

import pytest


@pytest.fixture
def own(tmp_path):
    """Return a function that writes a learner's file and returns its path."""

    def write(source: str) -> str:
        file = tmp_path / "mine.py"
        file.write_text(source)
        return str(file)

    return write
