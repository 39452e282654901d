"""The last hint's puzzle on the blank page: by keys, by hand, by ear."""

from typing import Any

from playwright.sync_api import Page

from tests.browser.blank import BlankPage
from tests.browser.puzzles import BIN, PROGRAM, arrange, check, choose, keys, known, lines
from tests.browser.puzzles import puzzle_of as a_puzzle
from tests.waiting import until

MERGE = known("merge")
RIGHT = tuple(row.text for row in MERGE.lines)
STRAYS = {stray.line for stray in MERGE.strays}

LISTEN = """() => {
  window.heard = [];
  new MutationObserver(() => {
    window.heard.push(document.querySelector('[role=status]').textContent.trim());
  }).observe(document.querySelector('[role=status]'), { childList: true });
}"""


def show(blank: BlankPage, name: str = "merge", **place: Any) -> Page:
    blank.show(a_puzzle(name), **place)
    blank.page.evaluate(LISTEN)
    return blank.page


def note(page: Page) -> str:
    return page.locator(".c2048-note").inner_text()


def said(page: Page) -> str:
    return (page.get_by_role("status").text_content() or "").strip()


def indents(page: Page) -> list[int]:
    """Return the indent of each line, as it is drawn."""
    drawn = page.locator(f"{PROGRAM} li").evaluate_all(
        "lines => lines.map(line => Number(line.style.getPropertyValue('--indent')))"
    )
    return list(drawn)


def drag(page: Page, text: str, to: tuple[float, float]) -> None:
    """Drag a line with the mouse from where it is to a place on the page."""
    box = page.locator("li", has=page.get_by_text(text, exact=True)).bounding_box()
    assert box
    page.mouse.move(box["x"] + 15, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(*to, steps=12)
    page.mouse.up()


def test_it_is_solved_by_keys_alone(blank: BlankPage) -> None:
    page = show(blank)
    arrange(page, MERGE, MERGE.lines)
    check(page)
    blank.settle()
    assert note(page) == "✓ Right, your program works. Now write it in your cell."
    assert tuple(lines(page)) == RIGHT
    assert set(lines(page, BIN)) == STRAYS
    after = page.locator("table[aria-label=After] .c2048-tile:not(.c2048-ghost)")
    until(lambda: after.all_text_contents() == ["4", "4"], "the program is seen at work", 5)


def test_it_is_solved_by_hand_alone(blank: BlankPage) -> None:
    page = show(blank)
    for text in STRAYS:
        box = page.locator(BIN).bounding_box()
        assert box
        drag(page, text, (box["x"] + 40, box["y"] + box["height"] - 4))
    assert set(lines(page, BIN)) == STRAYS
    for place, row in enumerate(MERGE.lines):
        if lines(page)[place] != row.text or indents(page)[place] != row.indent:
            box = page.locator(f"{PROGRAM} li").nth(place).bounding_box()
            assert box
            right = 32 * (row.indent - indents(page)[lines(page).index(row.text)])
            drag(page, row.text, (box["x"] + 15 + right, box["y"] + 2))
    assert tuple(lines(page)) == RIGHT
    assert indents(page) == [row.indent for row in MERGE.lines]
    page.get_by_role("button", name="Check my program").click()
    blank.settle()
    assert note(page).startswith("✓ Right")


def test_a_finger_takes_a_line_by_its_grip_and_scrolls_anywhere_else(blank: BlankPage) -> None:
    page = show(blank)
    before = lines(page)
    pull = """([selector, down]) => {
      const line = document.querySelector(selector);
      const { left, top } = line.getBoundingClientRect();
      const boxes = document.querySelector('.c2048-boxes');
      boxes.setPointerCapture = () => {};
      for (const [kind, y] of [['pointerdown', 0], ['pointermove', down], ['pointerup', down]]) {
        line.dispatchEvent(new PointerEvent(kind, { bubbles: true, pointerType: 'touch',
          pointerId: 7, clientX: left + 9, clientY: top + 9 + y }));
      }
    }"""
    page.evaluate(pull, [f"{PROGRAM} li code", 90])
    assert lines(page) == before
    page.evaluate(pull, [f"{PROGRAM} li .c2048-grip", 90])
    assert lines(page) != before
    grips = page.locator(".c2048-grip").evaluate_all(
        "all => all.map(g => getComputedStyle(g).touchAction)"
    )
    assert set(grips) == {"none"}


def test_a_wrong_order_gets_its_sentence_and_its_mark(blank: BlankPage) -> None:
    page = show(blank)
    first, second, *others = MERGE.lines
    arrange(page, MERGE, (second, first, *others))
    check(page)
    blank.settle()
    assert note(page) == "✗ Line 1 is the first that is out of place."
    assert page.locator(".c2048-is-wrong code").all_text_contents() == [second.text]
    assert page.locator(".c2048-is-wrong").get_attribute("aria-label") == (
        f"Line 1: {second.text}, indented once, not right yet"
    )
    assert said(page) == "Line 1 is the first that is out of place."
    assert page.locator(".c2048-played table").count() == 0


def test_the_sentence_about_a_right_program_goes_when_a_line_moves(blank: BlankPage) -> None:
    page = show(blank, "Game.is_over")
    arrange(page, known("Game.is_over"), known("Game.is_over").lines)
    check(page)
    blank.settle()
    assert note(page).startswith("✓")
    choose(page, "return is_over(self.board)")
    keys(page, "ArrowRight")
    assert note(page) == ""
    assert page.locator(".c2048-played table").count() == 0


def test_everything_is_said_in_short_sentences(blank: BlankPage) -> None:
    page = show(blank, "take_turn")
    page.locator(f"{PROGRAM} [tabindex='0']").focus()
    keys(page, " ", "ArrowDown", "ArrowRight", "ArrowUp", "ArrowUp", " ")
    keys(page, " ", "ArrowDown", "Escape", "ArrowLeft", "ArrowLeft", "Delete")
    heard = page.evaluate("() => window.heard")
    assert heard == [
        "Line picked up. Position 1 of 6, indented once.",
        "Position 2 of 6, indented once.",
        "Position 2 of 6, indented twice.",
        "Position 1 of 6, indented twice.",
        "It is the first line of the program already.",
        "Line dropped. Position 1 of 6, indented twice.",
        "Line picked up. Position 1 of 6, indented twice.",
        "Position 2 of 6, indented twice.",
        "Line put back. Position 1 of 6, indented twice.",
        "Position 1 of 6, indented once.",
        "It has to stand below def take_turn(board, direction, rng, p_four=0.1):",
        "Line put into the bin. Line 1 of 1 in the bin.",
    ]


def test_a_line_comes_out_of_the_bin_again(blank: BlankPage) -> None:
    page = show(blank, "take_turn")
    text = lines(page)[0]
    choose(page, text)
    keys(page, "Delete")
    assert lines(page, BIN) == [text]
    page.locator(f"{BIN} li").focus()
    keys(page, " ")
    assert lines(page, BIN) == []
    assert lines(page)[-1] == text
    assert said(page) == "Line taken out of the bin. Position 6 of 6, indented once."


def test_alt_and_an_arrow_move_a_line_at_once(blank: BlankPage) -> None:
    page = show(blank)
    first, second, *others = lines(page)
    choose(page, first)
    keys(page, "Alt+ArrowDown")
    assert lines(page) == [second, first, *others]


def test_the_buttons_do_what_the_keys_do(blank: BlankPage) -> None:
    page = show(blank)
    first, second, *others = lines(page)
    page.locator(f"{PROGRAM} li").nth(1).click()
    for name in ("Move the line up", "Indent the line more"):
        page.get_by_role("button", name=name).click()
    assert lines(page) == [second, first, *others]
    assert indents(page)[0] == 2
    page.get_by_role("button", name="Indent the line less").click()
    page.get_by_role("button", name="Line into the bin, or out of it").click()
    assert lines(page) == [first, *others]
    assert lines(page, BIN) == [second]


def test_keys_that_are_not_the_puzzles_go_on(blank: BlankPage) -> None:
    page = show(blank)
    choose(page, lines(page)[0])
    keys(page, "Tab")
    assert page.locator(":focus").get_attribute("role") != "option"


def test_escape_ends_a_drag(blank: BlankPage) -> None:
    page = show(blank)
    before = lines(page)
    box = page.locator(f"{PROGRAM} li").first.bounding_box()
    assert box
    page.mouse.move(box["x"] + 15, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + 90, box["y"] + 120, steps=6)
    assert lines(page) != before
    keys(page, "Escape")
    page.mouse.up()
    assert lines(page) == before
    assert indents(page) == [1] * len(before)


def test_without_its_kernel_it_says_what_to_do(blank: BlankPage) -> None:
    page = show(blank)
    blank.cut_off()
    check(page)
    assert note(page) == "There is no answer. Run this cell again to go on."


def test_an_answer_that_is_late_is_said_to_be(timed_blank: BlankPage) -> None:
    page = show(timed_blank)
    timed_blank.is_deaf = True
    check(page)
    page.clock.run_for(2100)
    assert note(page).startswith("Still waiting for an answer.")


def test_odd_messages_do_no_harm(blank: BlankPage) -> None:
    page = show(blank)
    for rows in (
        None,
        [],
        [[0, 1], [0, 1]],
        [[99, 1]],
        [[0, 99]],
        [[0, -1]],
        [[True, 1]],
        3,
        [[0]],
    ):
        blank.widget._handle_custom_msg({"rows": rows, "view": "another"}, [])
        blank.widget._handle_custom_msg(rows, [])
    assert note(page) == ""


def test_lines_are_text_and_never_html(blank: BlankPage) -> None:
    widget = a_puzzle("merge")
    evil = "<img src=x onerror=alert(1)>"
    widget.puzzle = {**widget.puzzle, "given": [evil], "lines": [evil], "task": evil, "name": evil}
    blank.show(widget)
    assert blank.page.locator("main img").count() == 0
    assert lines(blank.page) == [evil]


def test_a_view_that_is_drawn_anew_shows_the_lines_as_they_were(blank: BlankPage) -> None:
    page = show(blank)
    choose(page, lines(page)[0])
    keys(page, "Delete")
    now = lines(page)
    blank.add_view()
    until(lambda: page.locator(PROGRAM).count() == 2, "there are two views", 5)
    assert page.locator(PROGRAM).nth(1).locator("code").all_text_contents() == now


def test_nothing_is_wider_than_a_narrow_page(blank: BlankPage) -> None:
    page = show(blank, "slide", width=380)
    right = page.locator("main").bounding_box()
    assert right
    edges = page.locator("main *").evaluate_all(
        "all => all.map(n => n.getBoundingClientRect().right)"
    )
    assert max(edges) <= right["x"] + right["width"] + 1
