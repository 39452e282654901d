"""The button for hints on the blank page: by hand, by ear, and when no answer comes."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from playwright.sync_api import Page

from course import hint, watch
from course.widgets.hint_widget import HintButton
from tests.browser.alone.screen_reader_user import LISTEN
from tests.browser.alone.solving_puzzles import PROGRAM, check, known, lines
from tests.browser.widget_page import BlankPage
from tests.course.widgets.conftest import puzzle_of
from tests.parametrize_marks import one_in

RIGHT = "from course.rules import merge as right\ndef merge(line):\n    return right(line)"

# Presses all buttons at once, before any of them is answered.
PRESS_ALL = """() => document.querySelectorAll("button[aria-label='Hint for merge']")
  .forEach((button) => button.click())"""
EDGES = """all => all.map((each) => each.getBoundingClientRect())
  .map(({ left, right }) => [left, right])"""
Ask = Callable[[BlankPage], None]


@pytest.fixture(autouse=True)
def tried() -> Iterator[None]:
    """Define a right `merge`, because only a learner who has tried something gets all hints."""
    InteractiveShell.instance().run_cell(RIGHT)
    yield
    InteractiveShell.clear_instance()


def show(blank: BlankPage, **place: Any) -> Page:
    blank.show(HintButton("merge"), **place)
    return blank.page


def press(blank: BlankPage, times: int = 1) -> None:
    for _ in range(times):
        blank.page.get_by_role("button", name="Hint for merge").first.click()
        blank.settle()


def test_each_press_shows_and_says_one_hint_and_the_third_the_puzzle(blank: BlankPage) -> None:
    page = show(blank)
    page.locator("body").evaluate(LISTEN)
    press(blank, 3)
    titles = page.locator(".c2048-hints .c2048-note strong").all_text_contents()
    assert [title.strip() for title in titles] == ["Hint 1 of 3.", "Hint 2 of 3."]
    first, second, last = page.evaluate("window.said")
    assert first.startswith("Hint 1 of 3. ")
    assert second.startswith("Hint 2 of 3. ")
    assert last == "Hint 3 of 3: a puzzle about merge."
    assert sorted(lines(page)) == sorted(known("merge").pile())
    assert page.get_by_role("button", name="Hint for merge").count() == 0
    assert page.evaluate("document.activeElement.contains(document.querySelector('.c2048-puzzle'))")


def test_a_view_that_is_drawn_anew_shows_what_was_shown(blank: BlankPage) -> None:
    page = show(blank, views=2)
    press(blank, 3)
    assert page.locator(PROGRAM).count() == 2
    blank.show(blank.widget)
    assert page.locator(".c2048-hints .c2048-note strong").count() == 2
    assert sorted(lines(page)) == sorted(known("merge").pile())


def test_two_views_that_ask_at_once_for_the_puzzle_show_and_say_it(blank: BlankPage) -> None:
    for _ in range(3):
        hint("merge")  # the next one is the puzzle, and no hint stands above it
    page = show(blank, views=2)
    page.evaluate(PRESS_ALL)
    blank.settle()
    assert page.locator(PROGRAM).count() == 2
    said = page.locator(".c2048-hints > [role=status]").all_text_contents()
    assert [text.strip() for text in said] == ["Hint 3 of 3: a puzzle about merge."] * 2


def test_an_error_in_a_hint_is_told_and_the_next_press_gives_it(
    blank: BlankPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = show(blank)
    trouble = page.locator(".c2048-trouble")
    with monkeypatch.context() as patch:
        patch.setattr("course.widgets.hint_widget.next_hint", None)
        press(blank)
    assert trouble.inner_text().startswith("That did not work. TypeError: ")
    assert blank.said() == trouble.inner_text()
    press(blank)
    assert trouble.inner_text() == ""
    assert page.locator(".c2048-hints .c2048-note strong").inner_text().strip() == "Hint 1 of 3."


def late(blank: BlankPage, ask: Ask) -> None:
    blank.is_deaf = True
    ask(blank)
    blank.page.clock.run_for(2100)


def cut_off(blank: BlankPage, ask: Ask) -> None:
    blank.cut_off()
    ask(blank)


@pytest.mark.parametrize(
    ("widget", "ask", "place"),
    [
        (lambda: HintButton("merge"), press, ".c2048-trouble"),
        (lambda: puzzle_of("merge"), lambda blank: check(blank.page), ".c2048-note"),
    ],
    ids=["a hint", "its puzzle"],
)
@pytest.mark.parametrize(
    ("happens", "told"),
    [
        (cut_off, "There is no answer. Run this cell again to go on."),
        (late, "Still waiting for an answer. If you started the kernel anew, run this cell again."),
    ],
    ids=["cut off", "late"],
)
def test_without_an_answer_it_says_what_to_do(
    timed_blank: BlankPage,
    widget: Callable[[], Any],
    ask: Ask,
    place: str,
    happens: Callable[[BlankPage, Ask], None],
    told: str,
) -> None:
    timed_blank.show(widget())
    happens(timed_blank, ask)
    assert timed_blank.page.locator(place).inner_text() == told
    assert timed_blank.said() == told


@pytest.mark.parametrize("width", one_in(2, [400, 900]))
def test_axe_finds_nothing_at_any_press(blank: BlankPage, width: int) -> None:
    page = show(blank, width=width)
    page.emulate_media(reduced_motion="reduce")
    for _ in range(3):
        press(blank)
        assert blank.faults_in_both_themes(width) == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.body.clientWidth + 16")


def test_hints_share_their_edges_whatever_widget_comes_after(blank: BlankPage) -> None:
    blank.show(HintButton("merge"), watch(sorted, [2, 1]))  # which brings its own styles
    press(blank, 3)
    edges = blank.page.locator(".c2048-hints, .c2048-hints .c2048-boxes").evaluate_all(EDGES)
    assert len(edges) == 2
    assert edges[0] == edges[1]


def test_hints_are_text_and_never_html(blank: BlankPage) -> None:
    widget = HintButton("merge")
    evil = "<img src=x onerror=alert(1)>"
    widget.hints = [{"title": evil, "text": evil}]
    blank.show(widget)
    assert blank.page.locator("main img").count() == 0
    assert evil in blank.page.locator(".c2048-note").inner_text()
