"""The widget of `watch`, which shows a call line by line: keys, slider, and announcements."""

import re

import pytest

from course import watch
from tests.browser.alone.screen_reader_user import Listener
from tests.browser.alone.test_axe import STEP
from tests.browser.widget_page import BlankPage
from tests.course.steps import programs

PRESS = """(code, [key, options]) => code.dispatchEvent(
  new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...options }))"""


def show(blank: BlankPage, function=programs.merge, line=(2, 2), views: int = 1):
    """Show a call, put the focus on its slider, and return the page."""
    blank.show(watch(function, list(line)), views=views)
    blank.page.get_by_role("slider").first.focus()
    return blank.page


def count(blank: BlankPage) -> str:
    return blank.page.locator(".c2048-step-count").first.inner_text()


def go_to(blank: BlankPage, at: int | str) -> None:
    """Move the slider to a step, given by its number or by its text."""
    steps = [step["words"] for step in blank.widget.run["steps"]]
    step = steps.index(at) if isinstance(at, str) else at
    blank.page.get_by_role("slider").evaluate_all(STEP, step / (len(steps) - 1))


def test_a_whole_call_is_listened_to(blank: BlankPage) -> None:
    page = show(blank, programs.close_gaps, [0, 2])
    listener = Listener(page)
    first = blank.widget.run["blocks"][0]["first"]
    heard = [listener.press("ArrowRight") for _ in range(4)]
    code = "tiles = [tile for tile in line if tile != ZERO]."
    assert [each.replace(f"Line {first + 2}: {code} ", "") for each in heard[:3]] == [
        "tile is now 0.",
        "tile is now 2.",
        "tiles is now [2].",
    ]
    assert heard[3].startswith(f"Line {first + 3}: return tiles + [0] * (len(line) - len(tiles)).")
    assert heard[3].replace(" ", "").endswith("close_gapsgivesback[2,0].")


def test_keys_and_slider_go_to_any_step_and_ask_nothing_of_the_kernel(blank: BlankPage) -> None:
    page = show(blank)
    last = len(blank.widget.run["steps"]) - 1
    for key, at in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last)):
        blank.press(key)
        assert count(blank) == f"Step {at} of {last}"
    blank.press("ArrowRight")
    assert count(blank) == f"Step {last} of {last}"
    blank.press("Home", "ArrowLeft")
    assert count(blank) == f"Step 0 of {last}"
    go_to(blank, 3)
    assert count(blank) == f"Step 3 of {last}"
    assert page.get_by_role("slider").get_attribute("aria-valuetext") == f"3 of {last}"
    assert blank.sent == []


def test_keys_work_wherever_it_was_clicked(blank: BlankPage) -> None:
    page = show(blank)
    places = (".c2048-step-code", ".c2048-step-said", ".c2048-step-head")
    for step, place in enumerate(places, start=1):
        page.locator(place).click()
        blank.press("ArrowRight")
        assert count(blank).startswith(f"Step {step} of")


@pytest.mark.parametrize(
    ("key", "options"),
    [("ArrowRight", {"ctrlKey": True}), ("ArrowRight", {"shiftKey": True}), ("a", {}), ("Tab", {})],
    ids=["Ctrl + arrow", "Shift + arrow", "a letter", "Tab"],
)
def test_keys_that_are_not_its_own_are_left_alone(blank: BlankPage, key: str, options) -> None:
    code = show(blank).locator(".c2048-step-code")
    is_free = code.evaluate(PRESS, [key, options])
    assert is_free
    assert count(blank).startswith("Step 0 of")


def test_the_line_that_ran_is_marked_in_the_code_that_runs(blank: BlankPage) -> None:
    page = show(blank)
    here = page.locator("[aria-current=step]")
    assert here.inner_text().split("\n")[-1].strip() == "def merge(line):"
    go_to(blank, 1)
    assert page.locator(".c2048-step-where").inner_text().endswith("▸ close_gaps")
    assert "def close_gaps(line):" in here.inner_text()
    assert page.locator(".c2048-step-code").get_attribute("aria-label") == "The code of close_gaps"
    assert page.get_by_text("merge waits in line").is_visible()


def test_what_changed_is_marked_in_words_and_on_its_square(blank: BlankPage) -> None:
    page = show(blank)
    go_to(blank, "squares[0] is now 4.")
    row = page.locator(".c2048-step-changed")
    assert row.locator("dt").inner_text().split() == ["squares", "Changed"]
    assert row.locator(".c2048-marked").inner_text() == "4"
    assert row.locator(".c2048-step-columns b").inner_text() == "index"
    page.emulate_media(forced_colors="active")
    for name in (".c2048-step-here", ".c2048-marked .c2048-square"):
        style = "found => getComputedStyle(found).outlineStyle"
        assert page.locator(name).first.evaluate(style) == "solid"


def test_what_was_printed_so_far_is_shown(blank: BlankPage) -> None:
    printed = show(blank, programs.prints, [2]).locator(".c2048-step-printed")
    assert "Nothing yet." in printed.inner_text()
    go_to(blank, 2)
    assert printed.locator("mark").inner_text().strip() == "It has 1 squares"
    assert "The line is [2]" in printed.inner_text()


def test_an_error_is_the_last_step_and_marks_its_line(blank: BlankPage) -> None:
    page = show(blank, programs.runs_off_the_end, [2, 4])
    blank.press("End")
    assert blank.said().endswith("This line fails. IndexError: list index out of range.")
    failed = page.locator(".c2048-step-failed")
    assert "if line[index] == line[index + 1]:" in failed.inner_text()


def test_missing_code_is_said_at_once(blank: BlankPage) -> None:
    blank.show(watch(programs.stub, [2]))
    assert blank.said().endswith("is still there. Your code takes its place.")


def test_a_learner_s_text_is_never_html(blank: BlankPage) -> None:
    def merge(line):
        print("<b id=evil>")
        text = "<b id=evil>"
        raise ValueError(text)

    page = show(blank, merge, ["<b id=evil>"])
    blank.press("End")
    assert page.locator("#evil").count() == 0
    assert "<b id=evil>" in blank.said()


def test_it_plays_pauses_and_says_only_where_it_stops(timed_blank: BlankPage) -> None:
    page = show(timed_blank, programs.close_gaps, [0, 2])
    live = page.locator("[role=status]")
    timed_blank.press(" ")
    page.clock.run_for(2500)
    assert count(timed_blank) == "Step 2 of 4"
    assert live.get_attribute("aria-live") == "off"
    timed_blank.press(" ")
    page.clock.run_for(5000)
    assert count(timed_blank) == "Step 2 of 4"
    assert live.get_attribute("aria-live") == "polite"
    timed_blank.click("Play")
    assert page.get_by_role("button", name="Pause").is_visible()
    page.get_by_label("Speed").select_option("fast")
    page.clock.run_for(1000)
    assert count(timed_blank) == "Step 4 of 4"
    assert live.get_attribute("aria-live") == "polite"
    assert page.get_by_role("button", name="Play").is_visible()


# Notes that a tile of the answer has moved, however soon its movement is over.
MOVED = """() => new MutationObserver(() => {
  window.hasMoved ||= document.querySelector('.c2048-step-gave .c2048-moving') !== null;
}).observe(document.body, { subtree: true, childList: true, attributes: true })"""


def test_the_answer_moves_from_what_it_was_given(blank: BlankPage) -> None:
    page = show(blank, line=[2, 0, 2])
    gave = page.locator(".c2048-step-gave")
    page.evaluate(MOVED)
    assert page.evaluate("window.hasMoved === undefined")
    blank.press("End")
    page.wait_for_function("window.hasMoved")
    assert gave.locator(".c2048-tile:not(.c2048-ghost)").all_inner_texts() == ["4"]


# JupyterLab 4.6's styles for definition lists in the outputs of cells.
OUTPUT = """
.jp-OutputArea-output dl { width: 100%; overflow: hidden; padding: 0; margin: 0; }
.jp-OutputArea-output dt { font-weight: bold; float: left; width: 20%; padding: 0; margin: 0; }
.jp-OutputArea-output dd { float: left; width: 80%; padding: 0; margin: 0; }
"""
BEFORE = "breaks => breaks.map((each) => each.previousSibling.textContent)"
SIZES = """() => [...document.querySelectorAll('dl, dt, dd, .c2048-step-list .c2048-board')]
  .map(each => [each.offsetWidth, each.offsetHeight, getComputedStyle(each).overflow])"""


def test_in_an_output_of_jupyterlab_it_looks_as_it_does_alone(blank: BlankPage) -> None:
    page = show(blank)
    go_to(blank, 4)
    alone = page.evaluate(SIZES)
    page.add_style_tag(content=OUTPUT)
    page.evaluate("document.querySelector('main').className = 'jp-OutputArea-output'")
    assert page.evaluate(SIZES) == alone


def test_on_a_narrow_page_numbers_are_large_and_code_is_wrapped_behind_brackets(
    blank: BlankPage,
) -> None:
    blank.show(watch(programs.merge, [2] * 5), width=284)
    tile = blank.page.locator(".c2048-step-values .c2048-tile").first
    assert float(tile.evaluate("tile => parseFloat(getComputedStyle(tile).fontSize)")) >= 12
    breaks = blank.page.locator(".c2048-step-line wbr").evaluate_all(BEFORE)
    assert breaks
    assert {text[-1] for text in breaks} <= {"(", "["}


def test_two_views_go_their_own_ways(blank: BlankPage) -> None:
    page = show(blank, views=2)
    blank.click("Forward")
    counts = page.locator(".c2048-step-count").all_inner_texts()
    assert [re.match(r"Step \d+", each)[0] for each in counts] == ["Step 1", "Step 0"]
