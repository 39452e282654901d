"""A widget and the picture saved for it: exactly one of the two is seen."""

from course import play, watch
from course.rules import merge
from course.widgets.picture import board_html, saved_html
from tests.browser.blank import BlankPage

INSERT = "html => document.querySelector('main').insertAdjacentHTML('afterbegin', html)"
# Changes a page as JupyterLab changes the HTML of a notebook that it does not trust.
UNTRUSTED = """() => { for (const node of document.querySelectorAll('.c2048-saved')) {
  node.removeAttribute('data-c2048');
  for (const style of document.querySelectorAll('main style')) style.remove();
} }"""


def put_picture(blank: BlankPage) -> None:
    picture = saved_html(blank.widget.saved_id, board_html([[2, 2]]), "Run this cell to play.")
    blank.page.evaluate(INSERT, picture)


def is_seen(blank: BlankPage) -> bool:
    """Return true if the page keeps the picture, even if its own style does not show it yet."""
    shown = "picture => getComputedStyle(picture).display !== 'none'"
    return blank.page.locator(".c2048-saved").evaluate(shown)


def test_a_picture_that_comes_after_its_live_board_is_not_seen(blank: BlankPage) -> None:
    blank.show(play(board=[[2, 2]]))
    put_picture(blank)
    assert not is_seen(blank)


def test_a_picture_of_a_notebook_that_is_not_trusted_is_not_seen_either(blank: BlankPage) -> None:
    blank.show(watch(merge, [2, 2]))
    put_picture(blank)
    blank.page.evaluate(UNTRUSTED)
    assert not is_seen(blank)


def test_the_picture_is_back_when_the_live_board_is_gone(blank: BlankPage) -> None:
    blank.show(play(board=[[2, 2]]))
    put_picture(blank)
    blank.page.evaluate("() => window.widget.views.pop().cleanup()")
    assert is_seen(blank)


def test_the_picture_of_another_board_is_let_alone(blank: BlankPage) -> None:
    blank.show(play(board=[[2, 2]]))
    blank.page.evaluate(INSERT, saved_html("another", board_html([[2, 2]]), "Run this cell."))
    assert is_seen(blank)
