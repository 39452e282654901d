"""The play table: the time from a key to the painted board, however Jupyter is started.

Each row is a way to start Jupyter, a notebook of one cell or a hundred, a player, and a size. The
hundred are the whole lesson of the game, solved and run, and a board below it.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbformat.v4 import new_code_cell
from playwright.sync_api import Browser

from course.lab.start import FIRST, command
from course.lessons import lessons
from tests.browser.learner import ROOT, solutions
from tests.browser.notebooks import NotebookPage, notebook_of
from tests.browser.presses import in_short, times_of
from tests.browser.servers import PLAIN_LAB, jupyter_server

SIZES = (4, 8)
FULL = 100
LINE, GAME = (
    next(lesson for lesson in lessons() if name in lesson.builds) for name in ("merge", "Game")
)
OWN = [
    "from random import Random\n\nfrom course import add_to, play\nfrom course.rules import "
    "has_won, is_legal, is_over, new_board, points, rotate, take_turn",
    *solutions(LINE).values(),
    *solutions(GAME).values(),
]
PLAYERS = {
    "own merge": "play(merge=merge, height={size}, width={size}, seed=1)",
    "own Game": "play(game=Game({size}, {size}, Random(1)))",
}


def ways() -> Iterator[tuple[str, str, Sequence[str], dict[str, str]]]:
    """Yield what a learner types, the app that opens, the command behind it, its environment."""
    lab = [word for word in command(Path(), browser=True) if "root" not in word]
    yield "make lab", "lab", lab, {"PYTHONSTARTUP": str(FIRST)}
    yield "jupyter lab", "lab", PLAIN_LAB, {}
    yield "jupyter notebook", "notebook", (sys.executable, "-m", "notebook"), {}


def notebook(cells: int) -> nbformat.NotebookNode:
    """Return a notebook of that many cells; the last is empty, for the board."""
    if cells == 1:
        return notebook_of([""])
    full = nbformat.read(ROOT / "release" / GAME.id / GAME.notebook, as_version=4)
    answers = solutions(GAME)
    for cell in full.cells:
        cell.source = answers.get(cell.id, cell.source)
    full.cells += [new_code_cell("play()") for _ in range(cells - 1 - len(full.cells))]
    full.cells.append(new_code_cell(""))
    return full


def rows_of(page: NotebookPage, cells: int) -> Iterator[tuple[str, list[list[float]]]]:
    """Play each game in the last cell of one notebook; yield each one's row and times."""
    with TemporaryDirectory() as folder:
        nbformat.write(notebook(cells), Path(folder, "lesson.ipynb"))
        page.open(Path(folder, "lesson.ipynb"))
    page.run_all()
    assert not page.errors(), page.errors()
    for player, play in PLAYERS.items():
        for size in SIZES:
            page.set_source(cells - 1, "\n\n".join([*OWN, play.format(size=size)]))
            page.run_cell(cells - 1)
            board = page.cell(cells - 1).locator(".c2048-play")
            board.wait_for()
            yield f"{cells:5} | {player:9} | {size} × {size}", times_of(board)


def print_table(browser: Browser) -> None:
    """Print each row of the table as soon as it is measured."""
    print("started by       | cells | player    | size  |   median    95 %")
    for typed, app, start, environment in ways():
        with (
            TemporaryDirectory() as home,
            jupyter_server(Path(home), start, environment=environment) as server,
        ):
            for cells in (1, FULL):
                page = NotebookPage(browser.new_page(), server, app)
                for row, times in rows_of(page, cells):
                    painted = [time for _, time in times]
                    print(f"{typed:16} | {row} | {in_short(painted)}", flush=True)
                page.page.close()
