"""The board of a duel on a blank page: by keys, by finger, with a screen reader, in any theme."""

from typing import Any

import pytest
from playwright.sync_api import Page

from course import play_duel, rules, tournament
from course.playing import GreedyAgent
from course.widgets.live_duel import DuelWidget
from tests.browser.alone.screen_reader_user import LISTEN
from tests.browser.alone.test_board_widget import WAYS
from tests.browser.widget_page import BlankPage, violations
from tests.waiting import until

KEYS = {"left": "ArrowLeft", "right": "ArrowRight", "up": "ArrowUp", "down": "ArrowDown"}
EMPTY = rules.duel.empty_duel()


def show(blank: BlankPage, *, motion: str = "reduce", views: int = 1, **options: Any) -> Page:
    """Show a duel, without motion by default; put the focus on its board, and return the page."""
    blank.page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
    blank.show(play_duel(**{"seed": 3, "rounds": 40} | options), views=views)
    blank.focus()
    return blank.page


def place_at(blank: BlankPage, square: tuple[int, int]) -> tuple[float, float]:
    row, column = square
    return blank.middle(f"tr:nth-child({row + 1}) > td:nth-child({column + 1})")


def tap(blank: BlankPage, square: tuple[int, int]) -> None:
    blank.page.mouse.click(*place_at(blank, square))
    blank.until_drawn()


def test_a_duel_is_played_to_its_end_with_the_keys_alone(blank: BlankPage) -> None:
    page = show(blank, rounds=4, push=rules.push, place=rules.place)
    state = blank.widget.state
    for _ in range(50):
        if state["over"]:
            break
        if state["phase"] == "push":
            blank.press(KEYS[state["legal"][0]])
        elif state["round"] % 2:
            blank.press("Enter")  # the cursor is on the player's own square
        else:  # move the cursor to the upper left corner first
            row, column = state["legal"][-1]
            way = ["Up"] * 3 + ["Left"] * 7 + ["Down"] * row + ["Right"] * column
            blank.press(*(f"Arrow{key}" for key in way), "Enter")
        blank.until_drawn()
        state = blank.widget.state
    assert page.locator(".c2048-task").inner_text() == state["task"]
    assert state["task"].startswith("The duel is over.")
    assert state["note"] is None
    blank.click("New duel")
    blank.until_drawn()
    assert blank.widget.state["round"] == 1


def test_a_finger_places_and_pushes_and_a_swipe_places_nothing(blank: BlankPage) -> None:
    show(blank, against="myself")
    blank.swipe(place_at(blank, (2, 5)), (90, 0))
    assert blank.widget.board == EMPTY
    assert "Place a 2 first." in blank.said()
    for square in ((2, 5), (1, 1)):
        tap(blank, square)
        assert blank.widget.board[square[0]][square[1]] != 0
    assert blank.widget.state["phase"] == "push"
    direction = blank.widget.state["legal"][0]
    blank.swipe(place_at(blank, (1, 3)), WAYS[direction])
    blank.until_drawn()
    assert blank.widget.game.duel.last[1] == direction


def test_what_is_not_legal_changes_nothing_and_says_why(blank: BlankPage) -> None:
    show(blank, against="myself")
    home = blank.widget.state["home"]
    tap(blank, next((r, c) for r in range(4) for c in range(4) if [r, c] != list(home)))
    assert blank.widget.board == EMPTY
    assert "not legal" in blank.note()


def test_a_push_is_seen_before_it_is_made_on_hover_and_on_focus(blank: BlankPage) -> None:
    page = show(blank, against="myself")
    for _ in range(2):
        tap(blank, blank.widget.state["legal"][-1])
    before = blank.widget.board
    for direction in blank.widget.state["legal"]:
        after = rules.push(before, 1, direction)
        button = page.get_by_role("button", name=f"Push {direction}")
        for begin, end in (
            (button.hover, lambda: page.mouse.move(1, 1)),
            (button.focus, lambda: page.get_by_role("button", name="New duel").focus()),
        ):
            begin()
            blank.until_drawn(after)
            assert page.locator(".c2048-preview").count() == 1
            end()
            blank.until_drawn(before)
    assert blank.widget.board == before


def test_two_views_show_one_duel(blank: BlankPage) -> None:
    page = show(blank, views=2)
    blank.press("Enter")
    for view in (0, 1):
        blank.until_drawn(view=view)
    assert page.locator(".c2048-task").all_inner_texts() == [blank.widget.state["task"]] * 2


def test_each_action_is_one_announcement_for_the_ear(blank: BlankPage) -> None:
    page = show(blank, keys="ear")
    page.locator("body").evaluate(LISTEN)
    row, column = blank.widget.state["home"]
    for key in ("ArrowRight", "ArrowLeft", "s", "Enter"):
        blank.press(key)
    direction = blank.widget.state["legal"][0]
    blank.press(f"Shift+{KEYS[direction]}")
    _, square, status, placed, pushed = page.evaluate("window.said")
    assert square.startswith(f"{'ABCDEFGH'[column]}{row + 1}, empty, yours, you may place")
    assert status.startswith("Round 1 of 40. Nobody leads. Place a 2:")
    assert placed.startswith("You placed a 2 on ")
    assert pushed.startswith(f"You pushed {direction}")
    assert "second player" in pushed


def test_whoever_likes_motion_sees_each_step_and_comes_to_the_same_board(blank: BlankPage) -> None:
    page = show(blank, motion="no-preference")
    blank.press("Enter", *KEYS.values())
    blank.until_drawn()
    legal = set(map(str, map(tuple, blank.widget.state["legal"])))
    if blank.widget.state["phase"] == "place":
        marked = page.locator("[data-legal]")
        until(lambda: marked.count() == len(legal), "legal squares are marked", 10)


def played(answers: int, **options: Any) -> DuelWidget:
    """Return a duel after `answers` answers of the player, or at its end if that is earlier."""
    widget = play_duel(**{"seed": 3, "rounds": 40} | options)
    widget.send = lambda content, buffers=None: None
    while answers and not widget.state["over"]:
        answers -= 1
        widget._handle_custom_msg({"do": "answer", "answer": widget.state["legal"][0]}, [])
    return widget


@pytest.mark.deep
def test_axe_finds_nothing_in_a_duel_and_a_tournament_in_any_dress(blank: BlankPage) -> None:
    page = blank.page
    page.emulate_media(reduced_motion="reduce")
    wrong = played(13, push=lambda board, player, direction: board)
    over = played(99, seed=1, rounds=1)
    blank.show(played(13), played(13, keys="ear", against="myself"), wrong, over)
    blank.insert(tournament(GreedyAgent)._repr_html_())
    for dark, width in ((False, 900), (True, 900), (False, 380), (True, 380)):
        blank.dress(dark=dark, width=width)
        assert violations(page) == []
        page.set_viewport_size({"width": width + 20, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width + 20
        page.set_viewport_size({"width": 1100, "height": 900})


def test_owners_are_told_apart_where_colours_are_forced(blank: BlankPage) -> None:
    blank.page.emulate_media(forced_colors="active", reduced_motion="reduce")
    blank.show(played(13))
    looks = """() => ['first', 'second'].map(owner => {
      const tile = document.querySelector(`.c2048-field [data-owner=${owner}]`);
      const own = getComputedStyle(tile), mark = getComputedStyle(tile, '::before');
      return [own.borderStyle, mark.content, mark.clipPath, mark.width].join(); })"""
    first, second = blank.page.evaluate(looks)
    assert first != second
