"""The board's script on a blank page, where answers come late, never, or are not as expected."""

from typing import Any

import pytest
from playwright.sync_api import Page

from course.rules import Game
from tests.browser.blank import BlankPage
from tests.browser.board import drawn, sent, show, until_drawn
from tests.course.playing import learners


class Shrinking(Game):
    """A game that starts again on a smaller board."""

    def reset(self) -> None:
        self.height, self.width = 2, 3
        super().reset()


def note(page: Page, view: int = 0) -> str:
    return page.locator(".c2048-note").nth(view).inner_text()


def show_stuck(blank: BlankPage, key: str = "ArrowLeft") -> Page:
    """A board whose first question is not answered, until it says that it waits."""
    page = show(blank)
    blank.is_deaf = True
    page.keyboard.press(key)
    page.clock.run_for(2100)
    assert "Still waiting for your code" in note(page)
    return page


def answer(blank: BlankPage, index: int, message: dict[str, Any]) -> None:
    """Answers one question of the script with a message of one's own."""
    blank.deliver({"view": blank.sent[index]["view"], **message})


def test_the_reading_cursor_stays_on_a_board_that_became_smaller(blank: BlankPage) -> None:
    page = show(blank, board=None, game=Shrinking(4, 5), seed=None, keys="ear")
    for key in ["ArrowDown"] * 3 + ["ArrowRight"] * 4:
        page.keyboard.press(key)
    blank.settle()
    page.get_by_role("button", name="New game").click()
    until_drawn(blank)
    assert len(blank.widget.board) == 2
    page.locator(".c2048-field > table").press("c")
    blank.settle()
    assert [content["square"] for content in blank.sent[-2:]] == [[3, 4], [1, 2]]
    assert page.locator("tr:nth-child(2) > td:nth-child(3)").get_attribute("class") == (
        "c2048-cell c2048-cursor"
    )
    assert page.get_by_role("status").inner_text().startswith("Column C: ")


def test_the_reading_cursor_never_leaves_the_board(blank: BlankPage) -> None:
    page = show(blank, keys="ear")
    blank.is_deaf = True
    page.keyboard.press("r")
    for square in ([9, 9], [-1, -1], [1.5, None], ["B", "2"]):
        blank.settle()
        answer(blank, -1, {"kind": "read", "square": square})
        page.keyboard.press("r")
        blank.settle()
        row, column = blank.sent[-1]["square"]
        assert row in range(4), square
        assert column in range(4), square
        assert page.locator(".c2048-cursor").count() == 1


def test_the_focus_stays_where_it_was_when_the_board_changes_its_size(blank: BlankPage) -> None:
    page = show(blank, board=None, game=Shrinking(), seed=None)
    fresh = page.get_by_role("button", name="New game")
    fresh.focus()
    page.keyboard.press("Enter")
    until_drawn(blank)
    assert fresh.evaluate("node => node === document.activeElement")


@pytest.mark.parametrize("way", ["new", "undo"])
def test_after_an_answer_was_lost_the_board_can_be_woken(timed_blank: BlankPage, way: str) -> None:
    blank = timed_blank
    page = show_stuck(blank)
    blank.is_deaf = False
    if way == "undo":
        page.keyboard.press("u")
    else:
        page.get_by_role("button", name="New game").click()
    assert sent(blank) == ["left", way]
    until_drawn(blank)
    assert note(page) == ""
    page.locator(".c2048-field > table").press("ArrowLeft")
    until_drawn(blank)
    assert blank.widget.match.moves == 1


def test_while_an_answer_is_late_a_way_out_is_asked_once_at_a_time(timed_blank: BlankPage) -> None:
    blank = timed_blank
    page = show_stuck(blank)
    fresh = page.get_by_role("button", name="New game")
    for _ in range(3):
        fresh.click()
    assert sent(blank) == ["left", "new"]
    page.clock.run_for(2100)
    fresh.click()
    assert sent(blank) == ["left", "new", "new"]


def test_a_question_that_was_dropped_ends_the_waiting(timed_blank: BlankPage) -> None:
    blank = timed_blank
    page = show_stuck(blank)
    answer(blank, 0, {"kind": "dropped"})
    assert note(page) == ""
    assert page.locator(".c2048-waiting").count() == 0
    blank.is_deaf = False
    page.keyboard.press("ArrowDown")
    until_drawn(blank)
    assert blank.widget.match.moves == 1


def test_any_answer_ends_the_waiting(timed_blank: BlankPage) -> None:
    blank = timed_blank
    page = show_stuck(blank)
    answer(blank, 0, {"kind": "of no known kind"})
    assert note(page) == ""
    page.keyboard.press("ArrowDown")
    assert sent(blank) == ["left", "down"]


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"kind": "of no known kind"},
        {"kind": "turn"},
        {"kind": "turn", "state": {}},
        {"kind": "turn", "state": {"board": None}},
        {"kind": "turn", "state": {"marks": [[7, 7]]}},
        {"kind": "turn", "state": {}, "motion": {}, "spawned": None},
        {"kind": "read"},
        {"kind": "read", "square": 3},
        {"kind": "note", "note": {"kind": "wrong"}},
        {"kind": "dropped", "view": None},
    ],
    ids=str,
)
def test_whatever_is_answered_the_next_key_goes(blank: BlankPage, message: dict[str, Any]) -> None:
    page = show(blank)
    blank.is_deaf = True
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowDown")
    assert sent(blank) == ["left"]
    answer(blank, 0, message)
    assert sent(blank) == ["left", "down"]
    blank.is_deaf = False
    blank.widget._handle_custom_msg(blank.sent[1], [])
    until_drawn(blank)


def test_a_board_without_its_kernel_says_so_at_every_press(timed_blank: BlankPage) -> None:
    blank = timed_blank
    page = show(blank)
    blank.cut_off()
    said = []
    for name in ("Slide left", "Slide down", "New game"):
        page.get_by_role("button", name=name).click()
        said.append(page.get_by_role("status").text_content())
        assert "Run this cell again to play." in note(page)
    assert len(set(said)) == 2  # the same words twice are said twice
    page.clock.run_for(2100)
    assert "Still waiting" not in note(page)


def test_a_board_whose_kernel_ends_while_it_waits_says_so(timed_blank: BlankPage) -> None:
    blank = timed_blank
    page = show_stuck(blank)
    blank.cut_off()
    page.get_by_role("button", name="New game").click()
    assert "Run this cell again to play." in note(page)
    assert page.locator(".c2048-waiting").count() == 0


def test_a_view_opened_later_shows_what_is_now(blank: BlankPage) -> None:
    page = show(blank, merge=learners.cascade, board=[[4, 2, 2, 0]])
    page.keyboard.press("ArrowLeft")
    until_drawn(blank)
    blank.add_view()
    assert drawn(page, 1) == drawn(page, 0) == blank.widget.board
    places = [page.locator(".c2048-board").nth(view).evaluate(MARKED) for view in (0, 1)]
    assert places == [[0, 1], [0, 1]]
    assert note(page, 1) == note(page, 0) != ""
    values = page.locator(".c2048-value").all_inner_texts()
    assert values[:3] == values[3:]


MARKED = """table => [...table.querySelectorAll('td')].flatMap(
  (cell, index) => cell.classList.contains('c2048-marked') ? [index] : [])"""


def test_a_view_opened_later_has_the_size_that_is_now(blank: BlankPage) -> None:
    page = show(blank, board=None, game=Shrinking(), seed=None)
    page.get_by_role("button", name="New game").click()
    until_drawn(blank)
    blank.add_view()
    assert drawn(page, 1) == blank.widget.board
    page.locator(".c2048-field > table").nth(1).press("ArrowLeft")
    until_drawn(blank, view=0)
    until_drawn(blank, view=1)
