"""Messages below a cell: hints, a name that is not defined, endless recursion."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from course.checks import CheckFailed, NoAnswer
from course.widgets.below_cells.cell_messages import _cell_has_run
from course.widgets.below_cells.cells_without_name import lack_of
from course.widgets.below_cells.error_advice import cut_recursion

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


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[[str, str], str]:
    """Return a function that runs a text in a cell of that id, and returns what is shown below."""
    shell = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))
    shell.events.register("post_run_cell", _cell_has_run)

    def run(source: str, cell: str) -> str:
        shell.run_cell(source, cell_id=cell)
        return capsys.readouterr().out

    return run


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("winning_tile == 2048", "one sign: == only compares"),
        ("print(2048)", "print only shows"),
        ("# winning_tile = 2048", "begins with # does nothing"),
        ("", "begins with # does nothing"),
        ("wining_tile = 2048", "is called wining_tile"),
        ("winning_tile = 2048\nraise NotImplementedError()", "is still there"),
        ("winning tile = 2048", "In line 1 (winning tile = 2048): invalid syntax"),
        ("raise NotImplementedError()", ""),
        ("winning_tile = 2048", ""),
        ("    winning_tile = 2048", ""),
    ],
)
def test_a_cell_that_does_not_define_its_name_is_told_why(
    run: Callable[[str, str], str], source: str, says: str
):
    run(source, "winning_tile")
    said = lack_of("winning_tile", is_known=False)
    assert says in said
    assert bool(says) == bool(said)


def test_an_older_value_says_nothing_about_a_cell(run: Callable[[str, str], str]):
    run("winning_tile = 2048", "winning_tile")
    assert "does not give it a value" in run("winning_tile == 2048", "winning_tile")


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("winning_tile = 2,048", "digits only"),
        ("2048 = winning_tile", "on the left of ="),
        ("winning tile = 2048", "no blanks"),
        ("winning-tile = 2048", "no - in it"),
        ("return 2048", "inside a function"),
        ("print(winning_tile = 2048)", "winning_tile = and the value on a line of its own"),
    ],
)
def test_a_line_that_is_no_python_gets_a_sentence(
    run: Callable[[str, str], str], source: str, says: str
):
    assert says in run(source, "winning_tile")


def test_words_before_a_name_are_no_name_with_blanks(run: Callable[[str, str], str]):
    assert "no blanks" not in run("return tile = 2048", "winning_tile")


def test_a_function_that_is_missing_has_to_begin_with_def(run: Callable[[str, str], str]):
    run("tiles = [2]", "merge")
    assert lack_of("merge", is_known=False).endswith("a line that begins with def merge.")
    assert lack_of("merge", is_known=True) == ""
    run("def merge(line):\n    if line[0] = 2:\n        return line", "merge")
    assert "Maybe you meant '=='" in lack_of("merge", is_known=True)


THREE = """
def reset(n):
    return again(n + 1)
def again(n):
    return once_more(n) if n % 2 else once_more(n + 2)
def once_more(n):
    return reset(n)
reset(0)
"""


@pytest.fixture
def shell() -> InteractiveShell:
    shell = InteractiveShell()
    cut_recursion(shell)
    return shell


def test_an_endless_recursion_shows_its_first_calls_and_how_many_there_are(shell, capsys):
    result = shell.run_cell(THREE)
    said = capsys.readouterr().out
    assert isinstance(result.error_in_exec, RecursionError)
    assert said.count("once_more(n)") < 12
    assert len(said) < 5000
    assert "more calls are not shown: the same lines run again and again." in said


def test_other_errors_are_shown_as_ever(shell, capsys):
    cell = "def half(n):\n    return half(n - 1) / n if n else 1\nhalf(20)\n1 / 0"
    shell.run_cell(cell)
    said = capsys.readouterr().out
    InteractiveShell().run_cell(cell)
    assert said == capsys.readouterr().out


def test_a_shell_that_shows_errors_in_its_own_way_keeps_to_it():
    shell = InteractiveShell()
    shell.set_custom_exc((KeyError,), lambda *_, **__: None)
    cut_recursion(shell)
    assert shell.custom_exceptions == (KeyError,)
