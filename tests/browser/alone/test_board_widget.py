"""The board on a blank page: its play, its looks, several views of it, and its error messages."""

import pytest

from course import play
from tests.browser.widget_page import START, BlankPage, violations
from tests.course.playing import learners
from tests.parametrize_marks import one_in
from tests.waiting import until

WAYS = {"right": (90, 10), "left": (-90, 20), "down": (5, 80), "up": (-20, -90)}
BURST = """() => { const field = document.querySelector('.c2048-field');
for (let i = 0; i < 30; i += 1) {
  const key = ['ArrowLeft', 'ArrowDown', 'ArrowRight', 'ArrowUp'][i % 4];
  const options = { key, bubbles: true, cancelable: true };
  field.dispatchEvent(new KeyboardEvent('keydown', options));
} }"""
MOTIONS = """() => { window.seen = []; const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
  window.seen.push(JSON.stringify(frames)); return animate.call(this, frames, options);
}; }"""
MARKED = """table => [...table.querySelectorAll('td')].flatMap(
  (cell, index) => cell.classList.contains('c2048-marked') ? [index] : [])"""
GONE = "() => { const [view] = window.widget.views; view.cleanup(); view.el.remove(); }"


def test_a_burst_of_thirty_keys_is_thirty_moves(blank: BlankPage) -> None:
    blank.play(board=None).evaluate(BURST)
    until(lambda: len(blank.asked()) == 30, "thirty moves are asked for", 60)
    blank.until_drawn()
    assert len(blank.asked()) == 30


def test_buttons_and_swipes_slide_and_a_tap_does_not(blank: BlankPage) -> None:
    page = blank.play()
    blank.click(*(f"Slide {way}" for way in WAYS))
    blank.until_drawn()
    for way in WAYS.values():
        blank.swipe(blank.middle(".c2048-field"), way)
    page.locator(".c2048-field").click()
    assert blank.asked() == [*WAYS, *WAYS]


def test_undo_and_new_game(blank: BlankPage) -> None:
    page = blank.play()
    for way_back in ("Undo", "New game"):
        blank.press("ArrowLeft")
        blank.click(way_back)
        blank.until_drawn(START)
        blank.focus()
    assert page.locator(".c2048-value").all_inner_texts()[::2] == ["0", "0"]


@pytest.mark.parametrize("width", one_in(2, [400, 900]))
def test_a_button_goes_back_to_the_game_before(blank: BlankPage, width: int) -> None:
    board = play(board=START)
    board.back = "Back to the game before (16 moves)"
    blank.show(board, width=width)
    page = blank.page
    back = page.get_by_role("button", name=board.back)
    assert violations(page, ".c2048") == []
    back.click()
    assert blank.asked() == ["back"]
    assert page.locator(".c2048-field > .c2048-board:focus").count() == 1
    page.evaluate("() => window.widget.change('back', '')")
    assert back.count() == 0


def test_views_show_one_game_until_they_are_taken_away(blank: BlankPage) -> None:
    page = blank.play(merge=learners.cascade, board=[[4, 2, 2, 0]])
    blank.press("ArrowLeft")
    blank.add_view()
    for view in (0, 1):
        blank.until_drawn(view=view)
        assert page.locator(".c2048-board").nth(view).evaluate(MARKED) == [0, 1]
    assert blank.note(0) == blank.note(1) != ""
    values = page.locator(".c2048-value").all_inner_texts()
    assert values[:3] == values[3:]
    blank.click("Slide right")
    for view in (0, 1):
        blank.until_drawn(view=view)
    page.evaluate(GONE)
    blank.click("Slide left")
    blank.until_drawn()


@pytest.mark.parametrize(
    ("pieces", "boards"),
    [
        ({"rotate": lambda board: [list(row) for row in zip(*board, strict=True)]}, 3),
        ({"slide": lambda board, direction: board}, 3),
        ({"is_over": lambda board: True}, 1),
    ],
    ids=["rotate", "slide", "is_over"],
)
def test_a_wrong_answer_about_a_board_is_small_boards_and_no_list(
    blank: BlankPage, pieces, boards: int
) -> None:
    note = blank.play(board=[[2, 4], [0, 8]], **pieces).locator(".c2048-note")
    blank.press("ArrowDown")
    assert note.locator(".c2048-still").count() == boards
    read = note.locator("p:not(.c2048-hidden)").all_inner_texts()
    assert not [line for line in read if "gave [[" in line]
    assert bool(note.locator(".c2048-wrong").count()) == (boards == 3)


@pytest.mark.parametrize(
    ("merge", "told"),
    [
        (learners.divides, ["ZeroDivisionError in line", "return 1 / 0"]),
        (learners.markup, ["<img src=x onerror=alert(1)>"]),
    ],
    ids=["an error", "markup"],
)
def test_what_went_wrong_is_told_as_text_and_the_board_stays(
    blank: BlankPage, merge, told: list[str]
) -> None:
    page = blank.play(merge=merge)
    blank.press("ArrowLeft")
    assert [text for text in told if text not in blank.note()] == []
    assert page.locator(".c2048-note img").count() == 0
    assert blank.drawn() == START


def test_an_error_of_the_board_itself_is_told_and_it_goes_on(blank: BlankPage) -> None:
    blank.play()
    match = blank.widget.match
    player, match.player = match.player, None  # now every move raises an error
    blank.press("ArrowLeft")
    assert "The board could not do that." in blank.note()
    match.player = player
    blank.press("ArrowDown")
    blank.until_drawn()
    assert match.state.moves == 1


def test_tiles_glide_pop_appear_and_points_rise(blank: BlankPage) -> None:
    page = blank.play(board=[[2, 2, 0, 4]])
    page.evaluate(MOTIONS)
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(".c2048-gain")
    seen = " ".join(page.evaluate("window.seen"))
    assert page.locator(".c2048-gain").inner_text() == "+4"
    for motion in ("translate", "scale(1.14)", "scale(0)"):
        assert motion in seen
    page.wait_for_function("() => !document.querySelector('.c2048-ghost, .c2048-gain')")


def test_with_reduced_motion_nothing_moves(blank: BlankPage) -> None:
    blank.page.emulate_media(reduced_motion="reduce")
    page = blank.play()
    blank.press("ArrowLeft")
    blank.until_drawn()
    assert page.evaluate("document.getAnimations().length") == 0


@pytest.mark.deep
def test_the_goal_is_celebrated_while_play_goes_on(blank: BlankPage) -> None:
    page = blank.play(board=[[1024, 1024, 0, 0], [0, 0, 0, 2]])
    blank.press("ArrowLeft")
    assert "You made it!" in blank.note()
    assert blank.said().endswith("You win!")
    blank.press("ArrowDown")
    blank.until_drawn()
    assert blank.widget.match.state.moves == 2
    assert page.locator(".c2048-celebrate .c2048-banner").inner_text() == "2048!"
    page.wait_for_function("() => !document.querySelector('.c2048-celebrate')")
    assert page.locator(".c2048-banner").inner_text() == ""


def test_the_end_is_shown_with_a_way_on(blank: BlankPage) -> None:
    blank.play(board=[[2, 4, 8], [16, 32, 64]])
    assert "No move is left" in blank.note()
    blank.click("New game")
    assert blank.asked() == ["new"]
