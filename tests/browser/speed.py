"""The time that the board takes to answer a key, wherever it is played.

`python -m tests.browser.speed` prints the play table, then the times of the board beside those of
sixteen ipywidgets buttons in the same run, then those of the course in a browser alone, and what
its site takes to load. With `table`, `buttons` or `site`, it prints only these parts.
"""

import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from course.lessons import lessons
from tests.browser.conftest import CHROMIUM, OPTIONS
from tests.browser.notebooks import NotebookPage
from tests.browser.playtable import print_table
from tests.browser.presses import KEYS, in_short, times_of
from tests.browser.servers import jupyter_server
from tests.browser.site import SitePage, built_site, path_of

OURS = "from course import play\nfrom course.rules import merge\nplay(merge=merge, seed=1)"
BUTTONS = """import ipywidgets
from course.rules import Game
from random import Random
game = Game(rng=Random(1))
tiles = [ipywidgets.Button() for _ in range(16)]
moves = ipywidgets.Label()
def show():
    for tile, value in zip(tiles, sum(game.board, [])):
        tile.description = str(value or "")
    moves.value = str(game.moves)
def button(direction):
    made = ipywidgets.Button(description=direction)
    made.add_class("go-" + direction)
    made.on_click(lambda _: (game.move(direction), show()))
    return made
moves.add_class("moves")
show()
grid = ipywidgets.GridBox(tiles, layout={"grid_template_columns": "repeat(4, 80px)"})
ipywidgets.VBox([grid, moves, *map(button, ("left", "down", "right", "up"))])"""


def measure() -> dict[str, list[list[float]]]:
    """Return, for both boards and each key, the time until the change, and until it was painted."""
    with (
        TemporaryDirectory() as folder,
        jupyter_server(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        lab = NotebookPage(browser.new_page(), server, "lab")
        lab.open([OURS, BUTTONS])
        lab.run_all()
        lab.page.locator(".go-up").wait_for()
        return {
            "the board": times_of(lab.page.locator(".c2048-play")),
            "sixteen buttons": times_of(lab.page.locator("body"), "click", ".moves"),
        }


def measure_site() -> tuple[list[list[float]], dict[str, float]]:
    """Return the same times with Python in the browser; and the site's size and loading times."""
    with (
        TemporaryDirectory() as folder,
        built_site(Path(folder)) as site,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        context = browser.new_context()
        page = context.new_page()
        found = {"site": size_of(site.root)}
        lesson = path_of(lessons()[1])
        for name in ("first load", "second load"):
            start = time.monotonic()
            page.goto(site.url("notebook", lesson))
            page.locator(".jp-Cell").first.wait_for(timeout=90_000)
            found[f"{name}: lesson can be read"] = time.monotonic() - start
            page.get_by_text("Python is ready").wait_for(timeout=90_000)
            found[f"{name}: Python is ready"] = time.monotonic() - start
            if name == "first load":
                page.get_by_text("All works without a network now.").wait_for(timeout=90_000)
        notebook = SitePage(page, site, "notebook")  # type: ignore[arg-type]
        notebook.until_ready()
        notebook.ask(OURS)
        return times_of(page.locator(".c2048-play")), found


def size_of(folder: Path) -> float:
    """Return the size of all files below a folder, in MB."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6


def show_site(times: list[list[float]], found: dict[str, float]) -> None:
    """Print the site's size and loading times, and the times of its board."""
    for name, value in found.items():
        print(f"{name:38} {value:8.1f} {'MB' if name == 'site' else 's'}")
    for index, end in enumerate(("changed", "painted")):
        each = [time[index] for time in times]
        line = f"the board in a browser alone: to {end}"
        print(f"{line:38} {in_short(each)}")


def show(times: dict[str, list[list[float]]]) -> None:
    """Print the medians, and the times that 95 of 100 keys do not exceed."""
    print(f"over {KEYS} keys, in ms                      median    95 %")
    for index, end in enumerate(("changed", "painted")):
        taken = {name: [time[index] for time in each] for name, each in times.items()}
        for name, each in taken.items():
            line = f"{name}: key to {end}"
            print(f"{line:38} {in_short(each)}")
        ours, theirs = map(median, taken.values())
        print(f"{'ratio of the medians':38} {theirs / ours:8.1f}")


def print_play_table() -> None:
    """Start Jupyter in each way, and print the table."""
    with sync_playwright() as playwright:
        print_table(playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS))


PARTS = {
    "table": print_play_table,
    "buttons": lambda: show(measure()),
    "site": lambda: show_site(*measure_site()),
}

if __name__ == "__main__":
    for name in sys.argv[1:] or PARTS:
        PARTS[name]()
