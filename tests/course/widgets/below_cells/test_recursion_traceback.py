"""A function that calls itself without end: its traceback is short enough to be read."""

import pytest
from IPython.core.interactiveshell import InteractiveShell

from course.widgets.below_cells.error_advice import cut_recursion

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
