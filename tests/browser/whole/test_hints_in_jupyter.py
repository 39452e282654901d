"""The strip below an answer and its button for hints, in JupyterLab and Notebook 7."""

import pytest

from autograder.course_adapter import ROOT
from tests.browser.notebook_page import NotebookPage
from tests.browser.whole.learner import solutions
from tests.browser.whole.strip_walk import LESSON, WRONG, walk, write
from tests.waiting import until


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


def opened_again_it_says_how_to_get_the_button(notebook: NotebookPage) -> None:
    notebook.save()
    notebook.restart()
    notebook.reload()
    cell = notebook.cell("merge")
    cell.get_by_text("merge: 5 of 10 checks hold.").wait_for()
    saved = cell.get_by_text("Run this cell to get a button for hints.")
    until(saved.is_visible, "the sentence in place of the button is seen")
    assert not cell.get_by_text("Error displaying widget").is_visible()
