"""The board, the strip below an answer and its hints in JupyterLab and Notebook 7."""

from random import Random

import pytest
from playwright.sync_api import Page

from autograder.course_adapter import ROOT
from course.playing.game_implementations import Functions
from course.playing.game_in_progress import Match
from tests.browser.notebook_page import NotebookPage
from tests.browser.whole.check_strip_scenario import LESSON, WRONG, walk, write
from tests.browser.whole.learner import solutions
from tests.browser.widget_page import violations
from tests.waiting import until

DEFINE = """from course import play, replay, watch, check
def merge(line):
    tiles = [tile for tile in line if tile]
    return tiles + [0] * (len(line) - len(tiles))"""
PLAY = "board = play(merge=merge, board=[[2, 2, 0, 0]] + [[0] * 4] * 3, seed=1)\nboard"
ENDLESS = """def merge(line):
    while True:
        pass"""
HAS_FOCUS = "() => document.activeElement.matches('.c2048-field > table')"
# Undoes a layout of JupyterLab that keeps axe, a checker of accessibility, from seeing colours.
LAYOUT = """html, body { height: 100vh !important }
.jp-WindowedPanel-outer { overflow: visible !important }"""


def moves(page: Page, view: int = 0) -> str:
    return page.locator(".c2048-value").nth(3 * view + 2).inner_text()


def said(page: Page) -> str:
    return page.locator(".c2048-play .c2048-status").inner_text()


@pytest.mark.deep
@pytest.mark.parametrize("app", ["lab", "notebook7"])
def test_a_board_from_its_first_key_until_its_notebook_is_opened_again(
    request: pytest.FixtureRequest, app: str
) -> None:
    notebook = request.getfixturevalue(app)
    cells = [DEFINE, PLAY, "watch(merge, [2, 0, 2])", "6 * 7"]
    notebook.open(cells)
    notebook.run_all()
    keys_play_the_board_and_leave_the_notebook_alone(notebook, cells)
    save_reaches_the_notebook_from_the_board(notebook)
    run_again_the_board_goes_back_to_the_game_before(notebook)
    escape_goes_on_from_the_board_to_the_next_cell(notebook)
    a_cell_that_runs_for_long_says_so_and_how_to_stop_it(notebook)
    opened_again_it_shows_pictures_and_no_error(notebook)


def keys_play_the_board_and_leave_the_notebook_alone(
    notebook: NotebookPage, cells: list[str]
) -> None:
    page = notebook.page
    page.locator(".c2048-field").click()
    for key in ("ArrowDown", "d", "ArrowUp", "a", "s", "w", "ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    for key in ("b", "x", "m", "y", "Shift+ArrowDown", "Shift+Enter"):
        page.keyboard.press(key)
    until(lambda: int(moves(page)) > 4, "the moves are made")
    assert notebook.sources() == cells
    assert notebook.prompts() == [1, 2, 3, 4]
    assert notebook.errors() == []


def save_reaches_the_notebook_from_the_board(notebook: NotebookPage) -> None:
    assert "c2048-saved" not in notebook.file.read_text("utf-8")
    notebook.page.locator(".c2048-field").click()
    notebook.page.keyboard.press("Control+s")
    until(lambda: "c2048-saved" in notebook.file.read_text("utf-8"), "the notebook is saved")
    until(lambda: not notebook.is_changed, "JupyterLab knows that it is saved")


def run_again_the_board_goes_back_to_the_game_before(notebook: NotebookPage) -> None:
    page, made = notebook.page, moves(notebook.page)
    notebook.run_cell(1)
    back = page.get_by_role("button", name=f"Back to the game before ({made} moves)")
    until(lambda: page.evaluate(HAS_FOCUS), "the new board has the focus")
    assert f"There is a button: Back to the game before ({made} moves)." in said(page)
    back.click()
    until(lambda: moves(page) == made, "the game before is shown")
    until(lambda: back.count() == 0, "the button is gone")
    assert page.evaluate(HAS_FOCUS)


def escape_goes_on_from_the_board_to_the_next_cell(notebook: NotebookPage) -> None:
    page = notebook.page
    made = moves(page)
    page.get_by_role("button", name="Slide left").focus()
    page.keyboard.press("Escape")
    focused = "() => document.activeElement.dataset.windowedListIndex"
    assert page.evaluate(focused) == "2"
    page.keyboard.press("Shift+Enter")
    until(lambda: notebook.prompts() == [1, 5, 6, 4], "the next cell is run, and not the board")
    assert moves(page) == made
    page.locator(".c2048-stepper button").first.focus()
    page.keyboard.press("Escape")
    until(lambda: page.evaluate(focused) == "3", "Escape goes on from the stepper, too")


def a_cell_that_runs_for_long_says_so_and_how_to_stop_it(notebook: NotebookPage) -> None:
    line = notebook.page.get_by_text("Still running …")
    notebook.set_source(3, "while True:\n    pass")
    for stop in (notebook.interrupt, notebook.restart):
        notebook.begin_cell(3)
        until(line.is_visible, "the line is shown")
        stop()
        until(lambda: not line.is_visible(), "the line is gone")


def opened_again_it_shows_pictures_and_no_error(notebook: NotebookPage) -> None:
    notebook.reload()
    page = notebook.page
    lost = page.get_by_text("Error displaying widget")
    until(lambda: lost.count() == 2, "the widgets are known to be lost")
    until(lambda: page.locator(".c2048-saved").last.is_visible(), "the pictures are shown")
    assert page.locator(".c2048-saved").first.is_visible()
    assert [lost.nth(index).is_visible() for index in range(2)] == [False, False]


@pytest.mark.deep
def test_boards_live_on_after_loading_the_page_anew(lab: NotebookPage) -> None:
    """The page shows one board twice, another board below a replay of a game, and a duel."""
    shown = "replay([[[2, 2, 0]], [[4, 0, 2]], [[4, 2, 2]]])"
    duel = "from course import play_duel\nplay_duel(seed=3)"
    lab.open([DEFINE, "board = play(seed=5)\nboard", "board", "board.board", shown, duel])
    lab.run_cell(0)
    lab.run_cell(1)
    page = lab.page
    until(lambda: page.evaluate(HAS_FOCUS), "a board that was run has the focus")
    lab.run_cell(2)
    made = a_burst_of_thirty_keys_is_thirty_moves(lab)
    lab.run_cell(4)
    a_replay_is_played_on_below_it(lab)
    lab.run_cell(5)
    lab.save()
    lab.reload()
    boards = page.locator(".c2048-field:not(.c2048-duel .c2048-field)")
    until(lambda: boards.count() == 3, "all boards are back")
    shown_moves = [made, made, "2"]
    until(lambda: [moves(page, view) for view in range(3)] == shown_moves, "all moves are back")
    assert not page.evaluate(HAS_FOCUS)
    assert not page.locator(".c2048-saved").first.is_visible()
    a_duel_is_played_on(lab)


def a_duel_is_played_on(lab: NotebookPage) -> None:
    duel = lab.cell(5)
    duel.locator(".c2048-field .c2048-board").focus()
    lab.page.keyboard.press("Enter")
    task = duel.locator(".c2048-task")
    until(lambda: task.inner_text().startswith("Push"), "a tile is placed, and the next is asked")


def a_burst_of_thirty_keys_is_thirty_moves(lab: NotebookPage) -> str:
    """Press thirty keys at once; assert that both views show all legal moves; return how many."""
    page = lab.page
    expected = Match(Functions({}, rng=Random(5)))
    keys = ["Left", "Down", "Right", "Up"] * 7 + ["Left", "Down"]
    for key in keys:
        expected.move(key.lower())
    page.locator(".c2048-field").first.evaluate(
        """(field, keys) => { for (const key of keys) {
          const options = { key: "Arrow" + key, bubbles: true, cancelable: true };
          field.dispatchEvent(new KeyboardEvent("keydown", options));
        } }""",
        keys,
    )
    made = str(expected.state.moves)
    until(lambda: moves(page, 0) == moves(page, 1) == made, "all moves are made, in both views")
    lab.run_cell(3)
    assert str(expected.board) in lab.outputs(3)
    return made


def a_replay_is_played_on_below_it(lab: NotebookPage) -> None:
    page = lab.page
    page.get_by_role("button", name="Forward").click()
    page.get_by_role("button", name="Play from here").click()
    page.locator(".c2048-below .c2048-field").wait_for()
    until(lambda: page.evaluate(HAS_FOCUS), "the board has the focus")
    page.keyboard.press("ArrowRight")
    until(lambda: moves(page, 2) == "2", "the board plays on")


@pytest.mark.deep
def test_a_board_and_its_code_in_trouble(lab: NotebookPage) -> None:
    lab.open([DEFINE, PLAY, "check(merge, [2, 2, 0], gives=[4, 0, 0])"])
    lab.run_all()
    a_failed_check_is_a_picture_and_the_whole_text(lab)
    page = lab.page
    page.locator(".c2048-field").click()
    page.keyboard.press("ArrowDown")
    until(lambda: moves(page) == "1", "the board plays")
    endless_code_is_stopped_and_the_board_works_when_it_is_put_right(lab)
    axe_finds_nothing_in_both_themes(lab)
    after_a_restart_the_old_board_says_that_it_is_cut_off(lab)


def a_failed_check_is_a_picture_and_the_whole_text(lab: NotebookPage) -> None:
    failure = lab.page.locator(".c2048-failure")
    assert failure.count() == 1
    assert failure.locator(".c2048-marked").count() == 2
    text = lab.page.locator('[data-mime-type="application/vnd.jupyter.stderr"]').inner_text()
    assert "expected  [4, 0, 0]" in text
    assert "got       [2, 2, 0]" in text


def endless_code_is_stopped_and_the_board_works_when_it_is_put_right(lab: NotebookPage) -> None:
    page = lab.page
    note = page.locator(".c2048-note")
    lab.set_source(0, ENDLESS)
    lab.run_cell(0)
    page.locator(".c2048-field").click()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowDown")
    until(lambda: "Still waiting for your code" in note.inner_text(), "the board says it waits")
    lab.interrupt()
    until(lambda: "Your merge was stopped." in note.inner_text(), "the board says it was stopped")
    lab.set_source(0, DEFINE)
    lab.run_cell(0)
    page.locator(".c2048-field").click()
    page.keyboard.press("ArrowUp")
    until(lambda: moves(page) == "2", "the old board plays with the new code")


def axe_finds_nothing_in_both_themes(lab: NotebookPage) -> None:
    page = lab.page
    page.evaluate(
        "css => { document.head.append(Object.assign(document.createElement('style'),"
        " { id: 'layout', textContent: css })); }",
        LAYOUT,
    )
    for dark in (True, False):
        lab.set_theme(dark)
        assert violations(page, ".c2048") == []
    page.evaluate("() => document.querySelector('#layout').remove()")


def after_a_restart_the_old_board_says_that_it_is_cut_off(lab: NotebookPage) -> None:
    lab.restart()
    lab.page.get_by_role("button", name="New game").click()
    note = lab.page.locator(".c2048-note")
    until(lambda: "Run this cell again to play." in note.inner_text(), "the board says so")
    lab.run_cell(0)
    lab.run_cell(1)
    lab.page.locator(".c2048-field").click()
    lab.page.keyboard.press("ArrowDown")
    until(lambda: moves(lab.page) == "1", "the new board plays")


def begin(notebook: NotebookPage) -> None:
    """Open lesson 1, and solve its first exercise."""
    notebook.open(ROOT / "release" / LESSON.id / LESSON.notebook)
    notebook.run_cell("given-imports")
    write(notebook, solutions(LESSON)["close_gaps"], "close_gaps")


@pytest.mark.slow
@pytest.mark.parametrize("app", ["lab", pytest.param("notebook7", marks=pytest.mark.deep)])
def test_a_learner_mends_merge_with_hints_and_never_types_for_them(
    request: pytest.FixtureRequest, app: str
) -> None:
    notebook: NotebookPage = request.getfixturevalue(app)
    begin(notebook)
    walk(notebook)
    write(notebook, WRONG)
    opened_again_it_says_how_to_get_the_button(notebook)


def opened_again_it_says_how_to_get_the_button(notebook: NotebookPage) -> None:
    notebook.save()
    notebook.restart()
    notebook.reload()
    cell = notebook.cell("merge")
    cell.get_by_text("merge: 5 of 10 checks hold.").wait_for()
    saved = cell.get_by_text("Run this cell to get a button for hints.")
    until(saved.is_visible, "the sentence in place of the button is seen")
    assert not cell.get_by_text("Error displaying widget").is_visible()
