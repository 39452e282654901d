"""A cell that has run, but has not defined the name of its exercise, is told why."""

from collections.abc import Callable

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from course.widgets.below_cells.cell_messages import _cell_has_run
from course.widgets.below_cells.cells_without_name import lack_of


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[[str, str], None]:
    """Runs a text in a cell of that id."""
    shell = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))
    shell.events.register("post_run_cell", _cell_has_run)

    def run(source: str, cell: str) -> None:
        shell.run_cell(source, cell_id=cell)
        capsys.readouterr()

    return run


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
    run: Callable[[str, str], None], source: str, says: str
):
    run(source, "winning_tile")
    said = lack_of("winning_tile", is_known=False)
    assert says in said
    assert bool(says) == bool(said)


def test_a_function_that_is_missing_has_to_begin_with_def(run: Callable[[str, str], None]):
    run("tiles = [2]", "merge")
    assert lack_of("merge", is_known=False).endswith("a line that begins with def merge.")
    assert lack_of("merge", is_known=True) == ""
    run("def merge(line):\n    if line[0] = 2:\n        return line", "merge")
    assert "Maybe you meant '=='" in lack_of("merge", is_known=True)
