"""A player who presses keys and listens to announcements, and never looks at the page."""

from playwright.sync_api import Locator, Page

from tests.waiting import until

# On a busy machine, a widget also says that it is still waiting; that is no answer to a key.
LISTEN = """place => {
  window.said = [];
  const status = place.querySelector("[role=status]");
  const hear = text => text.startsWith("Still waiting") || window.said.push(text);
  new MutationObserver(() => hear(status.textContent))
    .observe(status, { childList: true, characterData: true, subtree: true });
}"""


class Listener:
    """A listener to the live region of a page, the text that a screen reader reads out."""

    def __init__(self, page: Page, place: Locator | None = None) -> None:
        self.page = page
        self.heard: list[str] = []
        (place or page.locator("body")).evaluate(LISTEN)

    def press(self, key: str) -> str:
        """Press a key; return the announcement that follows, which must be the only one."""
        before = len(self.heard)
        self.page.keyboard.press(key)
        until(lambda: len(self._said()) > before, f"something is said after {key}", 10)
        self.heard = self._said()
        assert len(self.heard) == before + 1, self.heard[before:]
        return self.heard[-1].replace("\u00a0", "")

    def board(self, height: int, width: int) -> list[list[int]]:
        """Go to the first row, then press R in every row; return the board that was read out."""
        for _ in range(height):
            self.press("ArrowUp")
        rows = []
        for row in range(height):
            said = self.press("r")
            assert said.startswith(f"Row {row + 1}: ")
            tiles = said.split(": ")[1].split(", ")
            rows.append([0 if tile == "zero" else int(tile) for tile in tiles])
            self.press("ArrowDown")
        assert len(rows[0]) == width
        return rows

    def _said(self) -> list[str]:
        said: list[str] = self.page.evaluate("window.said")
        return said
