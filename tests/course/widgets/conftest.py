"""For tests of widgets and messages: a learner's folder, and the answer to a message of a view."""

from pathlib import Path
from typing import Any

import pytest


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
