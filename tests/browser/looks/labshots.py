"""Pictures of cells of a lesson in a real JupyterLab: wide and narrow, light and dark."""

import json
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from playwright.sync_api import Browser, Page

from autograder.misconceptions import catalogue
from course.lab.start import MAP
from course.lessons import lessons
from course.mine.passed_checks import Results, write
from tests.browser.notebook_page import NotebookPage, notebook_of
from tests.browser.servers import jupyter_server
from tests.browser.whole.learner import solutions

SIZES = {"wide": 1200, "narrow": 400}
MERGING, GAME = "1-merge-a-line", "6-the-whole-game"
RECURSIVE = """def merge(line):
    tiles = [tile for tile in line if tile]
    if len(tiles) < 2:
        return tiles + [0] * (len(line) - len(tiles))
    if tiles[0] == tiles[1]:
        return [2 * tiles[0]] + merge(tiles[2:]) + [0] * (len(line) - len(tiles) + 1)
    return tiles[:1] + merge(tiles[1:]) + [0] * (len(line) - len(tiles))"""
ERROR = """def merge(line):
    squares = list(line)
    for index in range(len(squares)):
        if squares[index] == squares[index + 1]:
            squares[index] = 2 * squares[index]
    return squares"""
CHECK = "# merge-a-pair: two equal neighbours become one tile of twice the value.\n"


def of_lesson_1() -> dict[str, str]:
    """Return the source of a cell for each picture of lesson 1, by the picture's name."""
    own = solutions(lessons()[1])
    return {
        "code": "from course import check, hint, play, progress, watch\n\n\n"
        + "\n\n\n".join(own.values()),
        "success": CHECK + "check(merge, [2, 2, 0, 0], gives=[4, 0, 0, 0])",
        "progress": "progress()",
        "puzzle": 'hint("merge")\nhint("merge")\nhint("merge")',
        "watch": "watch(merge, [2, 0, 2, 4])",
        "error": f"{ERROR}\n\n\nwatch(merge, [2, 4, 4])",
        "recursion": f"{RECURSIVE}\n\n\nwatch(merge, [2, 2, 4, 8])",
        "wrong": "def rotate(board):\n    return [list(row) for row in zip(*board)]\n\n\n"
        "play(rotate=rotate, board=[[2, 4, 8], [0, 0, 2], [4, 2, 2]])",
        # This check raises an error, which would stop all later cells, so it comes last.
        "failure": "check(merge, [2, 0, 2, 4], gives=[4, 4, 0, 2])",
    }


def of_the_game() -> dict[str, str]:
    """Return the source of a cell for each picture of the lesson of the whole game, by name."""
    entry = next(each for each in lessons() if each.id == GAME)
    built = ", ".join(name for each in lessons() if each.id < GAME for name in each.builds)
    own = "\n\n\n".join(solutions(entry).values())
    strategy = 'def my_strategy(board):\n    return "down" if board[0][0] else "left"'
    return {
        "code": "from random import Random\n"
        "from course import add_to, compare, pieces, replay, watch\n"
        f"from course.mine import {built}\n\n\n{own}",
        "pieces": "pieces()",
        "compare": f"{strategy}\n\n\ncompare(Game, my_strategy)",
        "replay": "replay(Game(rng=Random(7)))",
        "turn": "watch(rotate, [[2, 4, 8], [16, 32, 64]])",
        "move": 'watch(Game(rng=Random(3)).move, "left")',
    }


NOTEBOOKS = {f"{MERGING}/look.ipynb": of_lesson_1, f"{GAME}/look.ipynb": of_the_game}


def take_in_lab(browser: Browser, folder: Path, only: list[str]) -> None:
    """Take pictures of the map and of each cell, in both widths and both themes.

    If `only` names some pictures, only these are taken.
    """
    with TemporaryDirectory() as home, jupyter_server(Path(home)) as server:
        course = _a_course(server.root / "my-course")
        page = browser.new_page(viewport={"width": 1200, "height": 1500}, reduced_motion="reduce")
        lab = NotebookPage(page, server, "lab")
        lab.go_to(f"{course.name}/{MAP.name}")
        lab.command("application:toggle-left-area")
        _take(lab, page, folder, {"map": "map"}, only)
        for path, cells in NOTEBOOKS.items():
            nbformat.write(notebook_of(list(cells().values())), course / path)
            lab.go_to(f"{course.name}/{path}")
            names = {name: f"cell-{number}" for number, name in enumerate(cells())}
            _take(lab, page, folder, names, only)


def _a_course(course: Path) -> Path:
    """Make a learner's folder: lesson 0 is done, lesson 1 is begun, and a wrong `merge` is kept."""
    for entry in lessons():
        (course / entry.id).mkdir(parents=True)
    shutil.copyfile(MAP, course / MAP.name)
    first, second, third, *_ = lessons()
    wrong = next(one for one in catalogue(second.id).misconceptions if one.id == "cascade")
    own = [*list(solutions(third).values()), wrong.specimen, solutions(second)["close_gaps"]]
    (course / "my_2048.py").write_text("\n\n\n".join(["from course.rules import *", *own]) + "\n")
    held = {first.id: [*first.checks], second.id: [*second.checks][:4]}
    write(course, {name: Results(set(holds)) for name, holds in held.items()})
    return course


def _take(
    lab: NotebookPage, page: Page, folder: Path, names: dict[str, str], only: list[str]
) -> None:
    lab.run_all()
    for size, width in SIZES.items():
        page.set_viewport_size({"width": width, "height": 1500})
        for dark in (False, True):
            lab.set_theme(dark)
            for name, cell in names.items():
                shot = f"lab-{name}-{size}{'-dark' if dark else ''}"
                if not only or shot in only or f"lab-{name}" in only or "lab" in only:
                    output = lab.cell(cell).locator(".jp-Cell-outputWrapper")
                    if output.count() and output.is_visible():
                        output.screenshot(path=folder / f"{shot}.png")
    page.set_viewport_size({"width": 1200, "height": 1500})
    lab.set_theme(False)
    (folder / "lab-errors.json").write_text(json.dumps(lab.errors()))
