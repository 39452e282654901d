"""The duel's board alone on a blank page: played by keys, by finger, by ear, in any theme."""

from typing import Any

import pytest
from playwright.sync_api import Page

from course import play_duel, rules, tournament
from course.playing import GreedyAgent
from course.widgets.duel import DuelWidget
from course.widgets.picture import board_html, saved_html
from tests.browser.axe import violations
from tests.browser.blank import BlankPage
from tests.waiting import until

KEYS = {"left": "ArrowLeft", "right": "ArrowRight", "up": "ArrowUp", "down": "ArrowDown"}
WAYS = {"right": (90, 10), "left": (-90, 20), "down": (5, 80), "up": (-20, -90)}
NUMBERS = """table => [...table.rows].map(row => [...row.cells].map(cell =>
  Number(cell.querySelector('[data-value]:not(.c2048-ghost)')?.dataset.value ?? 0)))"""
LISTEN = """() => {
  const status = document.querySelector("[role=status]");
  window.said = [];
  const note = () => window.said.push(status.textContent);
  new MutationObserver(note).observe(status, { childList: true });
}"""


def show(blank: BlankPage, *, views: int = 1, **options: Any) -> Page:
    """Show a duel in which nothing has to be waited for, and put the focus on its board."""
    blank.page.emulate_media(reduced_motion="reduce")
    blank.show(play_duel(**{"seed": 3, "rounds": 40} | options), views=views)
    blank.page.locator(".c2048-field .c2048-board").first.focus()
    return blank.page


def drawn(page: Page, view: int = 0) -> list[list[int]]:
    return page.locator(".c2048-field .c2048-board").nth(view).evaluate(NUMBERS)


def until_drawn(blank: BlankPage, view: int = 0) -> None:
    blank.settle()
    until(lambda: drawn(blank.page, view) == blank.widget.board, "the board is drawn", 10)


def walk_to(blank: BlankPage, square: tuple[int, int], modifier: str = "") -> None:
    """Move the cursor to a square, from wherever it is, by way of the upper left corner."""
    row, column = square
    keys = ["Up"] * 3 + ["Left"] * 7 + ["Down"] * row + ["Right"] * column
    for key in keys:
        blank.page.keyboard.press(f"{modifier}Arrow{key}")
    blank.settle()


def place_at(page: Page, square: tuple[int, int]) -> tuple[float, float]:
    """Return the middle of a square on the page."""
    cell = page.locator(".c2048-field tr").nth(square[0]).locator("td").nth(square[1])
    box = cell.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_duel_is_played_to_its_end_with_the_keys_alone(blank: BlankPage) -> None:
    page = show(blank, rounds=4, push=rules.push, place=rules.place)
    state = blank.widget.state
    while not state["over"]:
        if state["phase"] == "place" and state["round"] % 2:
            page.keyboard.press("Enter")  # the cursor is at home
        elif state["phase"] == "place":
            walk_to(blank, state["legal"][-1])
            page.keyboard.press("Enter")
        else:
            page.keyboard.press(KEYS[state["legal"][0]])
        until_drawn(blank)
        state = blank.widget.state
    assert page.locator(".c2048-task").inner_text() == state["end"]
    assert state["note"] is None
    page.get_by_role("button", name="New duel").click()
    until_drawn(blank)
    assert blank.widget.state["round"] == 1


def test_a_finger_places_and_pushes_and_a_swipe_places_nothing(blank: BlankPage) -> None:
    page = show(blank, against="myself")
    x, y = place_at(page, (2, 5))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 90, y, steps=4)
    page.mouse.up()
    blank.settle()
    assert blank.widget.board == rules.duel.empty_duel()
    assert "Place a 2 first." in page.get_by_role("status").inner_text()
    for square in ((2, 5), (1, 1)):
        page.mouse.click(*place_at(page, square))
        until_drawn(blank)
        assert blank.widget.board[square[0]][square[1]] != 0
    assert blank.widget.state["phase"] == "push"
    direction = blank.widget.state["legal"][0]
    right, down = WAYS[direction]
    x, y = place_at(page, (1, 3))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right, y + down, steps=4)
    page.mouse.up()
    until_drawn(blank)
    assert blank.widget.seat.duel.last[1] == direction


def test_what_is_not_legal_changes_nothing_and_says_why(blank: BlankPage) -> None:
    page = show(blank, against="myself")
    home = blank.widget.state["home"]
    other = next((r, c) for r in range(4) for c in range(4) if [r, c] != list(home))
    page.mouse.click(*place_at(page, other))
    blank.settle()
    assert blank.widget.board == rules.duel.empty_duel()
    assert "not legal" in page.locator(".c2048-note").inner_text()


def test_a_push_is_seen_before_it_is_made_on_hover_and_on_focus(blank: BlankPage) -> None:
    page = show(blank, against="myself")
    for _ in range(2):
        square = blank.widget.state["legal"][-1]
        page.mouse.click(*place_at(page, square))
        until_drawn(blank)
    before = blank.widget.board
    for direction in blank.widget.state["legal"]:
        after = rules.push(before, 1, direction)
        button = page.get_by_role("button", name=f"Push {direction}")
        for begin, end in (
            (button.hover, lambda: page.mouse.move(1, 1)),
            (button.focus, lambda: page.get_by_role("button", name="New duel").focus()),
        ):
            begin()
            until(lambda: drawn(page) == after, "the push is seen", 10)  # noqa: B023
            assert page.locator(".c2048-preview").count() == 1
            end()
            until(lambda: drawn(page) == before, "the board is back", 10)
    assert blank.widget.board == before


def test_two_views_show_one_duel(blank: BlankPage) -> None:
    page = show(blank, views=2)
    page.keyboard.press("Enter")
    for view in (0, 1):
        until_drawn(blank, view)
    assert page.locator(".c2048-task").all_inner_texts() == [blank.widget.state["task"]] * 2


def test_each_action_is_one_announcement_for_the_ear(blank: BlankPage) -> None:
    page = show(blank, keys="ear")
    page.evaluate(LISTEN)
    home = blank.widget.state["home"]
    for key in ("ArrowRight", "ArrowLeft", "s", "Enter"):
        page.keyboard.press(key)
        blank.settle()
    direction = blank.widget.state["legal"][0].capitalize()
    page.keyboard.press(f"Shift+Arrow{direction}")
    until_drawn(blank)
    said = page.evaluate("window.said")
    assert len(said) == 5
    assert said[1].startswith(f"{'ABCDEFGH'[home[1]]}{home[0] + 1}, empty, yours, you may place")
    assert said[2].startswith("Round 1 of 40. Nobody leads. Place a 2:")
    assert said[3].startswith("You placed a 2 on ")
    assert said[4].startswith(f"You pushed {direction.lower()}")
    assert "second player" in said[4]


def test_whoever_likes_motion_sees_each_step_and_comes_to_the_same_board(blank: BlankPage) -> None:
    blank.show(play_duel(seed=3, rounds=40))
    page = blank.page
    page.locator(".c2048-field .c2048-board").focus()
    for key in ("Enter", "ArrowLeft", "ArrowDown", "ArrowUp", "ArrowRight"):
        page.keyboard.press(key)
    until_drawn(blank)
    legal = set(map(str, map(tuple, blank.widget.state["legal"])))
    marked = "[data-legal]"
    if blank.widget.state["phase"] == "place":
        until(lambda: page.locator(marked).count() == len(legal), "legal squares are marked", 10)


def test_of_a_duel_and_its_saved_picture_one_is_seen(blank: BlankPage) -> None:
    page = show(blank)
    picture = saved_html(blank.widget.saved_id, board_html(blank.widget.board), "Run this cell.")
    insert = "html => document.querySelector('main').insertAdjacentHTML('afterbegin', html)"
    page.evaluate(insert, picture)
    shown = "picture => getComputedStyle(picture).display !== 'none'"
    assert not page.locator(".c2048-saved").evaluate(shown)
    page.evaluate("() => window.widget.views.pop().cleanup()")
    assert page.locator(".c2048-saved").evaluate(shown)


def in_the_middle(**options: Any) -> DuelWidget:
    """Return a duel of which some rounds have been played."""
    widget = play_duel(seed=3, rounds=40, **options)
    widget.send = lambda content, buffers=None: None
    for _ in range(13):
        widget._handle_custom_msg({"do": "answer", "answer": widget.state["legal"][0]}, [])
    return widget


@pytest.mark.deep
def test_axe_finds_nothing_in_a_duel_and_a_tournament_in_any_dress(blank: BlankPage) -> None:
    page = blank.page
    page.emulate_media(reduced_motion="reduce")
    over = play_duel(seed=1, rounds=1)
    over.send = lambda content, buffers=None: None
    while not over.state["over"]:
        over._handle_custom_msg({"do": "answer", "answer": over.state["legal"][0]}, [])
    wrong = in_the_middle(push=lambda board, player, direction: board)
    blank.show(in_the_middle(), in_the_middle(keys="ear", against="myself"), wrong, over)
    table = tournament(GreedyAgent)._repr_html_()
    page.evaluate(
        "html => document.querySelector('main').insertAdjacentHTML('beforeend', html)", table
    )
    for dark, width in ((False, 900), (True, 900), (False, 380), (True, 380)):
        blank.dress(dark=dark, width=width)
        assert violations(page) == []
        page.set_viewport_size({"width": width + 20, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width + 20
        page.set_viewport_size({"width": 1100, "height": 900})


def test_owners_are_told_apart_where_colours_are_forced(blank: BlankPage) -> None:
    blank.page.emulate_media(forced_colors="active", reduced_motion="reduce")
    blank.show(in_the_middle())
    looks = """() => ['first', 'second'].map(owner => {
      const tile = document.querySelector(`.c2048-field [data-owner=${owner}]`);
      const own = getComputedStyle(tile), mark = getComputedStyle(tile, '::before');
      return [own.borderStyle, mark.content, mark.clipPath, mark.width].join(); })"""
    first, second = blank.page.evaluate(looks)
    assert first != second
