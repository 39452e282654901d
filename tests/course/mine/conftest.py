"""A notebook, and a learner's folder with lessons in it."""

from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from course.mine.load_own_file import FILE


class Notebook:
    """Cells that are run in turn share their names."""

    def __init__(self) -> None:
        self.shell = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))

    def __call__(self, source: str, name: str = "merge"):
        self.shell.run_cell(source, store_history=True).raise_error()
        return self.shell.user_ns.get(name)


@pytest.fixture
def cell():
    """A notebook: a cell is run, and what it calls by a name is returned."""
    return Notebook()


@pytest.fixture
def other_lesson(monkeypatch):
    """Opens the notebook of another lesson, beside the first one."""

    def opened():
        monkeypatch.chdir(Path.cwd().parent / "6-the-whole-game")
        return Notebook()

    return opened


@pytest.fixture
def lesson(tmp_path, monkeypatch):
    """A learner's folder; the current folder is that of lesson 1. Returns where it is kept."""
    for folder in ("1-merge-a-line", "6-the-whole-game"):
        (tmp_path / folder).mkdir()
    monkeypatch.chdir(tmp_path / "1-merge-a-line")
    return tmp_path / FILE
