"""The board for everyone: contrast, and a game played by listening only."""

import json
import re
from random import Random

import pytest

from course import play, predict, replay
from course.rules import Game
from tests.browser.blank import BlankPage
from tests.browser.listener import Listener
from tests.browser.test_axe import every_tile
from tests.course.playing import learners

COLOURS = """() => [...document.querySelectorAll('.c2048-tile')].map(tile => {
  const style = getComputedStyle(tile);
  const square = getComputedStyle(tile.parentElement).backgroundColor;
  const board = getComputedStyle(tile.closest('.c2048-board')).backgroundColor;
  const { color, backgroundColor, borderTopColor } = style;
  return [tile.dataset.tile, color, backgroundColor, borderTopColor, square, board];
})"""


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_numbers_and_edges_stand_out(blank: BlankPage, dark: bool) -> None:
    blank.show(every_tile(), dark=dark)
    for tile, ink, face, edge, square, board in blank.page.evaluate(COLOURS):
        assert contrast(ink, face) >= 4.5, tile
        outline = face if colour(edge)[3] == 0 else edge
        assert contrast(outline, square) >= 3, tile
        assert contrast(outline, board) >= 3, tile


def colour(text: str) -> list[float]:
    numbers = [float(number) for number in re.findall(r"[\d.]+", text)]
    return numbers if len(numbers) == 4 else [*numbers, 1]


def contrast(first: str, second: str) -> float:
    lights = sorted((luminance(first), luminance(second)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def luminance(text: str) -> float:
    shares = [part / 255 for part in colour(text)[:3]]
    linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_with_forced_colours_tiles_marks_and_the_cursor_are_seen(blank: BlankPage) -> None:
    blank.page.emulate_media(forced_colors="active")
    blank.show(play(board=[[4, 2, 2, 0]], merge=learners.cascade, keys="ear"))
    blank.page.locator(".c2048-left").click()
    blank.page.wait_for_selector(".c2048-marked")
    styles = blank.page.evaluate(
        """() => ['.c2048-tile', '.c2048-marked .c2048-square', '.c2048-cursor .c2048-square']
        .map(name => getComputedStyle(document.querySelector(name)))
        .map(style => [style.borderTopStyle, style.outlineStyle])"""
    )
    assert styles[0][0] == "solid"
    assert "none" not in (styles[1][1], styles[2][1])


def test_the_reading_cursor_walks_reads_and_stops_at_the_wall(blank: BlankPage) -> None:
    blank.show(play(board=[[2, 0], [4, 8]], keys="ear"))
    blank.page.locator(".c2048-field > table").focus()
    listener = Listener(blank.page)
    keys = ["ArrowRight", "ArrowRight", "ArrowDown", "c", "ArrowLeft", "r", "s"]
    assert [listener.press(key) for key in keys] == [
        "B1 zero",
        "B1 zero",
        "B2 8",
        "Column B: zero, 8",
        "A2 4",
        "Row 2: 4, 8",
        "Score 0, 0 moves",
    ]


@pytest.mark.parametrize(
    ("board", "key", "said"),
    [
        ([[2, 4, 0]], "Shift+ArrowLeft", "Nothing moved."),
        ([[1024, 1024, 0], [0, 0, 0]], "Shift+ArrowLeft", "Merged into 2048. 2048 points."),
        ([[2, 2], [8, 16]], "Shift+ArrowLeft", "Game over."),
    ],
    ids=["nothing moved", "won", "over"],
)
def test_what_a_slide_did_is_said(blank: BlankPage, board, key: str, said: str) -> None:
    blank.show(play(board=board, keys="ear", seed=1, p_four=0))
    blank.page.locator(".c2048-field > table").focus()
    assert said in Listener(blank.page).press(key)


def test_a_question_is_answered_by_keyboard(blank: BlankPage) -> None:
    blank.show(predict("merge", [2, 2, 0, 4], options=[[8, 0, 0, 0], [2, 2, 4, 0]]))
    page = blank.page
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.locator("[role=status]").inner_text().startswith(("Yes!", "Not this time."))
    assert page.locator(".c2048-is-right").get_attribute("aria-label") == "[4, 4, 0, 0] ✓ right"


def test_a_replay_is_looked_through_with_its_slider(blank: BlankPage) -> None:
    shown = replay([[[2, 2, 0]], [[4, 0, 2]], [[4, 2, 2]]])
    blank.show(shown)
    page = blank.page
    page.get_by_role("slider").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".c2048-words").inner_text() == "Move 1 of 2, left"
    page.keyboard.press("End")
    assert page.get_by_role("slider").get_attribute("aria-valuetext").startswith("Move 2 of 2")
    assert json.loads(page.locator(".c2048-board").evaluate(TILES)) == [4, 2, 2]


def test_a_replay_says_at_once_how_the_game_ended(blank: BlankPage) -> None:
    shown = replay(Game(3, 3, Random(5)))
    blank.show(shown)
    last = shown.frames[-1]
    said = blank.page.locator(".c2048-ending").inner_text()
    assert f"score {last['score']}, {len(shown.frames) - 1} moves" in said
    assert said.endswith(f"largest tile {max(map(max, last['board']))}.")


def test_a_replay_plays_at_the_speed_that_is_chosen_while_it_plays(
    timed_blank: BlankPage,
) -> None:
    page = timed_blank.page
    timed_blank.show(replay(Game(rng=Random(5))))
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
    for speed, moves in (("Slow", 2), ("Normal", 6), ("Fast", 25)):
        page.get_by_role("slider").press("Home")
        page.get_by_role("button", name="Play", exact=True).press("Enter")
        page.get_by_label("Speed").select_option(speed)
        page.clock.run_for(1510)
        assert page.locator(".c2048-words").inner_text().startswith(f"Move {moves} of ")
        page.get_by_role("button", name="Pause").press("Enter")
    page.clock.resume()


MANAGER = """() => {
  window.shown = [];
  window.widget.model.widget_manager = {
    get_model: async (id) => id,
    create_view: async (id) => {
      const el = document.createElement("p");
      el.textContent = `board ${id}`;
      return { el, remove: () => el.remove() };
    },
  };
}"""


def test_a_replay_is_played_on_from_what_it_shows_on_one_board_below(blank: BlankPage) -> None:
    shown = replay(Game(3, 3, Random(5)))
    blank.show(shown)
    page = blank.page
    page.evaluate(MANAGER)
    page.get_by_role("button", name="Forward").click()
    for _ in range(2):
        page.get_by_role("button", name="Play from here").click()
        blank.settle()
        page.evaluate("id => window.widget.change('below', id)", shown.below)
        page.get_by_text(f"board {shown.below}").wait_for()
    assert blank.sent == [{"do": "play", "at": 1}] * 2
    assert page.locator(".c2048-below > *").count() == 1


TILES = """table => JSON.stringify([...table.querySelectorAll('[data-tile]')]
  .map(tile => Number(tile.dataset.tile)))"""
