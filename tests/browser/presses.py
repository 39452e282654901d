"""A hundred keys, as a quick player presses them: how long until the board of each is painted."""

from statistics import median, quantiles

from playwright.sync_api import Locator

KEYS = 100
MOVES = ".c2048-number:last-child .c2048-value"  # counts the legal ones

# Acts, waits until the count of moves changes, and then until the frame with it is painted.
PRESS = """async (root, [act, counter, keys]) => {
  const times = [];
  const directions = ['left', 'down', 'right', 'up'];
  const press = (direction) => {
    const key = 'Arrow' + direction[0].toUpperCase() + direction.slice(1);
    root.querySelector('.c2048-field')
      .dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  };
  const click = (direction) => root.querySelector('.go-' + direction).click();
  const changed = () => new Promise((done) => {
    const node = root.querySelector(counter);
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


def times_of(root: Locator, act: str = "key", counter: str = MOVES) -> list[list[float]]:
    """Of each key, or click, the time in ms until the board changed, and until it was painted."""
    return list(root.evaluate(PRESS, [act, counter, KEYS]))


def in_short(times: list[float]) -> str:
    """The median, and what 95 of 100 do not exceed."""
    return f"{median(times):8.1f} {quantiles(times, n=20)[-1]:7.1f}"
