"""From the key to the painted board, beside a board of sixteen ipywidgets buttons in the same run.

`python -m tests.browser.speed` prints the figures, and those of the course in a browser alone.
"""

import time
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

from course.lessons import lessons
from tests.browser.conftest import CHROMIUM, OPTIONS
from tests.browser.notebooks import NotebookPage
from tests.browser.servers import jupyter_server
from tests.browser.site import SitePage, built_site, path_of

KEYS = 100
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

# Acts, waits until the count of moves changes, and then until the frame with it is painted.
MEASURE = """async ([act, counter, keys]) => {
  const times = [];
  const directions = ['left', 'down', 'right', 'up'];
  const press = (direction) => {
    const key = 'Arrow' + direction[0].toUpperCase() + direction.slice(1);
    document.querySelector('.c2048-field')
      .dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  };
  const click = (direction) => document.querySelector('.go-' + direction).click();
  const changed = () => new Promise((done) => {
    const node = document.querySelector(counter);
    const late = setTimeout(() => done(null), 500); // the move was not legal
    const observer = new MutationObserver(() => {
      observer.disconnect();
      clearTimeout(late);
      done(performance.now());
    });
    observer.observe(node, { childList: true, characterData: true, subtree: true });
  });
  const painted = () => new Promise((done) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => done(performance.now());
    channel.port2.postMessage(0);
  }));
  for (let i = 0; times.length < keys && i < 8 * keys; i += 1) {
    const start = performance.now();
    const change = changed();
    (act === 'key' ? press : click)(directions[i % 4]);
    const at = await change;
    if (at !== null) times.push([at - start, (await painted()) - start]);
    await new Promise((done) => setTimeout(done, 60)); // as a quick player does
  }
  return times;
}"""


def measured(page: Page, act: str, counter: str) -> list[list[float]]:
    return list(page.evaluate(MEASURE, [act, counter, KEYS]))


def measure() -> dict[str, list[list[float]]]:
    """For both boards: of each key, the time until the board changed, and until it was painted."""
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
            "the board": measured(lab.page, "key", ".c2048-number:last-child .c2048-value"),
            "sixteen buttons": measured(lab.page, "click", ".moves"),
        }


def measure_site() -> tuple[list[list[float]], dict[str, float]]:
    """The same keys where Python runs in the browser; and what loading takes, in s and MB."""
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
        notebook = SitePage(page, site, "notebook")  # type: ignore[arg-type]
        notebook.until_ready()
        notebook.ask(OURS)
        return measured(page, "key", ".c2048-number:last-child .c2048-value"), found


def size_of(folder: Path) -> float:
    """The size of all files below a folder, in MB."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6


def show_site(times: list[list[float]], found: dict[str, float]) -> None:
    """What the site takes."""
    for name, value in found.items():
        print(f"{name:38} {value:8.1f} {'MB' if name == 'site' else 's'}")
    for index, end in enumerate(("changed", "painted")):
        each = [time[index] for time in times]
        line = f"the board in a browser alone: to {end}"
        print(f"{line:42} {median(each):4.1f} {quantiles(each, n=20)[-1]:7.1f}")


def show(times: dict[str, list[list[float]]]) -> None:
    """The medians, and what 95 of 100 keys do not exceed."""
    print(f"over {KEYS} keys, in ms                      median    95 %")
    for index, end in enumerate(("changed", "painted")):
        taken = {name: [time[index] for time in each] for name, each in times.items()}
        for name, each in taken.items():
            line = f"{name}: key to {end}"
            print(f"{line:38} {median(each):8.1f} {quantiles(each, n=20)[-1]:7.1f}")
        ours, theirs = map(median, taken.values())
        print(f"{'ratio of the medians':38} {theirs / ours:8.1f}")


if __name__ == "__main__":
    show(measure())
    show_site(*measure_site())
