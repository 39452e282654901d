"""The message below a cell that has stopped with an error."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from course.checks import CheckFailed, NoAnswer
from course.widgets.below_cells.cell_messages import _cell_has_run

SOURCE = "# merge-once: every pair merges once.\ncheck(merge, [4, 4, 4, 4], gives=[8, 8, 0, 0])"


@pytest.mark.parametrize(
    ("error", "seen"),
    [
        (CheckFailed("wrong\nHint: Look at the pairs."), "Look at the pairs."),
        (ZeroDivisionError(), ""),
        (NoAnswer(), ""),
        (KeyboardInterrupt(), ""),
    ],
    ids=["wrong", "an error", "late", "stopped"],
)
def test_below_a_check_that_fails_stands_a_button_for_hints(
    error: BaseException, seen: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shown: list[Any] = []
    monkeypatch.setattr("course.widgets.hint_widget.show", lambda made, *_: shown.append(made))
    info = SimpleNamespace(raw_cell=SOURCE, cell_id="merge-once")
    _cell_has_run(
        SimpleNamespace(info=info, success=False, error_before_exec=None, error_in_exec=error)
    )
    assert [(each.exercise, each.seen) for each in shown] == [("merge", seen)]
