"""Each lesson as a learner meets it: the released notebook in JupyterLab, up to full marks."""

import re

import nbformat
import pytest
from playwright.sync_api import Page

from autograder.records.release import ROOT
from course.lessons import Lesson, lesson, lessons
from course.rules import is_over, slide
from course.rules.board import Board
from tests.browser.notebooks import NotebookPage, until

KEYS = {"ArrowLeft": "left", "ArrowUp": "up", "ArrowRight": "right", "ArrowDown": "down"}
BOARD = """table => [...table.rows].map(row => [...row.cells].map(cell => {
  const tile = cell.querySelector('[data-tile]:not(.c2048-ghost)');
  return tile ? Number(tile.dataset.tile) : 0;
}))"""
MARKERS = re.compile(r"^ *### (BEGIN|END).*\n?", flags=re.MULTILINE)


def released(lesson: Lesson):
    return ROOT / "release" / lesson.id / lesson.notebook


def solutions(lesson: Lesson) -> dict[str, str]:
    """What the instructor wrote in each solution cell, without the markers."""
    notebook = nbformat.read(ROOT / "source" / lesson.id / lesson.notebook, as_version=4)
    names = [exercise.cell for exercise in lesson.exercises]
    return {cell.id: MARKERS.sub("", cell.source) for cell in notebook.cells if cell.id in names}


def type_into(notebook: NotebookPage, cell: str, text: str) -> None:
    """Replaces what is in a cell, with the keyboard."""
    notebook.cell(cell).locator(".cm-content").click()
    notebook.page.keyboard.press("Control+A")
    notebook.page.keyboard.insert_text(text)


def solve(notebook: NotebookPage, lesson: Lesson) -> None:
    notebook.open(released(lesson))
    for cell, text in solutions(lesson).items():
        type_into(notebook, cell, text)
    notebook.run_all()


def validate(page: Page) -> str:
    """What nbgrader's Validate button answers."""
    page.locator(".validate-button").click()
    dialog = page.locator(".jp-Dialog-content")
    said = ""

    def answered() -> bool:
        nonlocal said
        said = dialog.inner_text() if dialog.count() else ""
        return "Success" in said or "failed" in said.lower()

    until(answered, "Validate has an answer", seconds=90)
    return said


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
def test_a_learner_gets_from_the_released_notebook_to_full_marks(
    lab: NotebookPage, lesson: Lesson
) -> None:
    solve(lab, lesson)
    assert lab.errors() == []
    assert "Success! Your notebook passes all the tests." in validate(lab.page)


def test_the_untouched_notebook_does_not_validate(lab: NotebookPage) -> None:
    lab.open(released(lessons()[1]))
    assert "failed" in validate(lab.page).lower()


@pytest.mark.parametrize("app", ["lab", "notebook"])
def test_ten_moves_on_the_board_are_what_the_learners_merge_gives(
    page: Page, server, app: str
) -> None:
    notebook = NotebookPage(page, server, app)
    solve(notebook, lessons()[1])
    ids, sources = notebook.ids(), notebook.sources()
    table = notebook.cell("merge-board").locator(".c2048-field .c2048-board")
    notebook.cell("merge-board").locator(".c2048-field").click()
    moves = 0
    while moves < 10:
        before = table.evaluate(BOARD)
        key, direction = next(
            (key, way) for key, way in KEYS.items() if slide(before, way) != before
        )
        page.keyboard.press(key)
        until(lambda: table.evaluate(BOARD) != before, "the board has moved")  # noqa: B023
        assert is_turn(before, direction, table.evaluate(BOARD))
        moves += 1
    assert (notebook.ids(), notebook.sources()) == (ids, sources)


def is_turn(before: Board, direction: str, after: Board) -> bool:
    """Whether a board is another one after a slide and one spawned tile."""
    slid = [tile for row in slide(before, direction) for tile in row]
    now = [tile for row in after for tile in row]
    new = [(old, tile) for old, tile in zip(slid, now, strict=True) if old != tile]
    return new in ([(0, 2)], [(0, 4)])


def test_the_learners_whole_game_is_played_to_its_end_on_the_board(lab: NotebookPage) -> None:
    solve(lab, lesson("6-the-whole-game"))
    cell = lab.cell(lab.sources().index("play(game=Game(1, 5))"))
    cell.locator(".c2048-field").click()
    over = cell.get_by_text("No move is left")
    while not over.count():
        before = cell.locator(".c2048-field .c2048-board").evaluate(BOARD)
        way = next((way for way in ("left", "right") if slide(before, way) != before), None)
        if way is not None:
            lab.page.keyboard.press({"left": "ArrowLeft", "right": "ArrowRight"}[way])
        shown = cell.locator(".c2048-field .c2048-board")
        until(lambda: over.count() or shown.evaluate(BOARD) != before, "the game goes on")  # noqa: B023
    assert is_over(shown.evaluate(BOARD))
