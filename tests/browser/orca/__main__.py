"""Plays the board of lesson 8 with the screen reader Orca.

For each key, it prints the announcement of the board, and the words that Orca says.
`python -m tests.browser.orca` needs the Debian packages chromium, orca, xvfb, openbox and xdotool.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from playwright.sync_api import Page, sync_playwright

from autograder.course_adapter import ROOT
from course.lessons import lesson
from tests.browser.alone.listener import LISTEN
from tests.browser.conftest import OPTIONS
from tests.browser.notebook_page import NotebookPage
from tests.browser.orca.desktop import Orca, orca_on_a_desktop
from tests.browser.servers import jupyter_server

WITH_WINDOWS = "/usr/bin/chromium"

LESSON = "8-play-by-ear"
BOARD = "board=[[2, 2, 0, 4], [0, 0, 8, 0], [0, 0, 0, 0], [2, 0, 0, 0]], seed=3"
LIGHTS_OFF = [*["Tab"] * 8, "space"]
KEYS = [
    *("Right", "Down", "shift+Left", "r", "c", "s"),
    *("shift+Left", "shift+Down", "shift+Down", "shift+Down"),
    *LIGHTS_OFF,
    *("Up", "shift+Right", "r", "u"),
]


def cells() -> list[str]:
    """Return two cells: one with all solutions of the lesson, one with a board that uses them."""
    chosen = lesson(LESSON)
    notebook = nbformat.read(ROOT / "source" / chosen.id / chosen.notebook, as_version=4)
    sources = {cell.id: cell.source for cell in notebook.cells}
    own = [exercise.cell for exercise in chosen.exercises]
    given = [sources[name] for name in ("given-imports", "letters", "say-merges")]
    board = sources["dark-board"].replace('keys="ear"', f'keys="ear", {BOARD}')
    return ["\n".join([*given, *(sources[name] for name in own)]), board]


def heard(page: Page) -> list[str]:
    """Return the announcements of the board so far."""
    said: list[str] = page.evaluate("window.said ?? []")
    return [line.replace("\u00a0", "") for line in said]


def listen(orca: Orca, lab: NotebookPage) -> None:
    """Run the cell of the board by a key, play, and print what is said after each key."""
    lab.open(cells())
    lab.run_cell(0)
    lab.page.locator(".jp-Cell .cm-content").nth(1).click()
    orca.until_it_rests()
    print_row("ctrl+Return", [], orca.press("ctrl+Return"))
    lab.page.locator("body").evaluate(LISTEN)
    for key in KEYS:
        before = len(heard(lab.page))
        said = orca.press(key)
        print_row(key, heard(lab.page)[before:], said)


def print_row(key: str, ours: list[str], orcas: list[str]) -> None:
    print(f"{key}\n    board: {' | '.join(ours)}\n    Orca:  {' | '.join(orcas)}", flush=True)


def main() -> None:
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        home = Path(folder)
        options = [*OPTIONS, "--force-renderer-accessibility", "--window-size=1200,1000"]
        with orca_on_a_desktop(home) as orca, jupyter_server(home / "jupyter") as server:
            browser = playwright.chromium.launch(
                executable_path=WITH_WINDOWS, headless=False, args=options, env=orca.environment
            )
            page = browser.new_context(no_viewport=True).new_page()
            listen(orca, NotebookPage(page, server, "lab"))
            browser.close()


if __name__ == "__main__":
    main()
