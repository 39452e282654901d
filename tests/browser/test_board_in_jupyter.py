"""The board in JupyterLab and Notebook 7, with a kernel behind it."""

from random import Random

import pytest
from playwright.sync_api import Page

from course.match.functions import Functions
from course.match.match import Match
from tests.browser.notebooks import NotebookPage, until
from tests.browser.servers import Server
from tests.browser.test_eyes_and_ears import AXE

DEFINE = """from course import play, watch, check
def merge(line):
    tiles = [tile for tile in line if tile]
    return tiles + [0] * (len(line) - len(tiles))"""
PLAY = "board = play(merge=merge, board=[[2, 2, 0, 0]] + [[0] * 4] * 3, seed=1)\nboard"
ENDLESS = """def merge(line):
    while True:
        pass"""


@pytest.fixture(params=["lab", "notebook"])
def either(request: pytest.FixtureRequest, page: Page, server: Server) -> NotebookPage:
    return NotebookPage(page, server, request.param)


def moves(page: Page, view: int = 0) -> str:
    return page.locator(".c2048-value").nth(3 * view + 2).inner_text()


def test_keys_play_the_board_and_leave_the_notebook_alone(either: NotebookPage) -> None:
    either.open([DEFINE, PLAY, "1 + 1"])
    either.run_all()
    page = either.page
    page.locator(".c2048-field").click()
    for key in ("ArrowDown", "d", "ArrowUp", "a", "s", "w", "ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    for key in ("b", "x", "m", "y", "Shift+ArrowDown", "Control+s", "Shift+Enter"):
        page.keyboard.press(key)
    until(lambda: int(moves(page)) > 4, "the moves are made")
    assert either.sources() == [DEFINE, PLAY, "1 + 1"]
    assert either.prompts() == [1, 2, 3]
    assert either.errors() == []


def test_save_reaches_the_notebook_from_the_board(either: NotebookPage) -> None:
    either.open([DEFINE, PLAY])
    either.run_all()
    either.page.locator(".c2048-field").click()
    assert "c2048-saved" not in either.file.read_text("utf-8")
    either.page.keyboard.press("Control+s")
    until(lambda: "c2048-saved" in either.file.read_text("utf-8"), "the notebook is saved")


def test_after_a_restart_the_old_board_says_that_it_is_cut_off(lab: NotebookPage) -> None:
    lab.open([DEFINE, PLAY])
    lab.run_all()
    lab.restart()
    lab.page.get_by_role("button", name="New game").click()
    note = lab.page.locator(".c2048-note")
    until(lambda: "Run this cell again to play." in note.inner_text(), "the board says so")
    lab.run_all()
    lab.page.locator(".c2048-field").click()
    lab.page.keyboard.press("ArrowDown")
    until(lambda: moves(lab.page) == "1", "the new board plays")


def test_a_burst_of_thirty_keys_is_thirty_moves(lab: NotebookPage) -> None:
    lab.open(["from course import play", "board = play(seed=5)\nboard", "board.board"])
    lab.run_all()
    expected = Match(Functions({}, rng=Random(5)))
    keys = ["Left", "Down", "Right", "Up"] * 7 + ["Left", "Down"]
    for key in keys:
        expected.move(key.lower())
    lab.page.locator(".c2048-field").evaluate(
        """(field, keys) => { for (const key of keys) {
          const options = { key: "Arrow" + key, bubbles: true, cancelable: true };
          field.dispatchEvent(new KeyboardEvent("keydown", options));
        } }""",
        keys,
    )
    until(lambda: moves(lab.page) == str(expected.moves), "all moves are made")
    lab.run_cell(2)
    assert str(expected.board) in lab.cell(2).inner_text()


def test_a_board_is_live_in_two_views_and_after_loading_the_page_anew(lab: NotebookPage) -> None:
    lab.open([DEFINE, PLAY, "board"])
    lab.run_all()
    page = lab.page
    page.locator(".c2048-field").first.click()
    page.keyboard.press("ArrowDown")
    until(lambda: moves(page, 0) == moves(page, 1) == "1", "both views have moved")
    lab.save()
    lab.reload()
    until(lambda: page.locator(".c2048-field").count() == 2, "both views are back")
    assert moves(page) == "1"
    assert not page.locator(".c2048-saved").first.is_visible()


def test_a_notebook_opened_again_shows_pictures_and_no_error(either: NotebookPage) -> None:
    either.open([DEFINE, PLAY, "watch(merge, [2, 0, 2])"])
    either.run_all()
    either.save()
    either.restart()
    either.reload()
    page = either.page
    lost = page.get_by_text("Error displaying widget")
    until(lambda: lost.count() == 2, "the widgets are known to be lost")
    until(lambda: page.locator(".c2048-saved").last.is_visible(), "the pictures are shown")
    assert page.locator(".c2048-saved").first.is_visible()
    assert [lost.nth(index).is_visible() for index in range(2)] == [False, False]


def test_endless_code_is_stopped_by_the_kernel_and_works_when_mended(lab: NotebookPage) -> None:
    lab.open([DEFINE, PLAY])
    lab.run_all()
    page = lab.page
    note = page.locator(".c2048-note")
    page.locator(".c2048-field").click()
    page.keyboard.press("ArrowDown")
    until(lambda: moves(page) == "1", "the board plays")
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


def test_a_failed_check_is_a_picture_and_the_whole_text(lab: NotebookPage) -> None:
    lab.open([DEFINE, "check(merge, [2, 2, 0], gives=[4, 0, 0])"])
    lab.run_all()
    assert lab.page.locator(".c2048-failure").count() == 1
    assert lab.page.locator(".c2048-marked").count() == 2
    text = lab.page.locator('[data-mime-type="application/vnd.jupyter.stderr"]').inner_text()
    assert "expected  [4, 0, 0]" in text
    assert "got       [2, 2, 0]" in text


def test_axe_finds_nothing_in_the_board_in_both_themes(lab: NotebookPage) -> None:
    lab.open([DEFINE, PLAY])
    lab.run_all()
    page = lab.page
    page.locator(".c2048-field").click()
    page.keyboard.press("ArrowLeft")
    page.locator(".c2048-marked").first.wait_for()
    # JupyterLab's own layout keeps axe from seeing colours; without it they count.
    page.add_style_tag(
        content="html, body { height: 100vh !important }"
        " .jp-WindowedPanel-outer { overflow: visible !important }"
    )
    page.evaluate(AXE.read_text("utf-8"))
    for dark in (False, True):
        lab.set_theme(dark)
        found = page.evaluate("async () => await axe.run('.c2048')")
        assert [each["id"] for each in found["violations"]] == []
        assert "color-contrast" in [each["id"] for each in found["passes"]]
