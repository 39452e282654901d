"""The picture at the top of README.md: `python -m tests.browser.looks.readme_picture`."""

from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from autograder.course_adapter import ROOT
from autograder.misconceptions import catalogue
from course.lessons import lesson
from tests.browser.conftest import CHROMIUM, OPTIONS
from tests.browser.notebook_page import NotebookPage
from tests.browser.servers import jupyter_server
from tests.browser.whole.learner import solutions
from tests.waiting import until

FIRST, PASSED, LAST = "merge-board", ("merge-a-pair", "merge-across-gaps"), "merge-once"
MOVES = ["ArrowLeft", "ArrowUp"] * 12 + ["ArrowRight", "ArrowUp"] * 4


def take(path: Path) -> None:
    """Write a picture of lesson 1 to `path`: a wrong `merge`, its board, and a failed check."""
    chosen = lesson("1-merge-a-line")
    cascade = next(one for one in catalogue(chosen.id) if one.id == "cascade")
    with (
        TemporaryDirectory() as folder,
        jupyter_server(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        page = browser.new_page(
            viewport={"width": 980, "height": 1290},
            device_scale_factor=1.25,
            reduced_motion="reduce",
        )
        notebook = NotebookPage(page, server, "lab")
        notebook.open(ROOT / "release" / chosen.id / chosen.notebook)
        for name, source in {**solutions(chosen), "merge": cascade.specimen.strip()}.items():
            notebook.set_source(name, source)
        for name in ("given-imports", "close_gaps", "merge", FIRST, *PASSED, LAST):
            notebook.run_cell(name)
        notebook.cell(FIRST).locator(".c2048-field").click()
        for key in MOVES:
            page.keyboard.press(key)
        notebook.until_idle()
        notebook.command("application:toggle-left-area")
        notebook.cell(FIRST)
        page.mouse.wheel(0, 290)
        until(lambda: page.get_by_text("Hint:").last.is_visible(), "the hint is in sight")
        page.screenshot(path=path)
        browser.close()


if __name__ == "__main__":
    take(ROOT / "lesson.png")
