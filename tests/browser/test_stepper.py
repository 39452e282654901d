"""A call that is watched line by line: keys, slider, and what is said."""

import re

import pytest
from playwright.sync_api import Page

from course import watch
from tests.browser.blank import BlankPage
from tests.browser.test_eyes_and_ears import Listener
from tests.course.steps import programs


def count(page: Page) -> str:
    return page.locator(".c2048-step-count").inner_text()


def said(page: Page) -> str:
    """The sentence as it is read out."""
    return page.locator("[role=status]").text_content().replace("\u00a0", " ")


def drag(page: Page, at: int) -> None:
    page.get_by_role("slider").evaluate(
        "(slider, at) => { slider.value = at; slider.dispatchEvent(new Event('input')); }", str(at)
    )


def test_a_whole_call_is_listened_to(blank: BlankPage) -> None:
    widget = watch(programs.close_gaps, [0, 2])
    blank.show(widget)
    listener = Listener(blank.page)
    first = widget.run["blocks"][0]["first"]
    blank.page.get_by_role("slider").focus()
    heard = [listener.press("ArrowRight") for _ in range(4)]
    code = "tiles = [tile for tile in line if tile != ZERO]."
    assert [each.replace(f"Line {first + 2}: {code} ", "") for each in heard[:3]] == [
        "tile is now 0.",
        "tile is now 2.",
        "tiles is now [2].",
    ]
    assert heard[3].startswith(f"Line {first + 3}: return tiles + [0] * (len(line) - len(tiles)).")
    assert heard[3].replace(" ", "").endswith("close_gapsgivesback[2,0].")


def test_keys_go_one_step_to_the_ends_and_nowhere_else(blank: BlankPage) -> None:
    blank.show(watch(programs.merge, [2, 2]))
    page = blank.page
    last = len(blank.widget.run["steps"]) - 1
    page.get_by_role("slider").focus()
    for key, at in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last)):
        page.keyboard.press(key)
        assert count(page) == f"Step {at} of {last}"
    page.keyboard.press("ArrowRight")
    assert count(page) == f"Step {last} of {last}"
    page.keyboard.press("Home")
    page.keyboard.press("ArrowLeft")
    assert count(page) == f"Step 0 of {last}"


@pytest.mark.parametrize("place", [".c2048-step-code", ".c2048-step-said", ".c2048-step-head"])
def test_keys_work_wherever_it_was_clicked(blank: BlankPage, place: str) -> None:
    blank.show(watch(programs.merge, [2, 2]))
    blank.page.locator(place).click()
    blank.page.keyboard.press("ArrowRight")
    assert count(blank.page).startswith("Step 1 of")


@pytest.mark.parametrize(
    ("key", "options"),
    [("ArrowRight", {"ctrlKey": True}), ("ArrowRight", {"shiftKey": True}), ("a", {}), ("Tab", {})],
    ids=["Ctrl + arrow", "Shift + arrow", "a letter", "Tab"],
)
def test_keys_that_are_not_its_own_are_left_alone(blank: BlankPage, key: str, options) -> None:
    blank.show(watch(programs.merge, [2, 2]))
    is_free = blank.page.locator(".c2048-step-code").evaluate(
        """(code, [key, options]) => code.dispatchEvent(
          new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...options }))""",
        [key, options],
    )
    assert is_free
    assert count(blank.page).startswith("Step 0 of")


def test_the_slider_goes_to_any_step(blank: BlankPage) -> None:
    blank.show(watch(programs.merge, [2, 2]))
    drag(blank.page, 3)
    assert count(blank.page).startswith("Step 3 of")
    assert blank.page.get_by_role("slider").get_attribute("aria-valuetext").startswith("3 of")


def test_the_line_that_ran_is_marked_in_the_code_that_runs(blank: BlankPage) -> None:
    blank.show(watch(programs.merge, [2, 2]))
    page = blank.page
    here = page.locator("[aria-current=step]")
    assert here.inner_text().split("\n")[-1].strip() == "def merge(line):"
    page.keyboard.press("Tab")
    drag(page, 1)
    assert page.locator(".c2048-step-where").inner_text().endswith("▸ close_gaps")
    assert "def close_gaps(line):" in here.inner_text()
    assert page.locator(".c2048-step-code").get_attribute("aria-label") == "The code of close_gaps"
    assert page.get_by_text("merge waits in line").is_visible()


def test_what_changed_is_marked_in_words_and_on_its_square(blank: BlankPage) -> None:
    widget = watch(programs.merge, [2, 2])
    blank.show(widget)
    words = [step["words"] for step in widget.run["steps"]]
    drag(blank.page, words.index("squares[0] is now 4."))
    row = blank.page.locator(".c2048-step-changed")
    assert row.locator("dt").inner_text().split() == ["squares", "Changed"]
    assert row.locator(".c2048-marked").inner_text() == "4"
    assert row.locator(".c2048-step-columns b").inner_text() == "index"


def test_what_was_printed_so_far_is_shown(blank: BlankPage) -> None:
    blank.show(watch(programs.prints, [2]))
    page = blank.page
    printed = page.locator(".c2048-step-printed")
    assert "Nothing yet." in printed.inner_text()
    drag(page, 2)
    assert printed.locator("mark").inner_text().strip() == "It has 1 squares"
    assert "The line is [2]" in printed.inner_text()


def test_an_error_is_the_last_step_and_marks_its_line(blank: BlankPage) -> None:
    blank.show(watch(programs.runs_off_the_end, [2, 4]))
    blank.page.get_by_role("slider").focus()
    blank.page.keyboard.press("End")
    assert said(blank.page).endswith("This line fails. IndexError: list index out of range.")
    failed = blank.page.locator(".c2048-step-failed")
    assert "if line[index] == line[index + 1]:" in failed.inner_text()


def test_missing_code_is_said_at_once(blank: BlankPage) -> None:
    blank.show(watch(programs.stub, [2]))
    assert said(blank.page).endswith("Your code is still missing here (NotImplementedError).")


def test_a_learner_s_text_is_never_html(blank: BlankPage) -> None:
    def merge(line):
        print("<b id=evil>")
        text = "<b id=evil>"
        raise ValueError(text)

    blank.show(watch(merge, ["<b id=evil>"]))
    drag(blank.page, 10)
    assert blank.page.locator("#evil").count() == 0
    assert "<b id=evil>" in said(blank.page)


def test_it_plays_to_its_end_and_says_only_that(timed_blank: BlankPage) -> None:
    blank = timed_blank
    blank.show(watch(programs.close_gaps, [0, 2]))
    page = blank.page
    live = page.locator("[role=status]")
    page.get_by_role("slider").focus()
    page.keyboard.press(" ")
    page.clock.run_for(2500)
    assert count(page) == "Step 2 of 4"
    assert live.get_attribute("aria-live") == "off"
    page.get_by_label("Speed").select_option("fast")
    page.clock.run_for(1000)
    assert count(page) == "Step 4 of 4"
    assert live.get_attribute("aria-live") == "polite"
    assert page.get_by_role("button", name="Play").is_visible()


def test_the_space_bar_pauses_where_it_is_and_says_so(timed_blank: BlankPage) -> None:
    blank = timed_blank
    blank.show(watch(programs.merge, [2, 2]))
    page = blank.page
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(1300)
    assert page.get_by_role("button", name="Pause").is_visible()
    page.keyboard.press(" ")
    page.clock.run_for(5000)
    assert count(page).startswith("Step 1 of")
    assert page.locator("[role=status]").get_attribute("aria-live") == "polite"


def test_the_answer_moves_from_what_it_was_given(blank: BlankPage) -> None:
    blank.show(watch(programs.merge, [2, 0, 2]))
    page = blank.page
    page.get_by_role("slider").focus()
    page.keyboard.press("End")
    assert page.locator(".c2048-step-gave .c2048-moving").count() > 0
    tiles = page.locator(".c2048-step-gave .c2048-tile:not(.c2048-ghost)")
    assert tiles.all_inner_texts() == ["4"]


# What JupyterLab 4.6 says about lists of terms in the outputs of cells.
OUTPUT = """
.jp-OutputArea-output dl { width: 100%; overflow: hidden; padding: 0; margin: 0; }
.jp-OutputArea-output dt { font-weight: bold; float: left; width: 20%; padding: 0; margin: 0; }
.jp-OutputArea-output dd { float: left; width: 80%; padding: 0; margin: 0; }
"""


def test_in_an_output_of_jupyterlab_it_looks_as_it_does_alone(blank: BlankPage) -> None:
    blank.show(watch(programs.merge, [2, 2]))
    page = blank.page
    drag(page, 4)
    sizes = """() => [...document.querySelectorAll('dl, dt, dd, .c2048-step-list .c2048-board')]
      .map(each => [each.offsetWidth, each.offsetHeight, getComputedStyle(each).overflow])"""
    alone = page.evaluate(sizes)
    page.add_style_tag(content=OUTPUT)
    page.evaluate("document.querySelector('main').className = 'jp-OutputArea-output'")
    assert page.evaluate(sizes) == alone


def test_two_views_go_their_own_ways(blank: BlankPage) -> None:
    blank.show(watch(programs.merge, [2, 2]), views=2)
    page = blank.page
    page.get_by_role("button", name="Forward").first.click()
    counts = page.locator(".c2048-step-count").all_inner_texts()
    assert [re.match(r"Step \d+", each)[0] for each in counts] == ["Step 1", "Step 0"]


def test_nothing_is_asked_of_the_kernel(blank: BlankPage) -> None:
    blank.show(watch(programs.merge, [2, 2]))
    blank.page.get_by_role("slider").focus()
    for key in ("ArrowRight", "End", "Home", " "):
        blank.page.keyboard.press(key)
    assert blank.sent == []


def test_with_forced_colours_line_and_square_are_seen(blank: BlankPage) -> None:
    blank.page.emulate_media(forced_colors="active")
    widget = watch(programs.merge, [2, 2])
    blank.show(widget)
    words = [step["words"] for step in widget.run["steps"]]
    drag(blank.page, words.index("squares[0] is now 4."))
    for name in (".c2048-step-here", ".c2048-marked .c2048-square"):
        style = "found => getComputedStyle(found).outlineStyle"
        assert blank.page.locator(name).first.evaluate(style) == "solid"
