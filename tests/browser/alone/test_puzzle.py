"""The puzzle of the last hint on a blank page: by keys, by mouse, by finger, and as read out."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.alone.screen_reader_user import LISTEN
from tests.browser.alone.solving_puzzles import BIN, PROGRAM, arrange, check, choose, known, lines
from tests.browser.widget_page import BlankPage
from tests.course.widgets.conftest import puzzle_of
from tests.waiting import until

MERGE = known("merge")
RIGHT = [row.text for row in MERGE.lines]
STRAYS = {*MERGE.strays}
PULL = """([selector, down]) => {
  const line = document.querySelector(selector);
  const { left, top } = line.getBoundingClientRect();
  document.querySelector('.c2048-boxes').setPointerCapture = () => {};
  for (const [kind, y] of [['pointerdown', 0], ['pointermove', down], ['pointerup', down]]) {
    line.dispatchEvent(new PointerEvent(kind, { bubbles: true, pointerType: 'touch',
      pointerId: 7, clientX: left + 9, clientY: top + 9 + y }));
  }
}"""
EDGES = "all => Math.max(...all.map(node => node.getBoundingClientRect().right))"
INDENTS = "lines => lines.map(line => Number(line.style.getPropertyValue('--indent')))"


def show(blank: BlankPage, name: str = "merge", **place: Any) -> Page:
    blank.show(puzzle_of(name), **place)
    return blank.page


def indents(page: Page) -> list[int]:
    return list(page.locator(f"{PROGRAM} li").evaluate_all(INDENTS))


def drag(page: Page, text: str, to: tuple[float, float]) -> None:
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
    assert blank.note() == "✓ Right, your program works. Now write it in your cell."
    assert lines(page) == RIGHT
    assert set(lines(page, BIN)) == STRAYS
    after = page.locator("table[aria-label=After] .c2048-tile:not(.c2048-ghost)")
    until(lambda: after.all_text_contents() == ["4", "4"], "the program is seen at work", 5)
    page.locator(f"{PROGRAM} li").first.focus()
    blank.press("Alt+ArrowDown")
    assert blank.note() == ""
    assert page.locator(".c2048-played table").count() == 0


@pytest.mark.deep
def test_it_is_solved_by_hand_alone(blank: BlankPage) -> None:
    page = show(blank)
    for text in STRAYS:
        box = page.locator(BIN).bounding_box()
        assert box
        drag(page, text, (box["x"] + 40, box["y"] + box["height"] - 4))
    for place, row in enumerate(MERGE.lines):
        if lines(page)[place] != row.text or indents(page)[place] != row.indent:
            box = page.locator(f"{PROGRAM} li").nth(place).bounding_box()
            assert box
            right = 32 * (row.indent - indents(page)[lines(page).index(row.text)])
            drag(page, row.text, (box["x"] + 15 + right, box["y"] + 2))
    assert lines(page) == RIGHT
    assert set(lines(page, BIN)) == STRAYS
    assert indents(page) == [row.indent for row in MERGE.lines]
    blank.click("Check my program")
    assert blank.note().startswith("✓ Right")


def test_a_finger_takes_a_line_by_its_grip_and_scrolls_anywhere_else(blank: BlankPage) -> None:
    page = show(blank)
    before = lines(page)
    page.evaluate(PULL, [f"{PROGRAM} li code", 90])
    assert lines(page) == before
    page.evaluate(PULL, [f"{PROGRAM} li .c2048-grip", 90])
    assert lines(page) != before
    touch = "all => all.map(grip => getComputedStyle(grip).touchAction)"
    assert set(page.locator(".c2048-grip").evaluate_all(touch)) == {"none"}


def test_a_wrong_order_gets_its_sentence_and_its_mark(blank: BlankPage) -> None:
    page = show(blank)
    first, second, *others = MERGE.lines
    arrange(page, MERGE, (second, first, *others))
    check(page)
    blank.settle()
    assert blank.note() == "✗ Line 1 is the first that is out of place."
    assert blank.said() == "Line 1 is the first that is out of place."
    wrong = page.locator(".c2048-is-wrong")
    assert wrong.locator("code").all_text_contents() == [second.text]
    told = f"Line 1: {second.text}, indented once, not right yet"
    assert wrong.get_attribute("aria-label") == told
    assert page.locator(".c2048-played table").count() == 0


def test_everything_is_said_in_short_sentences(blank: BlankPage) -> None:
    page = show(blank, "take_turn")
    page.locator("body").evaluate(LISTEN)
    page.locator(f"{PROGRAM} [tabindex='0']").focus()
    blank.press(" ", "ArrowDown", "ArrowRight", "ArrowUp", "ArrowUp", " ")
    blank.press(" ", "ArrowDown", "Escape", "ArrowLeft", "ArrowLeft", "Delete")
    page.locator(f"{BIN} li").focus()
    blank.press(" ")
    assert [said.strip() for said in page.evaluate("window.said")] == [
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
        "Line taken out of the bin. Position 6 of 6, indented once.",
    ]
    assert lines(page, BIN) == []


def test_the_buttons_do_what_the_keys_do(blank: BlankPage) -> None:
    page = show(blank)
    first, second, *others = lines(page)
    choose(page, first)
    blank.press("Tab")
    assert page.locator(":focus").get_attribute("role") != "option"
    page.locator(f"{PROGRAM} li").nth(1).click()
    blank.click("Move the line up", "Indent the line more")
    assert lines(page) == [second, first, *others]
    assert indents(page)[0] == 2
    blank.click("Indent the line less", "Line into the bin, or out of it")
    assert lines(page) == [first, *others]
    assert lines(page, BIN) == [second]
    blank.add_view()  # a new view shows the lines as they were at first
    assert page.locator(PROGRAM).nth(1).locator("code").all_text_contents() == [first, *others]


def test_tab_keeps_the_chosen_line_and_the_arrows_lead_into_the_bin(blank: BlankPage) -> None:
    page = show(blank)
    first, *others = lines(page)
    last = others[-1]
    choose(page, first)
    blank.press("Delete")
    choose(page, last)
    blank.press("Tab", "Enter")  # the button that moves a line up
    assert lines(page) == [*others[:-2], last, others[-2]]
    choose(page, others[-2])
    blank.press("ArrowDown")
    assert page.locator(":focus code").text_content() == first
    blank.press("ArrowUp", "ArrowDown", " ")
    assert lines(page)[-1] == first


def test_escape_ends_a_drag(blank: BlankPage) -> None:
    page = show(blank)
    before = lines(page)
    x, y = blank.middle(f"{PROGRAM} li .c2048-grip")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 75, y + 110, steps=6)
    assert lines(page) != before
    blank.press("Escape")
    page.mouse.up()
    assert lines(page) == before
    assert indents(page) == [1] * len(before)


def test_an_error_of_the_puzzle_itself_is_told_and_it_goes_on(
    blank: BlankPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = show(blank)
    with monkeypatch.context() as patch:
        patch.setattr("course.widgets.hint_widget.judge", None)  # so no program can be judged
        check(page)
        blank.settle()
    assert blank.note().startswith("That did not work. TypeError: ")
    assert blank.said() == blank.note()
    check(page)
    blank.settle()
    assert blank.note().startswith("✗ ")


def test_answers_to_another_view_do_no_harm(blank: BlankPage) -> None:
    show(blank)
    for rows in ([[0, 1]], None):
        blank.widget._handle_custom_msg({"rows": rows, "view": "another"}, [])
        blank.widget._handle_custom_msg(rows, [])
    assert blank.note() == ""


def test_lines_are_text_and_never_html(blank: BlankPage) -> None:
    widget = puzzle_of("merge")
    evil = "<img src=x onerror=alert(1)>"
    widget.puzzle = {**widget.puzzle, "given": [evil], "lines": [evil], "task": evil, "name": evil}
    blank.show(widget)
    assert blank.page.locator("main img").count() == 0
    assert lines(blank.page) == [evil]


def test_nothing_is_wider_than_a_narrow_page(blank: BlankPage) -> None:
    page = show(blank, "slide", width=380)
    right = page.locator("main").bounding_box()
    assert right
    assert page.locator("main *").evaluate_all(EDGES) <= right["x"] + right["width"] + 1
