"""The board for players who listen: announcements, a board that is not shown, and tones."""

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from autograder.course_adapter import ROOT
from autograder.notebook.master import read_master
from course import play, rules
from course.lessons import lesson
from course.rules import find_square, slide
from course.widgets import static_html
from tests.browser.alone.screen_reader_user import Listener
from tests.browser.widget_page import BlankPage

LESSON = "8-play-by-ear"
LONGEST = 100  # characters of one announcement
TRANSCRIPT = Path("screenshots/played-with-lights-off.txt")
HIDDEN = (
    """() => getComputedStyle(document.querySelector(".c2048-field > table")).opacity === "0" """
)
# The screen reader Orca passes keys on to a grid in an application, not to the application itself.
IS_HEARD = "() => document.activeElement.matches('[role=application] > [role=grid]')"
LINES = "() => [...document.querySelectorAll('.c2048-transcript li')].map(line => line.textContent)"


def test_the_reading_cursor_walks_reads_and_stops_at_the_wall(blank: BlankPage) -> None:
    blank.play(board=[[2, 0], [4, 8]], keys="ear")
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


def learners_own() -> dict[str, Any]:
    """Return, by name, those functions of the lesson's solutions that a board calls."""
    names = {name: getattr(rules, name) for name in ("has_won", "is_over")}
    wanted = {exercise.name for exercise in lesson(LESSON).exercises} | {"letters", "say-merges"}
    for cell in read_master(LESSON, ROOT / "source").cells:
        if cell.id in wanted:
            exec(compile(cell.source, cell.id, "exec"), names)  # noqa: S102 — our own lesson
    own = {exercise.name: names[exercise.name] for exercise in lesson(LESSON).exercises}
    del own["find_square"]  # no board calls it
    return own


def in_the_dark(blank: BlankPage, **options: Any) -> Listener:
    blank.show(play(**options, keys="ear"))
    blank.page.get_by_role("button", name="Lights off").focus()
    blank.page.keyboard.press("Enter")
    return Listener(blank.page)


def test_a_whole_game_is_played_with_lights_off_by_a_learners_own_announcements(
    blank: BlankPage,
) -> None:
    listener = in_the_dark(blank, height=3, width=3, seed=7, **learners_own())
    board, rng, score, moves, said = listener.board(3, 3), Random(1), 0, 0, ""
    while not said.endswith("Game over."):
        way = next(way for way in ways(rng) if slide(board, way) != board)
        said = listener.press(f"Shift+Arrow{way.capitalize()}")
        assert len(said) <= LONGEST
        assert blank.page.evaluate(HIDDEN)
        board, gained = after(board, way, said)
        score, moves = score + gained, moves + 1
    assert listener.press("Shift+ArrowUp") == "Nothing moved."
    assert listener.board(3, 3) == board
    assert listener.press("s") == f"Score {score}, {moves} moves"
    assert blank.widget.match.state.is_over
    assert blank.widget.match.state.is_fair
    heard = [line.replace("\u00a0", "") for line in listener.heard]
    assert blank.page.evaluate(LINES) == heard
    TRANSCRIPT.parent.mkdir(exist_ok=True)
    TRANSCRIPT.write_text("\n".join(heard) + "\n", "utf-8")


def ways(rng: Random) -> list[str]:
    """Return the directions in the order to try: down and left in random order, then right, up."""
    return [*rng.sample(["down", "left"], 2), "right", "up"]


def after(board: list[list[int]], way: str, said: str) -> tuple[list[list[int]], int]:
    """Return the board and the points after a slide, as a listener works them out from `said`."""
    slid = slide(board, way)
    new = re.search(r"New (\d+) at ([A-C][1-3])\.", said)
    assert new is not None
    row, column = find_square(new[2])
    assert slid[row][column] == 0
    slid[row][column] = int(new[1])
    gained = re.search(r"(\d+) points", said)
    return slid, int(gained[1]) if gained else 0


def test_the_lights_go_off_and_on_and_the_keys_stay_with_the_board(blank: BlankPage) -> None:
    listener = in_the_dark(blank, board=[[2, 2, 0]], p_four=0, seed=1)
    page = blank.page
    assert page.evaluate(IS_HEARD)
    assert listener.press("Shift+ArrowLeft").startswith("Merged into 4. 4 points. New 2 at ")
    assert page.evaluate(HIDDEN)
    assert page.get_by_role("group", name="What was said").is_visible()
    blank.click("Lights off")
    assert not page.evaluate(HIDDEN)
    assert not page.get_by_role("group", name="What was said").is_visible()
    blank.click("Lights off", "Keys for the ear")
    assert not page.evaluate(HIDDEN)


def test_axe_finds_nothing_in_the_dark(blank: BlankPage) -> None:
    blank.page.emulate_media(reduced_motion="reduce")
    blank.show(play(board=[[2, 2, 0]], keys="ear"), views=2)
    for view in range(2):
        blank.click("Lights off", "Sounds", "Slide left", view=view)
    assert blank.faults_in_both_themes() == []


TONES = """async ([script, board, merged]) => {
  const play = new Function(script + "; return playTones;")();
  const rate = 44100;
  const context = new OfflineAudioContext(2, rate, rate);
  play(context, merged, board);
  const sound = await context.startRendering();
  return merged.map((_, index) => {
    const from = (index * 0.1 + 0.02) * rate;
    const heard = (channel) => sound.getChannelData(channel).slice(from, from + 0.07 * rate);
    const [left, right] = [0, 1].map(heard);
    const loudness = (side) => side.reduce((sum, each) => sum + each * each, 0);
    return [loudness(left), loudness(right)];
  }).concat([[...Array(rate / 10).keys()].filter((at) => {
    const side = sound.getChannelData(0);
    return side[at] < 0 && side[at + 1] >= 0;
  }).length * 10]);
}"""


def tones(blank: BlankPage, board: list[list[int]], *merged: tuple[int, int]) -> list[Any]:
    """Return what sounds when tiles merge on the squares `merged` of a board.

    The list has the loudness of each tone as [left, right] and, at its end, the pitch of the first
    tone in hertz.
    """
    blank.page.set_content("<p>Listen.</p>")
    found: list[Any] = blank.page.evaluate(TONES, [static_html.read("sounds.js"), board, merged])
    return found


def test_a_larger_tile_sounds_higher_and_the_column_is_the_side(blank: BlankPage) -> None:
    pitches = [tones(blank, [[value, 0, 0, 0]], (0, 0))[-1] for value in (4, 64, 2048)]
    assert pitches == [pytest.approx(hertz, abs=15) for hertz in (220, 440, 1047)]
    left, middle, right, _ = tones(blank, [[4, 8, 16]], (0, 2), (0, 0), (0, 1))
    assert left[0] > 20 * left[1] > 0
    assert middle[0] == pytest.approx(middle[1], rel=0.2)
    assert right[1] > 5 * right[0] > 0


SPY = """() => {
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) {
    window.tones.push(Math.round(this.frequency.value));
    return start.apply(this, when);
  };
}"""


def test_sounds_are_off_until_they_are_switched_on_and_that_is_remembered(blank: BlankPage) -> None:
    page = blank.page
    blank.remember()
    page.evaluate(SPY)
    for is_on in (False, True):
        blank.show(play(board=[[4, 4, 2, 2]], p_four=0, keys="ear"))
        page.evaluate("() => { window.tones = []; }")
        switch = page.get_by_role("button", name="Sounds")
        assert switch.get_attribute("aria-pressed") == str(is_on).lower()
        blank.click("Slide left")
        assert page.evaluate("window.tones") == ([262, 220] if is_on else [])
        if not is_on:
            switch.click()
