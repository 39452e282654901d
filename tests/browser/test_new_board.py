"""A new board takes the focus where somebody has just run its cell, and nowhere else."""

from playwright.sync_api import Page

from course import play
from course.widgets.board import BoardWidget
from tests.browser.blank import BlankPage

# A notebook of two cells; the board comes to the first one.
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
HAS_FOCUS = "() => document.activeElement.matches('.c2048-field > table')"
SETTLED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def notebook(blank: BlankPage, widget: BoardWidget | None = None) -> Page:
    """A notebook whose cell with the board has just been run; the board is still to come."""
    blank.show(widget or play(board=[[2, 2]]), views=0)
    blank.page.evaluate(NOTEBOOK)
    return blank.page


def has_focus(blank: BlankPage) -> bool:
    blank.add_view()
    blank.page.evaluate(SETTLED)
    return bool(blank.page.evaluate(HAS_FOCUS))


def test_a_new_board_takes_the_focus_and_its_keys_play_at_once(blank: BlankPage) -> None:
    page = notebook(blank)
    assert has_focus(blank)
    page.keyboard.press("ArrowLeft")
    blank.settle()
    assert blank.sent[0]["direction"] == "left"


def test_a_new_board_comes_into_view(blank: BlankPage) -> None:
    page = notebook(blank)
    page.add_style_tag(content="main { margin-top: 3000px !important }")
    assert has_focus(blank)
    box = page.locator(".c2048-play").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 901


def test_a_board_that_was_seen_before_does_not_take_the_focus(blank: BlankPage) -> None:
    widget = play(board=[[2, 2]])
    widget.is_new = False  # as the page that is loaded anew hears from Python
    notebook(blank, widget)
    assert not has_focus(blank)


def test_the_first_view_tells_python_that_the_board_was_seen(blank: BlankPage) -> None:
    page = notebook(blank)
    assert has_focus(blank)
    assert page.evaluate("() => window.widget.model.get('is_new')") is False


def test_while_other_cells_wait_for_their_turn_the_focus_stays(blank: BlankPage) -> None:
    page = notebook(blank)
    page.evaluate("() => { document.querySelector('.jp-InputPrompt').textContent = '[*]:'; }")
    assert not has_focus(blank)


def test_who_types_in_another_cell_keeps_the_focus(blank: BlankPage) -> None:
    page = notebook(blank)
    page.locator(".cm-content").focus()
    assert not has_focus(blank)


def test_outside_of_a_notebook_nothing_takes_the_focus(blank: BlankPage) -> None:
    blank.show(play(board=[[2, 2]]), views=0)
    assert not has_focus(blank)
