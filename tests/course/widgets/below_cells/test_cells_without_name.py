"""A cell that has run, but has not defined the name of its exercise, is told why."""

from collections.abc import Callable

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from course.widgets.below_cells.cell_messages import _cell_has_run
from course.widgets.below_cells.cells_without_name import lack_of


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
