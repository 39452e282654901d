"""The duel's board alone on a blank page: played by keys, by finger and by ear."""

from typing import Any

import pytest
from playwright.sync_api import Page

from course import play_duel, rules, tournament
from course.duel import GreedyAgent
from course.widgets.picture import board_html
from course.widgets.saved import saved_html
from tests.browser.axe import violations
from tests.browser.blank import BlankPage
from tests.browser.notebooks import until
from tests.browser.test_board_alone import drawn

WALKS = {(1, 0): "ArrowDown", (-1, 0): "ArrowUp", (0, 1): "ArrowRight", (0, -1): "ArrowLeft"}
KEYS = {"left": "ArrowLeft", "right": "ArrowRight", "up": "ArrowUp", "down": "ArrowDown"}
WAYS = {"right": (90, 10), "left": (-90, 20), "down": (5, 80), "up": (-20, -90)}
STATUS = """(place) => {
  const status = document.querySelector(place);
  window.said = [];
  new MutationObserver(() => window.said.push(status.textContent))
    .observe(status, { childList: true, characterData: true, subtree: true });
}"""


def show(blank: BlankPage, views: int = 1, width: int = 900, **options: Any) -> Page:
    blank.page.emulate_media(reduced_motion="reduce")
    options = {"seed": 3, "rounds": 40} | options
    blank.show(play_duel(**options), views=views, width=width)
    blank.page.locator(".c2048-field .c2048-board").first.focus()
    return blank.page


def until_drawn(blank: BlankPage, view: int = 0) -> None:
    blank.settle()
    place = 2 * view  # each view has one board
    page = blank.page
    boards = page.locator(".c2048-field .c2048-board")
    until(lambda: boards.count() > view, "the views are there", 10)
    until(lambda: numbers(page, view) == blank.widget.board, "the board is drawn", 10)
    assert place >= 0


def numbers(page: Page, view: int = 0) -> list[list[int]]:
    script = """table => [...table.rows].map(row => [...row.cells].map(cell => {
      const tile = cell.querySelector('[data-tile]:not(.c2048-ghost)');
      return tile ? Number(tile.textContent) : 0; }))"""
    return page.locator(".c2048-field .c2048-board").nth(view).evaluate(script)


def walk_to(blank: BlankPage, square: tuple[int, int]) -> None:
    """With the arrow keys, from the square at home, where a new board's cursor stands."""
    row, column = blank.cursor if hasattr(blank, "cursor") else (0, 0)
    keys = ["ArrowUp"] * 3 + ["ArrowLeft"] * 7
    keys += ["ArrowDown"] * square[0] + ["ArrowRight"] * square[1]
    for key in keys:
        blank.page.keyboard.press(key)
    blank.settle()
    assert (row, column) == (0, 0)


def square_box(page: Page, square: tuple[int, int]) -> tuple[float, float]:
    row, column = square
    cell = page.locator(".c2048-field tr").nth(row).locator("td").nth(column)
    box = cell.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
