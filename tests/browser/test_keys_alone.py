"""Keys on a blank page: what the board takes, and what it leaves to the notebook."""

import pytest

from course import play, predict, replay, watch
from course.rules import Game, merge
from tests.browser.blank import BlankPage
from tests.browser.board import sent, show

EYE = {
    "ArrowLeft": "left",
    "ArrowRight": "right",
    "ArrowUp": "up",
    "ArrowDown": "down",
    "w": "up",
    "a": "left",
    "s": "down",
    "D": "right",
    "u": "undo",
}
EAR = {
    "ArrowRight": "right",
    "Shift+ArrowRight": "right",
    "s": "status",
    "r": "row",
    "c": "column",
    "u": "undo",
}
FREE = ("x", "b", "Enter", "Escape", "Control+s", "Alt+ArrowLeft", "1", "F5")


def test_keys_slide_for_the_eye(blank: BlankPage) -> None:
    page = show(blank, keys="eye")
    for key in EYE:
        page.keyboard.press(key)
    assert sent(blank) == [*EYE.values()]


def test_keys_read_or_slide_for_the_ear(blank: BlankPage) -> None:
    page = show(blank, keys="ear")
    for key in EAR:
        page.keyboard.press(key)
    assert sent(blank) == [*EAR.values()]
    does = dict(zip(EAR, (content["do"] for content in blank.sent), strict=True))
    assert [key for key in EAR if does[key] == "move"] == ["Shift+ArrowRight"]


@pytest.mark.parametrize("keys", ["eye", "ear"])
def test_keys_that_the_board_does_not_know_are_left_alone(blank: BlankPage, keys: str) -> None:
    page = show(blank, keys=keys)
    page.evaluate(
        "() => { window.stopped = []; document.addEventListener('keydown', event => {"
        " if (event.defaultPrevented) window.stopped.push(event.key); event.preventDefault(); }); }"
    )
    for key in FREE:
        page.keyboard.press(key)
    assert sent(blank) == []
    assert page.evaluate("window.stopped") == []


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


@pytest.mark.parametrize("modifier", ["Control", "Meta"])
def test_save_goes_on_to_the_notebook(blank: BlankPage, modifier: str) -> None:
    blank.show(
        play(),
        watch(merge, [2, 2]),
        replay(Game(2, 2)),
        predict("merge", [2, 2], options=[[2, 2]]),
    )
    page = blank.page
    page.evaluate(NOTEBOOK)
    for saves, focus in enumerate(
        (
            ".c2048-field > table",
            ".c2048-left",
            ".c2048-stepper .c2048-button",
            ".c2048-replay input",
            ".c2048-answer",
        ),
        start=1,
    ):
        page.locator(focus).first.focus()
        page.keyboard.down(modifier)
        page.evaluate("() => { window.pressed = null; }")
        page.keyboard.press("s")
        page.keyboard.up(modifier)
        assert page.evaluate("window.saves") == saves, focus
        assert page.evaluate("window.pressed.defaultPrevented"), focus  # no page is saved
    assert sent(blank) == []


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
