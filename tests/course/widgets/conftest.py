"""A fixture for tests of widgets and messages: a learner's folder."""

from pathlib import Path

import pytest


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a learner's folder, go to its lesson 1, and return the folder."""
    (tmp_path / "1-merge-a-line").mkdir()
    monkeypatch.chdir(tmp_path / "1-merge-a-line")
    return tmp_path
