"""The board's script alone on a blank page, with the Python widget behind it."""

import pytest

from course import play
from tests.browser.blank import BlankPage
from tests.browser.board import START, WAYS, drawn, sent, show, until_drawn
from tests.course.playing import learners


def test_a_burst_of_thirty_keys_is_thirty_moves(blank: BlankPage) -> None:
    page = show(blank, board=None)
    page.evaluate(
        """() => { const field = document.querySelector('.c2048-field');
        for (let i = 0; i < 30; i += 1) {
          const key = ['ArrowLeft', 'ArrowDown', 'ArrowRight', 'ArrowUp'][i % 4];
          const options = { key, bubbles: true, cancelable: true };
          field.dispatchEvent(new KeyboardEvent('keydown', options));
        } }"""
    )
    assert len(sent(blank)) == 30
    until_drawn(blank)


def test_buttons_slide(blank: BlankPage) -> None:
    page = show(blank)
    for direction in WAYS:
        page.get_by_role("button", name=f"Slide {direction}").click()
    assert sent(blank) == [*WAYS]
    until_drawn(blank)


def test_swipes_slide(blank: BlankPage) -> None:
    page = show(blank)
    box = page.locator(".c2048-field").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for right, down in WAYS.values():
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + right, y + down, steps=4)
        page.mouse.up()
    assert sent(blank) == [*WAYS]


def test_a_tap_does_not_slide(blank: BlankPage) -> None:
    show(blank).locator(".c2048-field").click()
    assert sent(blank) == []


def test_undo_and_new_game(blank: BlankPage) -> None:
    page = show(blank)
    page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name="Undo").click()
    until_drawn(blank, START)
    page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name="New game").click()
    until_drawn(blank, START)
    assert page.locator(".c2048-value").all_inner_texts()[::2] == ["0", "0"]


def test_two_views_show_the_same_game(blank: BlankPage) -> None:
    page = show(blank, views=2)
    page.keyboard.press("ArrowLeft")
    until_drawn(blank, view=0)
    until_drawn(blank, view=1)


def test_a_view_that_is_taken_away_stops_listening(blank: BlankPage) -> None:
    page = show(blank, views=2)
    page.evaluate("() => { const [view] = window.widget.views; view.cleanup(); view.el.remove(); }")
    page.get_by_role("button", name="Slide left").click()
    until_drawn(blank)


def test_a_wrong_answer_is_drawn_marked_and_said(blank: BlankPage) -> None:
    page = show(blank, merge=learners.cascade, board=[[4, 2, 2, 0]])
    page.keyboard.press("ArrowLeft")
    until_drawn(blank)
    assert page.locator(".c2048-marked").count() == 2
    note = page.locator(".c2048-note").inner_text().replace("\u00a0", " ")
    assert "Row 0 (counted from 0): 4 2 2 0 became 8 0 0 0." in note
    assert (
        "Row 0 (counted from 0): 4 2 2 0 became 8 0 0 0." in page.get_by_role("status").inner_text()
    )


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
    page = show(blank, board=[[2, 4], [0, 8]], **pieces)
    page.keyboard.press("ArrowDown")
    until_drawn(blank)
    note = page.locator(".c2048-note")
    assert note.locator(".c2048-still").count() == boards
    read = note.locator("p:not(.c2048-hidden)").all_inner_texts()
    assert not [line for line in read if "gave [[" in line]
    assert bool(note.locator(".c2048-wrong").count()) == (boards == 3)


def test_an_error_is_told_with_its_line_and_the_board_stays(blank: BlankPage) -> None:
    page = show(blank, merge=learners.divides)
    page.keyboard.press("ArrowLeft")
    note = page.locator(".c2048-note").inner_text()
    assert "ZeroDivisionError in line" in note
    assert "return 1 / 0" in note
    assert drawn(page) == START


def test_a_learners_text_is_never_html(blank: BlankPage) -> None:
    page = show(blank, merge=learners.markup)
    page.keyboard.press("ArrowLeft")
    assert "<img src=x onerror=alert(1)>" in page.locator(".c2048-note").inner_text()
    assert page.locator(".c2048-note img").count() == 0


def test_slow_code_is_waited_for_aloud_and_keys_go_on_afterwards(timed_blank: BlankPage) -> None:
    blank = timed_blank
    page = show(blank)
    blank.is_deaf = True
    page.keyboard.press("ArrowLeft")
    page.clock.run_for(2100)
    assert "Still waiting for your code" in page.locator(".c2048-note").inner_text()
    page.keyboard.press("ArrowDown")
    assert sent(blank) == ["left"]
    blank.is_deaf = False
    blank.widget._handle_custom_msg(blank.sent[0], [])
    until_drawn(blank)
    assert page.locator(".c2048-note").inner_text() == ""
    page.keyboard.press("ArrowDown")
    until_drawn(blank)


def test_what_can_not_be_read_is_told_and_the_board_goes_on(blank: BlankPage) -> None:
    page = show(blank, board=[[2, *[0] * 26]], keys="ear", p_four=0)
    for _ in range(26):
        page.keyboard.press("ArrowRight")
    blank.settle()
    assert "has no name" in page.locator(".c2048-note").inner_text()
    page.keyboard.press("Shift+ArrowRight")
    until_drawn(blank)
    assert blank.widget.match.moves == 1


def test_an_error_while_answering_is_told_and_the_board_goes_on(blank: BlankPage) -> None:
    page = show(blank)
    player = blank.widget.match.player
    blank.widget.match.player = None  # now nothing works
    page.keyboard.press("ArrowLeft")
    blank.settle()
    assert "The board could not do that." in page.locator(".c2048-note").inner_text()
    blank.widget.match.player = player
    page.keyboard.press("ArrowDown")
    until_drawn(blank)
    assert blank.widget.match.moves == 1


def test_tiles_glide_pop_appear_and_points_rise(blank: BlankPage) -> None:
    page = show(blank, board=[[2, 2, 0, 4]])
    page.evaluate("window.motions = () => document.getAnimations().length")
    page.evaluate(
        """() => { window.seen = []; const animate = Element.prototype.animate;
        Element.prototype.animate = function (frames, options) {
          window.seen.push(JSON.stringify(frames)); return animate.call(this, frames, options);
        }; }"""
    )
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(".c2048-gain")
    seen = " ".join(page.evaluate("window.seen"))
    assert page.locator(".c2048-gain").inner_text() == "+4"
    assert "translate" in seen
    assert "scale(1.14)" in seen
    assert "scale(0)" in seen
    page.wait_for_function("() => !document.querySelector('.c2048-ghost, .c2048-gain')")


def test_with_reduced_motion_nothing_moves(blank: BlankPage) -> None:
    blank.page.emulate_media(reduced_motion="reduce")
    page = show(blank)
    page.keyboard.press("ArrowLeft")
    until_drawn(blank)
    assert page.evaluate("document.getAnimations().length") == 0


def test_the_goal_is_celebrated_and_play_goes_on(blank: BlankPage) -> None:
    page = show(blank, board=[[1024, 1024, 0, 0], [0, 0, 0, 2]])
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(".c2048-celebrate")
    assert "You made it!" in page.locator(".c2048-note").inner_text()
    assert page.get_by_role("status").inner_text().endswith("You win!")
    page.keyboard.press("ArrowDown")
    until_drawn(blank)
    assert blank.widget.match.moves == 2


@pytest.mark.deep
def test_a_celebration_goes_on_while_the_next_move_is_made_and_ends(blank: BlankPage) -> None:
    page = show(blank, board=[[1024, 1024, 0, 0], [0, 0, 0, 2]])
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowDown")
    until_drawn(blank)
    assert blank.widget.match.moves == 2
    assert page.locator(".c2048-celebrate .c2048-banner").inner_text() == "2048!"
    page.wait_for_function("() => !document.querySelector('.c2048-celebrate')")
    assert page.locator(".c2048-banner").inner_text() == ""


def test_the_end_is_shown_with_a_way_on(blank: BlankPage) -> None:
    page = show(blank, board=[[2, 4, 8], [16, 32, 64]])
    assert "No move is left" in page.locator(".c2048-note").inner_text()
    page.get_by_role("button", name="New game").click()
    blank.settle()
    assert blank.sent[0]["do"] == "new"


@pytest.mark.parametrize("width", [240, 320, 900])
def test_every_size_fits_its_column(blank: BlankPage, width: int) -> None:
    sizes = ((1, 1), (1, 8), (8, 1), (3, 5), (8, 8))
    boards = [[[131072] * columns for _ in range(height)] for height, columns in sizes]
    blank.show(*(play(board=board) for board in boards), width=width)
    too_wide = blank.page.evaluate(
        """() => [...document.querySelectorAll('.c2048, .c2048 *')].filter((node) => {
          const own = node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 1;
          const main = document.querySelector('main').getBoundingClientRect();
          return own || node.getBoundingClientRect().right > main.right + 1;
        }).map(node => node.className + ' ' + node.tagName)"""
    )
    assert too_wide == []
