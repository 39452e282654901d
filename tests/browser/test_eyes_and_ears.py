"""The board for everyone: axe, contrast, and a game played by listening only."""

import json
import re
from pathlib import Path
from random import Random

import axe_playwright_python
import pytest
from playwright.sync_api import Page

from course import play, predict, replay, watch
from course.match.functions import Functions
from course.match.match import Match
from course.rules import Game
from course.widgets.board import BoardWidget
from course.widgets.picture import board_html
from tests.browser.blank import BlankPage
from tests.browser.listener import Listener
from tests.browser.puzzles import arrange, check, known, puzzle_of
from tests.course.match import learners
from tests.course.steps import programs

AXE = Path(axe_playwright_python.__file__).parent / "axe.min.js"
POWERS = [2**power for power in range(1, 18)]
EVERY_TILE = [[*POWERS[:6]], [*POWERS[6:12]], [*POWERS[12:], 0], [6, 12, 3, 0, 0, 262144]]


def every_tile() -> BoardWidget:
    """A board with tiles, too, that only a wrong program makes: no match starts from those."""
    return BoardWidget(Match(Functions({}, board=EVERY_TILE)))


def violations(page: Page) -> list[str]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("async () => await axe.run('main')")
    assert "color-contrast" in [each["id"] for each in found["passes"]]
    return [
        f"{each['id']}: {node['html'][:120]} {node['failureSummary'][:300]}"
        for each in found["violations"]
        for node in each["nodes"]
    ]


def everything() -> dict:
    return {
        "start": every_tile(),
        "wrong": play(board=[[4, 2, 2, 0]], merge=learners.cascade),
        "drawn": play(board=[[2, 4], [0, 8]], slide=lambda board, direction: board[::-1]),
        "error": play(merge=learners.divides),
        "nonsense": play(merge=learners.nothing),
        "printed": play(merge=learners.prints),
        "won": play(board=[[1024, 1024, 0], [0, 0, 2]]),
        "over": play(board=[[2, 4, 8], [16, 32, 64]]),
        "one square": play(height=1, width=1),
        "8 x 8": play(height=8, width=8),
        "a call, line by line": watch(programs.merge, [2, 0, 2, 4]),
        "a question": predict("merge", [2, 2, 4], options=[[8, 0, 0], [2, 2, 4]]),
        "a question in words": predict("is_over", [[2, 4], [4, 2]], options=[True, False]),
        "a puzzle": puzzle_of("merge"),
        "a replay": replay(Game(3, 3)),
    }


STATES = list(everything())


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing(blank: BlankPage, state: str, dark: bool) -> None:
    page = blank.page
    page.emulate_media(reduced_motion="reduce")
    widget = everything()[state]
    for scheme in ("eye", "ear") if hasattr(widget, "scheme") else ("",):
        if scheme:
            widget.scheme = scheme
        blank.show(widget, views=2, dark=dark)
        act(page)
        assert violations(page) == []


def act(page: Page) -> None:
    """Does to a widget what it is there for."""
    for selector in (".c2048-left", ".c2048-answer", "[aria-label=Forward]"):
        if page.locator(selector).count():
            page.locator(selector).first.dispatch_event("click")
    page.wait_for_function("() => document.querySelector('[role=status], input')")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("is_right", [False, True], ids=["wrong", "right"])
def test_axe_finds_nothing_in_a_puzzle_that_was_checked(
    blank: BlankPage, is_right: bool, dark: bool
) -> None:
    merge = known("merge")
    blank.page.emulate_media(reduced_motion="reduce")
    blank.show(puzzle_of("merge"), dark=dark)
    arrange(blank.page, merge, merge.lines if is_right else merge.lines[1:])
    check(blank.page)
    blank.settle()
    assert blank.page.locator(".c2048-note").inner_text().startswith("✓" if is_right else "✗")
    assert violations(blank.page) == []


def test_axe_finds_nothing_while_the_board_waits(timed_blank: BlankPage) -> None:
    blank = timed_blank
    blank.show(play())
    blank.is_deaf = True
    blank.page.locator(".c2048-left").click()
    blank.page.clock.run_for(2100)
    blank.page.clock.resume()
    assert "Still waiting" in blank.page.locator(".c2048-note").inner_text()
    assert violations(blank.page) == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_in_a_picture(page: Page, dark: bool) -> None:
    page.set_content(
        f'<!doctype html><html lang="en"><title>A picture</title><body '
        f'data-jp-theme-light="{str(not dark).lower()}"><main>{board_html(EVERY_TILE, [(0, 1)])}'
    )
    assert violations(page) == []


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
    blank.page.locator(".c2048-field").focus()
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
    blank.page.locator(".c2048-field").focus()
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


@pytest.mark.parametrize(("speed", "moves"), [("Slow", 2), ("Normal", 6), ("Fast", 25)])
def test_a_replay_plays_at_the_speed_that_is_chosen_while_it_plays(
    timed_blank: BlankPage, speed: str, moves: int
) -> None:
    page = timed_blank.page
    timed_blank.show(replay(Game(rng=Random(5))))
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_label("Speed").select_option(speed)
    page.clock.run_for(1510)
    assert page.locator(".c2048-words").inner_text().startswith(f"Move {moves} of ")


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
