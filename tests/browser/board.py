"""The live board on a blank page: shown, looked at, and waited for."""

from playwright.sync_api import Page

from course import play
from tests.browser.blank import BlankPage
from tests.waiting import until

BOARD = """(table) => [...table.rows].map(row => [...row.cells].map(cell => {
  const tile = cell.querySelector('[data-tile]:not(.c2048-ghost)');
  return tile ? Number(tile.dataset.tile) : 0;
}))"""
WAYS = {"right": (90, 10), "left": (-90, 20), "down": (5, 80), "up": (-20, -90)}
START = [[2, 2, 0, 4], [0, 4, 0, 4], [8, 0, 0, 8], [2, 0, 0, 0]]


def show(blank: BlankPage, *, views: int = 1, dark: bool = False, width: int = 900, **options):
    blank.show(play(**{"board": START, "seed": 1} | options), views=views, dark=dark, width=width)
    blank.page.locator(".c2048-field > table").first.focus()
    return blank.page


def drawn(page: Page, view: int = 0) -> list[list[int]]:
    return page.locator(".c2048-board").nth(view).evaluate(BOARD)


def sent(blank: BlankPage) -> list[str]:
    blank.settle()
    return [
        content.get("direction") or content.get("what") or content["do"] for content in blank.sent
    ]


def until_drawn(blank: BlankPage, board: list[list[int]] | None = None, view: int = 0) -> None:
    """Waits until all is answered, and until the board that Python has (or this one) is shown."""
    blank.settle()
    wanted = blank.widget.board if board is None else board
    until(lambda: drawn(blank.page, view) == wanted, "the board is drawn", 10)
