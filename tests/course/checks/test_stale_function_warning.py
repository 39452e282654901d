"""Warnings of checks that a function comes from an earlier run of a cell whose last run failed."""

from collections.abc import Callable

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from course.checks import check, failed
from course.widgets.below_cells.cell_messages import _cell_has_run

WRONG = "def merge(line):\n    return line"
SYNTAX = "def merge(line):\n    return line +"
RAISES = "1 / 0\ndef merge(line):\n    return [4, 0]"
SAYS_NEW = "def merge(line):\n    return [2, 0]\nmerge()"
CHECK = "check(merge, [2, 2], gives=[4, 0])"
BEFORE = "Your last change has an error, so this is still your merge from before."


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    """Return a function `run(source, cell)`, which runs a cell and returns what is printed."""
    monkeypatch.setattr(failed, "_failed", {})
    shell = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))
    shell.events.register("post_run_cell", _cell_has_run)
    shell.user_ns["check"] = check

    def run(source: str, cell: str = "merge") -> str:
        capsys.readouterr()
        shell.run_cell(source, cell_id=cell)
        return capsys.readouterr().out

    return run


@pytest.mark.parametrize("change", [SYNTAX, RAISES], ids=["no Python", "an error"])
def test_after_a_change_with_an_error_a_failing_check_says_so(run: Callable[..., str], change: str):
    run(WRONG)
    assert BEFORE not in run(CHECK, "check")
    run(change)
    assert BEFORE in run(CHECK, "check")


@pytest.mark.parametrize("cell", ["merge", "another"])
def test_a_change_that_is_mended_is_forgotten(run: Callable[..., str], cell: str):
    run(WRONG)
    run(SYNTAX)
    run(WRONG, cell)
    assert BEFORE not in run(CHECK, "check")


def test_a_function_that_was_defined_before_the_error_is_new(run: Callable[..., str]):
    run(WRONG)
    run(SAYS_NEW)
    assert BEFORE not in run(CHECK, "check")


def test_a_name_that_was_not_imported_is_told_with_the_cell_that_brings_it(
    run: Callable[..., str],
):
    assert "Run the first code cell of this notebook" in run("play(merge=1)")
    assert "Run the first code cell" not in run("unknown(1)")
