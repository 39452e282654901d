"""Keys on a blank page: what the board takes, and what it leaves to the notebook."""

import pytest

from course import play, predict, replay, watch
from course.rules import Game, merge
from tests.browser.blank import BlankPage
from tests.browser.test_board_alone import sent, show


@pytest.mark.parametrize(
    ("key", "direction"),
    [
        ("ArrowLeft", "left"),
        ("ArrowRight", "right"),
        ("ArrowUp", "up"),
        ("ArrowDown", "down"),
        ("w", "up"),
        ("a", "left"),
        ("s", "down"),
        ("D", "right"),
        ("u", "undo"),
    ],
)
def test_a_key_slides_for_the_eye(blank: BlankPage, key: str, direction: str) -> None:
    show(blank, keys="eye").keyboard.press(key)
    assert sent(blank) == [direction]


@pytest.mark.parametrize(
    ("key", "meaning"),
    [
        ("ArrowRight", "right"),
        ("Shift+ArrowRight", "right"),
        ("s", "status"),
        ("r", "row"),
        ("c", "column"),
        ("u", "undo"),
    ],
)
def test_a_key_reads_or_slides_for_the_ear(blank: BlankPage, key: str, meaning: str) -> None:
    show(blank, keys="ear").keyboard.press(key)
    assert sent(blank) == [meaning]
    assert (blank.sent[0]["do"] == "move") == key.startswith("Shift")


@pytest.mark.parametrize("keys", ["eye", "ear"])
@pytest.mark.parametrize(
    "key", ["x", "b", "Enter", "Escape", "Control+s", "Alt+ArrowLeft", "1", "F5"]
)
def test_a_key_that_the_board_does_not_know_is_left_alone(blank, keys: str, key: str) -> None:
    page = show(blank, keys=keys)
    page.evaluate(
        "() => { window.stopped = false; document.addEventListener('keydown',"
        " event => { window.stopped = event.defaultPrevented; event.preventDefault(); }); }"
    )
    page.keyboard.press(key)
    assert sent(blank) == []
    assert page.evaluate("window.stopped") is False


def test_keys_do_nothing_without_the_focus(blank: BlankPage) -> None:
    page = show(blank)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowLeft")
    assert sent(blank) == []


# The page is a notebook that saves at Ctrl + S, unless what has the focus keeps its keys.
NOTEBOOK = """() => { window.pressed = null; window.saves = 0;
window.addEventListener('keydown', event => { window.pressed ??= event; }, true);
document.addEventListener('keydown', event => {
  const isHeld = node => node.hasAttribute?.('data-lm-suppress-shortcuts');
  if (event.keyCode !== 83 || event.composedPath().some(isHeld)) return;
  event.preventDefault();
  window.saves += 1;
}, true); }"""


@pytest.mark.parametrize(
    ("widget", "focus"),
    [
        (lambda: play(), ".c2048-field"),
        (lambda: play(), ".c2048-left"),
        (lambda: watch(merge, [2, 2]), ".c2048-button"),
        (lambda: replay(Game(2, 2)), "input"),
        (lambda: predict("merge", [2, 2], options=[[2, 2]]), ".c2048-answer"),
    ],
    ids=["the board", "a button", "a line", "a replay", "a question"],
)
@pytest.mark.parametrize("modifier", ["Control", "Meta"])
def test_save_goes_on_to_the_notebook(blank: BlankPage, widget, focus: str, modifier: str) -> None:
    blank.show(widget())
    page = blank.page
    page.locator(focus).first.focus()
    page.keyboard.down(modifier)
    page.evaluate(NOTEBOOK)
    page.keyboard.press("s")
    page.keyboard.up(modifier)
    assert sent(blank) == []
    assert page.evaluate("window.saves") == 1
    assert page.evaluate("window.pressed.defaultPrevented")  # the browser saves no page


def test_tab_goes_through_the_board_and_leaves_it(blank: BlankPage) -> None:
    page = show(blank)
    names = []
    for _ in range(8):
        page.keyboard.press("Tab")
        names.append(page.evaluate("document.activeElement.getAttribute('aria-label')"))
    assert names[:4] == ["Slide left", "Slide up", "Slide right", "Slide down"]
    assert names[-1] is None


def test_the_focus_is_seen(blank: BlankPage) -> None:
    page = show(blank)
    style = "getComputedStyle(document.querySelector('.c2048-field')).outlineStyle"
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    assert page.evaluate(style) == "solid"
