"""Functions left over from an earlier run of a cell whose last run failed: checks say so."""

from collections.abc import Callable

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from course.checks import check, leftover_functions
from course.checks.leftover_functions import lack_of
from course.widgets.below_cells.cell_messages import _cell_has_run

WRONG = "def merge(line):\n    return line"
SYNTAX = "def merge(line):\n    return line +"
RAISES = "1 / 0\ndef merge(line):\n    return [4, 0]"
SAYS_NEW = "def merge(line):\n    return [2, 0]\nmerge()"
CHECK = "check(merge, [2, 2], gives=[4, 0])"
BEFORE = "Your last change has an error, so this is still your merge from before."


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    """Return a function that runs a text in the cell `cell`, and returns what is printed."""
    monkeypatch.setattr(leftover_functions, "_failed", {})
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


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("winning_tile == 2048", "one sign: == only compares"),
        ("print(2048)", "print only shows"),
        ("wining_tile = 2048", "is called wining_tile"),
        ("winning_tile = 2048\nraise NotImplementedError()", "is still there"),
        ("winning tile = 2048", "In line 1 (winning tile = 2048): invalid syntax"),
        ("raise NotImplementedError()", ""),
        ("winning_tile = 2048", ""),
    ],
)
def test_a_cell_that_does_not_define_its_name_is_told_why(
    run: Callable[..., str], source: str, says: str
):
    run(source, "winning_tile")
    said = lack_of("winning_tile", is_known=False)
    assert says in said
    assert bool(says) == bool(said)


def test_a_function_that_is_missing_has_to_begin_with_def(run: Callable[..., str]):
    run("tiles = [2]", "merge")
    assert lack_of("merge", is_known=False).endswith("It has to begin with def merge.")
    assert lack_of("merge", is_known=True) == ""
    run("def merge(line):\n    if line[0] = 2:\n        return line", "merge")
    assert "Maybe you meant '=='" in lack_of("merge", is_known=True)
