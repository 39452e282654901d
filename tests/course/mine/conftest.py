"""Fixtures: a notebook, and a learner's folder with lessons."""

from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from course.mine.load_own_file import FILE


class Notebook:
    """A notebook: its cells are run one by one, and share their names."""

    def __init__(self) -> None:
        self.shell = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))

    def __call__(self, source: str, name: str = "merge"):
        self.shell.run_cell(source, store_history=True).raise_error()
        return self.shell.user_ns.get(name)


@pytest.fixture
def cell():
    """Return a notebook: `cell(source, name)` runs a cell, then returns the value of this name."""
    return Notebook()


@pytest.fixture
def other_lesson(monkeypatch):
    """Return a function that goes to the folder of another lesson, and opens a notebook there."""

    def opened():
        monkeypatch.chdir(Path.cwd().parent / "6-the-whole-game")
        return Notebook()

    return opened


@pytest.fixture
def lesson(tmp_path, monkeypatch):
    """Make a learner's folder, and go to its lesson 1; return the path of `my_2048.py`."""
    for folder in ("1-merge-a-line", "6-the-whole-game"):
        (tmp_path / folder).mkdir()
    monkeypatch.chdir(tmp_path / "1-merge-a-line")
    return tmp_path / FILE
