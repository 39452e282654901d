"""The board on a blank page, if Python's answers come late, never, or in an unexpected form."""

from typing import Any

import pytest
from playwright.sync_api import Page

from course.rules import Game
from tests.browser.widget_page import BlankPage


class Shrinking(Game):
    """A game that starts again on a smaller board."""

    def reset(self) -> None:
        self.height, self.width = 2, 3
        super().reset()


def play_stuck(blank: BlankPage) -> Page:
    """Show a board whose first move gets no answer; wait until it says so, and return the page."""
    page = blank.play()
    blank.is_deaf = True
    blank.press("ArrowLeft")
    page.clock.run_for(2100)
    assert "Still waiting for your code" in blank.note()
    return page


def answer(blank: BlankPage, index: int, message: dict[str, Any]) -> None:
    """Answer the script's message number `index` with a message that the test has made."""
    blank.deliver({"view": blank.sent[index]["view"], **message})


def test_a_board_that_becomes_smaller_keeps_focus_cursor_and_views(blank: BlankPage) -> None:
    page = blank.play(board=None, game=Shrinking(4, 5), seed=None, keys="ear")
    blank.press(*["ArrowDown"] * 3, *["ArrowRight"] * 4)
    fresh = page.get_by_role("button", name="New game")
    fresh.focus()
    blank.press("Enter")
    blank.until_drawn()
    assert len(blank.widget.board) == 2
    assert fresh.evaluate("node => node === document.activeElement")
    blank.focus()
    blank.press("c")
    assert [content["square"] for content in blank.sent[-2:]] == [[3, 4], [1, 2]]
    assert page.locator("tr:nth-child(2) > td:nth-child(3).c2048-cursor").count() == 1
    assert blank.said().startswith("Column C: ")
    blank.add_view()
    blank.focus(1)
    blank.press("Shift+ArrowLeft")
    for view in (0, 1):
        blank.until_drawn(view=view)


@pytest.mark.parametrize("way", ["new", "undo"])
def test_after_an_answer_was_lost_the_board_can_be_woken(timed_blank: BlankPage, way: str) -> None:
    blank = timed_blank
    play_stuck(blank)
    blank.press("ArrowDown")  # this move is dropped
    blank.is_deaf = False
    if way == "undo":
        blank.press("u")
    else:
        blank.click("New game")
    assert blank.asked() == ["left", way]
    blank.until_drawn()
    assert blank.note() == ""
    blank.focus()
    blank.press("ArrowLeft")
    blank.until_drawn()
    assert blank.widget.match.state.moves == 1


def test_while_an_answer_is_late_a_way_out_is_asked_once_at_a_time(timed_blank: BlankPage) -> None:
    page = play_stuck(timed_blank)
    timed_blank.click(*["New game"] * 3)
    assert timed_blank.asked() == ["left", "new"]
    page.clock.run_for(2100)
    timed_blank.click("New game")
    assert timed_blank.asked() == ["left", "new", "new"]


@pytest.mark.parametrize("kind", ["dropped", "of no known kind", "the real one"])
def test_any_answer_ends_the_waiting(timed_blank: BlankPage, kind: str) -> None:
    blank = timed_blank
    page = play_stuck(blank)
    blank.is_deaf = False
    if kind == "the real one":
        blank.widget._handle_custom_msg(blank.sent[0], [])
    else:
        answer(blank, 0, {"kind": kind})
    blank.until_drawn()
    assert blank.note() == ""
    assert page.locator(".c2048-waiting").count() == 0
    blank.press("ArrowDown")
    blank.until_drawn()
    assert blank.asked() == ["left", "down"]


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"kind": "turn", "state": {"board": None}},
        {"kind": "read", "square": 3},
        {"kind": "note", "note": {"kind": "wrong"}},
    ],
    ids=str,
)
def test_whatever_is_answered_the_next_key_goes(blank: BlankPage, message: dict[str, Any]) -> None:
    blank.play()
    blank.is_deaf = True
    blank.press("ArrowLeft", "ArrowDown")
    assert blank.asked() == ["left"]
    answer(blank, 0, message)
    assert blank.asked() == ["left", "down"]
    blank.is_deaf = False
    blank.widget._handle_custom_msg(blank.sent[1], [])
    blank.until_drawn()


def test_a_board_without_its_kernel_says_so_at_every_press(timed_blank: BlankPage) -> None:
    page = play_stuck(timed_blank)
    timed_blank.cut_off()
    said = []
    for name in ("New game", "Slide down", "New game"):
        timed_blank.click(name)
        said.append(page.get_by_role("status").text_content())
        assert "Run this cell again to play." in timed_blank.note()
    assert len(set(said)) == 2  # a repeated text is changed a little, to be read out
    assert page.locator(".c2048-waiting").count() == 0
    page.clock.run_for(2100)
    assert "Still waiting" not in timed_blank.note()
