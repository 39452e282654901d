"""A learner without a mouse goes from the first cell of a lesson to the last, plays and answers."""

import pytest

from autograder.course_adapter import ROOT
from course.lessons import lesson
from tests.browser.notebook_page import PANEL, NotebookPage
from tests.browser.whole.learner import solutions
from tests.waiting import until

ACTIVE = f"() => {PANEL}.content.activeCellIndex"
FOCUS_IN = """() => {
  const cell = document.activeElement.closest('.jp-Cell');
  return cell === null ? null : Number(cell.dataset.windowedListIndex);
}"""
ON_AN_ANSWER = "() => document.activeElement.matches('.c2048-answer')"
MOST_TABS = 12
SHOWN = {"play(": ".c2048-field > table", "predict(": ".c2048-predict", "watch(": ".c2048-stepper"}


@pytest.mark.deep
@pytest.mark.parametrize("app", ["lab", "notebook7"])
@pytest.mark.parametrize("lesson_id", ["0-meet-the-game", "1-merge-a-line"])
def test_keys_alone_lead_from_the_first_cell_to_the_last(
    request: pytest.FixtureRequest, app: str, lesson_id: str
) -> None:
    notebook: NotebookPage = request.getfixturevalue(app)
    about = lesson(lesson_id)
    notebook.open(ROOT / "release" / lesson_id / about.notebook)
    ids, own = notebook.ids(), solutions(about)
    go_in(notebook)
    for index, cell in enumerate(ids):
        until(lambda: notebook.evaluate(ACTIVE) == index, f"{cell} is the active cell")  # noqa: B023
        if cell in own:
            write(notebook, own[cell])
        notebook.page.keyboard.press("Shift+Enter")
        notebook.until_idle()
        use(notebook, index)
    assert notebook.errors() == []
    ran = dict(zip(ids, notebook.prompts(), strict=False))
    assert [cell for cell in (*own, *about.checks) if ran[cell] is None] == []


def go_in(notebook: NotebookPage) -> None:
    """Press Tab until the first cell has the focus; Notebook 7 does not always begin there."""
    for _ in range(MOST_TABS):
        if notebook.evaluate(FOCUS_IN) == 0:
            return
        notebook.page.keyboard.press("Tab")
    raise AssertionError(f"{MOST_TABS} times Tab do not lead to the first cell")


def write(notebook: NotebookPage, program: str) -> None:
    """Go into the active cell, replace its text by a program, and stay in the cell."""
    keys = notebook.page.keyboard
    keys.press("Enter")
    keys.press("Control+a")
    keys.insert_text(program)


def use(notebook: NotebookPage, index: int) -> None:
    """If the cell has shown a widget, use it by keys, then leave it by Escape."""
    source = notebook.sources()[index]
    shown = next((where for call, where in SHOWN.items() if source.startswith(call)), "")
    is_board_below = "\nplay(" in source
    if not shown and not is_board_below:
        return
    has_focus = f"() => document.activeElement.matches('{shown or SHOWN['play(']}')"
    until(lambda: notebook.evaluate(has_focus), "what has appeared has the focus")
    keys = notebook.page.keyboard
    if shown == SHOWN["predict("]:
        keys.press("Tab")
        assert notebook.evaluate(ON_AN_ANSWER)
        keys.press("Enter")
    else:
        keys.press("ArrowRight")
        keys.press("ArrowLeft")
    assert notebook.evaluate(FOCUS_IN) == index
    keys.press("Escape")
