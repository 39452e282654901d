"""The time that a board takes to react to a key, for each way to play.

`python -m tests.browser.looks.speed` prints two parts: a table for Jupyter servers, and the times
of the site on which Python runs in the browser. With `table` or `site`, it prints only that part.

Each row of the table is for one way to start Jupyter, a notebook of one cell or a hundred, a
player, and a board size. The hundred cells are the solved lesson of the game, and a board below.
"""

import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

import nbformat
from nbformat.v4 import new_code_cell
from playwright.sync_api import Browser, Locator, sync_playwright

from course.lab.start import FIRST, command
from course.lessons import lessons
from tests.browser.conftest import CHROMIUM, OPTIONS
from tests.browser.notebook_page import NotebookPage, notebook_of
from tests.browser.servers import PLAIN_LAB, jupyter_server
from tests.browser.whole.learner import ROOT, solutions
from tests.browser.whole.site import SitePage, built_site, path_of

KEYS = 100
# Presses keys. After each one, waits until the number of moves changes, then for the next frame.
PRESS = """async (root, keys) => {
  const times = [];
  const press = (direction) => root.querySelector('.c2048-field').dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Arrow' + direction, bubbles: true, cancelable: true }));
  const changed = () => new Promise((done) => {
    const late = setTimeout(() => done(null), 500); // the move was not legal
    const observer = new MutationObserver(() => {
      observer.disconnect();
      clearTimeout(late);
      done(performance.now());
    });
    const moves = root.querySelector('.c2048-number:last-child .c2048-value');
    observer.observe(moves, { childList: true, characterData: true, subtree: true });
  });
  const painted = () => new Promise((done) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => done(performance.now());
    channel.port2.postMessage(0);
  }));
  for (let i = 0; times.length < keys && i < 8 * keys; i += 1) {
    const start = performance.now();
    const change = changed();
    press(['Left', 'Down', 'Right', 'Up'][i % 4]);
    const at = await change;
    if (at !== null) times.push([at - start, (await painted()) - start]);
    await new Promise((done) => setTimeout(done, 60)); // as a quick player does
  }
  return times;
}"""
SIZES = (4, 8)
FULL = 100
LINE, GAME = (
    next(lesson for lesson in lessons() if name in lesson.builds) for name in ("merge", "Game")
)
OWN = [
    "from random import Random\n\nfrom course import add_to, play\nfrom course.rules import "
    "has_won, is_legal, is_over, new_board, points, rotate, take_turn",
    *solutions(LINE).values(),
    *solutions(GAME).values(),
]
PLAYERS = {
    "own merge": "play(merge=merge, height={size}, width={size}, seed=1)",
    "own Game": "play(game=Game({size}, {size}, Random(1)))",
}
OURS = "from course import play\nfrom course.rules import merge\nplay(merge=merge, seed=1)"


def times_of(root: Locator) -> list[list[float]]:
    """Return for each key two times in ms: until the board changed, and until it was painted."""
    return list(root.evaluate(PRESS, KEYS))


def in_short(times: list[float]) -> str:
    """Return, as text, the median of the times, and the time that 95 % do not exceed."""
    return f"{median(times):8.1f} {quantiles(times, n=20)[-1]:7.1f}"


def print_table(browser: Browser) -> None:
    """Start Jupyter in each way, and print each row of the table as soon as it is measured."""
    lab = [word for word in command(Path(), browser=True) if "root" not in word]
    # What a learner types, the app that opens, the command behind it, and its environment.
    ways: list[tuple[str, str, Sequence[str], dict[str, str]]] = [
        ("make lab", "lab", lab, {"PYTHONSTARTUP": str(FIRST)}),
        ("jupyter lab", "lab", PLAIN_LAB, {}),
        ("jupyter notebook", "notebook", (sys.executable, "-m", "notebook"), {}),
    ]
    print("started by       | cells | player    | size  |   median    95 %")
    for typed, app, start, environment in ways:
        with (
            TemporaryDirectory() as home,
            jupyter_server(Path(home), start, environment=environment) as server,
        ):
            for cells in (1, FULL):
                page = NotebookPage(browser.new_page(), server, app)
                for row, times in rows_of(page, cells):
                    painted = [time for _, time in times]
                    print(f"{typed:16} | {row} | {in_short(painted)}", flush=True)
                page.page.close()


def rows_of(page: NotebookPage, cells: int) -> Iterator[tuple[str, list[list[float]]]]:
    """Play a game for each player and size, in the last cell; yield its table row and its times."""
    made = notebook_of([""])
    if cells > 1:
        made = nbformat.read(ROOT / "release" / GAME.id / GAME.notebook, as_version=4)
        for cell in made.cells:
            cell.source = solutions(GAME).get(cell.id, cell.source)
        made.cells += [new_code_cell("play()") for _ in range(cells - 1 - len(made.cells))]
        made.cells.append(new_code_cell(""))
    with TemporaryDirectory() as folder:
        nbformat.write(made, Path(folder, "lesson.ipynb"))
        page.open(Path(folder, "lesson.ipynb"))
    page.run_all()
    assert not page.errors(), page.errors()
    for player, play in PLAYERS.items():
        for size in SIZES:
            page.set_source(cells - 1, "\n\n".join([*OWN, play.format(size=size)]))
            page.run_cell(cells - 1)
            board = page.cell(cells - 1).locator(".c2048-play")
            board.wait_for()
            yield f"{cells:5} | {player:9} | {size} × {size}", times_of(board)


def print_site(browser: Browser) -> None:
    """Print the size and the loading times of the site, and the times of a board on it."""
    with TemporaryDirectory() as folder, built_site(Path(folder)) as site:
        page = browser.new_context().new_page()
        size = sum(file.stat().st_size for file in site.root.rglob("*") if file.is_file())
        print(f"{'site':44} {size / 1e6:8.1f} MB")
        for name in ("first load", "second load"):
            start = time.monotonic()
            page.goto(site.url("notebook", path_of(lessons()[1])))
            page.locator(".jp-Cell").first.wait_for(timeout=90_000)
            print(f"{f'{name}: lesson can be read':44} {time.monotonic() - start:8.1f} s")
            page.get_by_text("Python is ready").wait_for(timeout=90_000)
            print(f"{f'{name}: Python is ready':44} {time.monotonic() - start:8.1f} s")
            if name == "first load":
                page.get_by_text("All works without a network now.").wait_for(timeout=90_000)
        notebook = SitePage(page, site, "notebook")  # type: ignore[arg-type]
        notebook.until_ready()
        notebook.ask(OURS)
        times = times_of(page.locator(".c2048-play"))
        print(f"over {KEYS} keys, in ms                            median    95 %")
        for index, end in enumerate(("changed", "painted")):
            print(f"{f'key to {end}':44} {in_short([each[index] for each in times])}")


PARTS = {"table": print_table, "site": print_site}

if __name__ == "__main__":
    with sync_playwright() as playwright:
        for name in sys.argv[1:] or PARTS:
            PARTS[name](playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS))
