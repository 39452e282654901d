"""The strip below an answer and its button for hints, in JupyterLab and Notebook 7."""

from pathlib import Path

import nbformat
import pytest

from autograder.course_adapter import ROOT
from tests.browser.notebook_page import NotebookPage, notebook_of
from tests.browser.whole.learner import solutions
from tests.browser.whole.strip_walk import LESSON, WRONG, walk, write
from tests.browser.widget_page import violations
from tests.waiting import until

# JupyterLab's own layout keeps axe from seeing colours; without it they count.
LAYOUT = """html, body { height: 100vh !important }
.jp-WindowedPanel-outer { overflow: visible !important }"""


def begin(notebook: NotebookPage) -> None:
    """Open lesson 1, and solve its first exercise."""
    notebook.open(ROOT / "release" / LESSON.id / LESSON.notebook)
    notebook.run_cell("given-imports")
    write(notebook, solutions(LESSON)["close_gaps"], "close_gaps")


@pytest.mark.slow
@pytest.mark.parametrize("app", ["lab", pytest.param("notebook7", marks=pytest.mark.deep)])
def test_a_learner_mends_merge_with_hints_and_never_types_for_them(
    request: pytest.FixtureRequest, app: str
) -> None:
    notebook: NotebookPage = request.getfixturevalue(app)
    begin(notebook)
    walk(notebook)
    write(notebook, WRONG)
    opened_again_it_says_how_to_get_the_button(notebook)


@pytest.mark.deep
def test_axe_finds_nothing_in_jupyterlab_in_both_themes(lab: NotebookPage, tmp_path: Path) -> None:
    answers = [solutions(LESSON)["close_gaps"], WRONG]
    short = notebook_of(["from course import check", *answers])
    for cell, name in zip(short.cells[1:], ("close_gaps", "merge"), strict=True):
        cell["id"] = name
    nbformat.write(short, tmp_path / "short.ipynb")
    lab.open(tmp_path / "short.ipynb")
    lab.run_all()
    button = lab.cell("merge").get_by_role("button", name="Hint for merge")
    button.click()
    lab.page.get_by_text("Hint 2 of 4.").first.wait_for()
    lab.page.set_viewport_size({"width": 1100, "height": 1800})  # all of it is seen at once
    style = lab.page.add_style_tag(content=LAYOUT)
    for dark in (True, False):
        lab.set_theme(dark)
        assert violations(lab.page, ".c2048-checks") == []
        assert violations(lab.page, ".c2048-hints") == []
    style.evaluate("style => style.remove()")
    lab.page.set_viewport_size({"width": 1100, "height": 900})


def opened_again_it_says_how_to_get_the_button(notebook: NotebookPage) -> None:
    notebook.save()
    notebook.restart()
    notebook.reload()
    cell = notebook.cell("merge")
    cell.get_by_text("merge: 5 of 10 checks hold.").wait_for()
    saved = cell.get_by_text("Run this cell to get a button for hints.")
    until(saved.is_visible, "the sentence in place of the button is seen")
    assert not cell.get_by_text("Error displaying widget").is_visible()
