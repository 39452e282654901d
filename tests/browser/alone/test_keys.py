"""Keys: those that the board uses, those that it leaves to the notebook, and the focus."""

import pytest
from playwright.sync_api import Page

from course import play, predict, replay, watch
from course.rules import Game, merge
from course.widgets.live_widget import LiveWidget
from tests.browser.widget_page import BlankPage

EYE = {
    **{"ArrowLeft": "left", "ArrowRight": "right", "ArrowUp": "up", "ArrowDown": "down"},
    **{"w": "up", "a": "left", "s": "down", "D": "right", "u": "undo"},
}
EAR = {
    **{"ArrowRight": "right", "Shift+ArrowRight": "right"},
    **{"s": "status", "r": "row", "c": "column", "u": "undo"},
}
FREE = ("x", "b", "Enter", "Escape", "Control+s", "Alt+ArrowLeft", "1", "F5")
STOPPED = """() => { window.stopped = []; document.addEventListener('keydown', event => {
  if (event.defaultPrevented) window.stopped.push(event.key); event.preventDefault(); }); }"""
WATCHED_HAS_FOCUS = "() => document.activeElement.matches('.c2048-field > table')"


@pytest.mark.parametrize(("scheme", "keys"), [("eye", EYE), ("ear", EAR)], ids=["eye", "ear"])
def test_each_scheme_has_its_keys_and_leaves_all_others_alone(
    blank: BlankPage, scheme: str, keys: dict[str, str]
) -> None:
    page = blank.play(keys=scheme)
    blank.press(*keys)
    assert blank.asked() == [*keys.values()]
    does = dict(zip(keys, (content["do"] for content in blank.sent), strict=True))
    if scheme == "ear":
        assert [key for key in keys if does[key] == "move"] == ["Shift+ArrowRight"]
    page.evaluate(STOPPED)
    blank.press(*FREE)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowLeft")
    assert len(blank.asked()) == len(keys)
    assert page.evaluate("window.stopped") == []


# Makes the page act like a notebook: Ctrl + S saves, if the focused element does not forbid it.
SAVES = """() => { window.pressed = null; window.saves = 0;
window.addEventListener('keydown', event => { window.pressed ??= event; }, true);
document.addEventListener('keydown', event => {
  const isHeld = node => node.hasAttribute?.('data-lm-suppress-shortcuts');
  if (event.keyCode !== 83 || event.composedPath().some(isHeld)) return;
  event.preventDefault();
  window.saves += 1;
}, true); }"""
WHERE = [
    ".c2048-field > table",
    ".c2048-left",
    ".c2048-stepper .c2048-button",
    ".c2048-replay input",
    ".c2048-answer",
]


def test_save_goes_on_to_the_notebook(blank: BlankPage) -> None:
    question = predict("merge", [2, 2], options=[[2, 2]])
    blank.show(play(), watch(merge, [2, 2]), replay(Game(2, 2)), question)
    page = blank.page
    page.evaluate(SAVES)
    presses = [(modifier, focus) for modifier in ("Control", "Meta") for focus in WHERE]
    for saves, (modifier, focus) in enumerate(presses, start=1):
        page.locator(focus).first.focus()
        page.keyboard.down(modifier)
        page.evaluate("() => { window.pressed = null; }")
        page.keyboard.press("s")
        page.keyboard.up(modifier)
        assert page.evaluate("window.saves") == saves, focus
        assert page.evaluate("window.pressed.defaultPrevented"), focus  # no page is saved
    assert blank.asked() == []


def test_tab_goes_through_the_board_and_leaves_it_and_the_focus_is_seen(blank: BlankPage) -> None:
    page = blank.play()
    names = []
    for _ in range(8):
        page.keyboard.press("Tab")
        names.append(page.evaluate("document.activeElement.getAttribute('aria-label')"))
    assert names[:4] == ["Slide left", "Slide up", "Slide right", "Slide down"]
    assert page.evaluate("document.activeElement === document.body")
    blank.focus()
    blank.press("Tab", "Shift+Tab")
    style = "getComputedStyle(document.querySelector('.c2048-field')).outlineStyle"
    assert page.evaluate(style) == "solid"


# Makes the page a notebook of two cells; the board is shown in the first cell.
NOTEBOOK = """() => {
  document.body.classList.add("jp-Notebook");
  document.body.tabIndex = -1;
  document.querySelector("main").classList.add("jp-Cell");
  const other = document.createElement("div");
  other.className = "jp-Cell";
  other.innerHTML = `<div class="jp-InputPrompt">[2]:</div><div class="jp-Cell-inputWrapper">
    <div class="cm-editor"><div class="cm-content" contenteditable="true">1 + 1</div></div></div>`;
  document.body.append(other);
}"""
SETTLED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
WAITING = "() => { document.querySelector('.jp-InputPrompt').textContent = '[*]:'; }"


def notebook(blank: BlankPage, widget: LiveWidget | None = None) -> Page:
    """Make a notebook in which the board's cell was run, but the board is not yet shown."""
    blank.show(widget or play(board=[[2, 2]]), views=0)
    blank.page.evaluate(NOTEBOOK)
    return blank.page


def has_focus(blank: BlankPage) -> bool:
    """Show the board; return true if it takes the focus."""
    blank.add_view()
    blank.page.evaluate(SETTLED)
    return bool(blank.page.evaluate(WATCHED_HAS_FOCUS))


def test_a_new_board_comes_into_view_and_its_keys_play_at_once(blank: BlankPage) -> None:
    page = notebook(blank)
    page.add_style_tag(content="main { margin-top: 3000px !important }")
    assert has_focus(blank)
    box = page.locator(".c2048-play").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 901
    assert page.evaluate("() => window.widget.model.get('is_new')") is False
    blank.press("ArrowLeft")
    assert blank.asked() == ["left"]


@pytest.mark.parametrize(
    "asks",
    [lambda: watch(merge, [2, 2]), lambda: predict("merge", [2, 2], options=[[4, 0], [2, 2]])],
    ids=["watch", "predict"],
)
def test_arrows_and_tab_go_to_what_a_cell_has_just_shown(blank: BlankPage, asks) -> None:
    page = notebook(blank, asks())
    blank.add_view()
    page.evaluate(SETTLED)
    assert page.evaluate("() => document.activeElement.matches('.c2048')")


def test_shift_enter_on_a_board_goes_to_the_next_cell_and_keeps_the_game(blank: BlankPage) -> None:
    page = notebook(blank)
    page.evaluate("() => { document.querySelector('.jp-Cell:last-child').tabIndex = -1; }")
    assert has_focus(blank)
    blank.press("Shift+Enter")
    assert page.evaluate("() => document.activeElement.matches('.jp-Cell:last-child')")
    assert blank.asked() == []


@pytest.mark.parametrize(
    "busy",
    [
        lambda page: page.evaluate(WAITING),
        lambda page: page.locator(".cm-content").focus(),
        lambda page: page.evaluate("document.body.classList.remove('jp-Notebook')"),
        # Python says so to a page that is loaded again.
        lambda page: page.evaluate("window.widget.model.set('is_new', false)"),
    ],
    ids=["other cells wait", "another cell is typed in", "no notebook", "it was seen before"],
)
def test_a_new_board_takes_no_focus_where(blank: BlankPage, busy) -> None:
    busy(notebook(blank))
    assert not has_focus(blank)
