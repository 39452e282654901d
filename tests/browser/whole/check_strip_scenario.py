"""A learner who writes `merge` wrong, asks for hints below its cell, and puts it right."""

from playwright.sync_api import Locator

from course.lessons import lesson
from tests.browser.alone.solving_puzzles import PROGRAM
from tests.browser.notebook_page import NotebookPage
from tests.browser.whole.learner import solutions
from tests.waiting import until

LESSON = lesson("1-merge-a-line")
RIGHT = solutions(LESSON)["merge"]
WRONG = RIGHT.replace("return close_gaps(squares)", "return squares")


def walk(notebook: NotebookPage) -> None:
    """Go from an unwritten `merge` to a right one in lesson 1; `close_gaps` has run before."""
    an_unwritten_merge_shows_its_open_checks(notebook)
    a_right_merge_shows_its_marks(notebook)
    escape_leads_from_other_ways_to_the_next_cell(notebook)
    a_check_cell_has_its_green_mark(notebook)
    hints_lead_to_a_right_merge(notebook)
    write(notebook, WRONG)
    a_failing_check_cell_has_the_button_too(notebook)
    write(notebook, RIGHT)
    notebook.run_cell("merge-once")
    a_change_of_what_it_uses_reaches_it(notebook)


def hints_lead_to_a_right_merge(notebook: NotebookPage) -> None:
    """Write `merge` wrong and press the button; then put it right, and look at the marks."""
    a_wrong_merge_shows_its_failure_and_the_mark_turns_grey(notebook)
    three_presses_lead_to_the_puzzle(notebook)
    write(notebook, RIGHT)
    a_right_merge_shows_its_marks(notebook)
    until_shown(notebook, "merge-once", "All 11 ideas of this lesson hold.")


def write(notebook: NotebookPage, source: str, cell: str = "merge") -> None:
    notebook.set_source(cell, source)
    notebook.run_cell(cell)


def below(notebook: NotebookPage, cell: str) -> Locator:
    return notebook.cell(cell).locator(".jp-Cell-outputWrapper")


def until_shown(notebook: NotebookPage, cell: str, text: str) -> None:
    below(notebook, cell).get_by_text(text).first.wait_for()


def an_unwritten_merge_shows_its_open_checks(notebook: NotebookPage) -> None:
    notebook.run_cell("merge")
    until_shown(notebook, "merge", "merge: 0 of 10 checks hold.")
    assert below(notebook, "merge").locator(".c2048-marks .c2048-open").count() == 10
    write(notebook, RIGHT)


def a_right_merge_shows_its_marks(notebook: NotebookPage) -> None:
    until_shown(notebook, "merge", "merge: all 10 checks hold.")
    marks = below(notebook, "merge").locator(".c2048-marks li")
    assert marks.count() == 10
    assert {text[0] for text in marks.all_inner_texts()} == {"✓"}
    assert below(notebook, "merge").get_by_role("button").count() == 0


def escape_leads_from_other_ways_to_the_next_cell(notebook: NotebookPage) -> None:
    below(notebook, "merge").locator("summary").focus()
    notebook.page.keyboard.press("Escape")
    focused = "() => Number(document.activeElement.dataset.windowedListIndex)"
    until(lambda: notebook.evaluate(focused) == notebook.index("merge") + 1, "it has the focus")


def a_check_cell_has_its_green_mark(notebook: NotebookPage) -> None:
    notebook.run_cell("merge-once")
    until_shown(notebook, "merge-once", "All 11 ideas of this lesson hold.")


def a_wrong_merge_shows_its_failure_and_the_mark_turns_grey(notebook: NotebookPage) -> None:
    write(notebook, WRONG)
    until_shown(notebook, "merge", "merge: 5 of 10 checks hold.")
    strip = below(notebook, "merge")
    assert strip.locator(".c2048-failure table").count() == 3
    assert "got       [4, 32, 0, 4]" in strip.locator("pre").first.inner_text()
    until_shown(notebook, "merge-once", "does not hold any more")


def three_presses_lead_to_the_puzzle(notebook: NotebookPage) -> None:
    """The failed check already shows the first hint, so the first press gives the second hint."""
    cell = notebook.cell("merge")
    button = cell.get_by_role("button", name="Hint for merge")
    for number in (2, 3):
        button.click()
        cell.get_by_text(f"Hint {number} of 4.").first.wait_for()
    button.click()
    cell.locator(PROGRAM).wait_for()
    said = cell.locator(".c2048-hints > [role=status]")
    assert said.text_content() == "Hint 4 of 4: a puzzle about merge."
    has_focus = "hints => hints.contains(document.activeElement)"
    until(lambda: cell.locator(".c2048-hints").evaluate(has_focus), "the puzzle has the focus")


def a_failing_check_cell_has_the_button_too(notebook: NotebookPage) -> None:
    notebook.run_cell("merge-once")
    cell = notebook.cell("merge-once")
    cell.get_by_role("button", name="Hint for merge").click()
    cell.locator(PROGRAM).wait_for()


def a_change_of_what_it_uses_reaches_it(notebook: NotebookPage) -> None:
    """All marks of `merge` are out of date after `close_gaps` changes, until `merge` runs again."""
    write(notebook, f"{solutions(LESSON)['close_gaps']}\n\n\nchanged = True", "close_gaps")
    until_shown(notebook, "merge", "Not checked since you changed code that it uses.")
    until_shown(notebook, "merge-once", "not checked since your last change")
    notebook.run_cell("merge")
    until_shown(notebook, "merge-once", "All 11 ideas of this lesson hold.")
    a_right_merge_shows_its_marks(notebook)
