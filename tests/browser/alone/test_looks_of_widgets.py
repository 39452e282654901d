"""The looks of widgets (contrast, forced colours, sizes), of a question, and of a replay."""

import re
from random import Random

import pytest

from course import play, predict, replay
from course.rules import Game
from tests.browser.alone.test_axe import every_tile
from tests.browser.widget_page import BlankPage
from tests.course.playing import learners

COLOURS = """() => [...document.querySelectorAll('.c2048-tile')].map(tile => {
  const style = getComputedStyle(tile);
  const square = getComputedStyle(tile.parentElement).backgroundColor;
  const board = getComputedStyle(tile.closest('.c2048-board')).backgroundColor;
  const { color, backgroundColor, borderTopColor } = style;
  return [tile.dataset.tile, color, backgroundColor, borderTopColor, square, board];
})"""
STYLES = """() => ['.c2048-tile', '.c2048-marked .c2048-square', '.c2048-cursor .c2048-square']
  .map(name => getComputedStyle(document.querySelector(name)))
  .map(style => [style.borderTopStyle, style.outlineStyle])"""
TOO_WIDE = """() => [...document.querySelectorAll('.c2048, .c2048 *')].filter((node) => {
  const own = node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 1;
  const main = document.querySelector('main').getBoundingClientRect();
  return own || node.getBoundingClientRect().right > main.right + 1;
}).map(node => node.className + ' ' + node.tagName)"""
BOXES = """nodes => nodes.map((node) => node.getBoundingClientRect())
  .map(({ x, y, width, height }) => [x, y, width, height])"""
MIDDLE = """node => { const box = node.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2]; }"""


def test_numbers_and_edges_stand_out(blank: BlankPage) -> None:
    blank.show(every_tile())
    for dark in (False, True):
        blank.dress(dark=dark)
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
    page = blank.play(board=[[4, 2, 2, 0]], merge=learners.cascade, keys="ear")
    blank.click("Slide left")
    page.wait_for_selector(".c2048-marked")
    tile, marked, cursor = page.evaluate(STYLES)
    assert tile[0] == "solid"
    assert "none" not in (marked[1], cursor[1])


def test_every_size_fits_its_column(blank: BlankPage) -> None:
    sizes = ((1, 1), (1, 8), (8, 1), (3, 5), (8, 8))
    boards = [[[131072] * columns for _ in range(height)] for height, columns in sizes]
    blank.show(*(play(board=board) for board in boards))
    for width in (900, 320, 240):
        blank.dress(width=width)
        assert blank.page.evaluate(TOO_WIDE) == []


def test_with_the_keys_for_the_ear_columns_and_rows_are_named_at_the_edges(
    blank: BlankPage,
) -> None:
    page = blank.play()
    assert not page.locator(".c2048-edge").first.is_visible()
    blank.click("Keys for the ear")
    names = [each.split() for each in page.locator(".c2048-edge").all_inner_texts()]
    assert names == [["A", "B", "C", "D"], ["1", "2", "3", "4"]]
    corner = page.locator(".c2048-cell").last.evaluate(MIDDLE)
    for axis, kind in enumerate(("letters", "digits")):
        name = page.locator(f".c2048-{kind} span").last.evaluate(MIDDLE)
        assert name[axis] == pytest.approx(corner[axis], abs=2)


def test_a_question_is_answered_by_keyboard(blank: BlankPage) -> None:
    blank.show(predict("merge", [2, 2, 0, 4], options=[[8, 0, 0, 0], [2, 2, 4, 0]]))
    blank.press("Tab", "Enter")
    assert blank.said().startswith(("Yes!", "Not this time."))
    right = blank.page.locator(".c2048-is-right")
    assert right.get_attribute("aria-label") == "[4, 4, 0, 0] ✓ right"


@pytest.mark.parametrize("name", ["merge", "is_over"])
def test_nothing_moves_when_a_question_is_answered(blank: BlankPage, name: str) -> None:
    options = {"merge": [[4, 2, 2], [8, 0, 0], [0, 8, 0], [0, 0, 8]], "is_over": [True, False]}
    value = {"merge": [2, 2, 4], "is_over": [[2, 2]]}
    blank.show(predict(name, value[name], options=options[name]), width=1100)
    answers = blank.page.get_by_role("button")
    before = answers.evaluate_all(BOXES)
    answers.first.click()
    assert answers.evaluate_all(BOXES) == before


def test_a_replay_is_looked_through_with_its_slider(blank: BlankPage) -> None:
    blank.show(replay([[[2, 2, 0]], [[4, 0, 2]], [[4, 2, 2]]]))
    slider = blank.page.get_by_role("slider")
    slider.focus()
    blank.press("ArrowRight")
    assert blank.page.locator(".c2048-words").inner_text() == "Move 1 of 2, left"
    blank.press("End")
    assert slider.get_attribute("aria-valuetext").startswith("Move 2 of 2")
    assert blank.drawn() == [[4, 2, 2]]


@pytest.mark.deep
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
  window.widget.model.widget_manager = {
    get_model: async (id) => id,
    create_view: async (id) => {
      const el = document.createElement("p");
      el.textContent = `board ${id}`;
      return { el, remove: () => el.remove() };
    },
  };
}"""


def test_a_replay_says_its_end_at_once_and_is_played_on_from_what_it_shows(
    blank: BlankPage,
) -> None:
    shown = replay(Game(3, 3, Random(5)))
    blank.show(shown)
    page, last = blank.page, shown.frames[-1]
    said = page.locator(".c2048-ending").inner_text()
    assert f"score {last['score']}, {len(shown.frames) - 1} moves" in said
    assert said.endswith(f"largest tile {max(map(max, last['board']))}.")
    page.evaluate(MANAGER)
    blank.click("Forward")
    for _ in range(2):
        blank.click("Play from here")
        page.evaluate("id => window.widget.change('below', id)", shown.below)
        page.get_by_text(f"board {shown.below}").wait_for()
    assert blank.sent == [{"do": "play", "at": 1}] * 2
    assert page.locator(".c2048-below > *").count() == 1
