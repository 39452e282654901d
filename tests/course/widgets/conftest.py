"""For tests of widgets: a learner's folder, a puzzle, and the answer to a message of a view."""

from pathlib import Path
from typing import Any

import pytest

from course.hints.parsons_puzzles import puzzle
from course.hints.progressive_hints import PuzzleHint
from course.widgets.hint_widget import PuzzleWidget


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a learner's folder, go to its lesson 1, and return the folder."""
    (tmp_path / "1-merge-a-line").mkdir()
    monkeypatch.chdir(tmp_path / "1-merge-a-line")
    return tmp_path


def answer_to(widget: Any, message: Any) -> dict[str, Any]:
    """Send a message of a view to a widget; return its answer, which must be the only one."""
    answers: list[dict[str, Any]] = []
    widget.send = lambda answer, buffers=None: answers.append(answer)
    widget._handle_custom_msg(message, [])
    [answer] = answers
    return answer


def puzzle_of(name: str) -> PuzzleWidget:
    """Return a widget with the puzzle of an exercise, as the last hint shows it."""
    about = puzzle(name)
    assert about is not None
    return PuzzleWidget(PuzzleHint(3, about))
