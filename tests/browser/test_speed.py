"""From the key to the painted board, beside a board of sixteen ipywidgets buttons in the same run.

Nothing is asserted about time, which is the machine's; `pytest -s tests/browser/test_speed.py`
prints the figures.
"""

from statistics import median, quantiles

import pytest
from playwright.sync_api import Page

from tests.browser.notebooks import NotebookPage

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


@pytest.mark.slow
def test_key_to_paint_is_measured_beside_a_board_of_buttons(
    lab: NotebookPage, capsys: pytest.CaptureFixture[str]
) -> None:
    lab.open([OURS, BUTTONS])
    lab.run_all()
    lab.page.locator(".go-up").wait_for()
    ours = measured(lab.page, "key", ".c2048-number:last-child .c2048-value")
    theirs = measured(lab.page, "click", ".moves")
    assert len(ours) == len(theirs) == KEYS
    with capsys.disabled():
        print(f"\nover {KEYS} keys, in ms                     median    95 %")
        for index, end in enumerate(("changed", "painted")):
            medians = []
            for name, times in (("the board", ours), ("sixteen buttons", theirs)):
                taken = [time[index] for time in times]
                medians.append(median(taken))
                line = f"{name}: key to {end}"
                print(f"{line:38} {medians[-1]:8.1f} {quantiles(taken, n=20)[-1]:7.1f}")
            print(f"{'ratio of the medians':38} {medians[1] / medians[0]:8.1f}")
