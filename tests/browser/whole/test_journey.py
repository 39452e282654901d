"""A learner who goes through the lessons in one JupyterLab and keeps the functions written there.

The `merge` is wrong for a while. Each solution records that it has run, so the test knows if the
learner's functions or those of the course were called.
"""

import pytest

from autograder.misconceptions import catalogue
from course.lessons import Lesson, built_before, lesson, lessons
from course.rules import is_over, slide
from tests.browser.notebook_page import NotebookPage
from tests.browser.whole.learner import Learner, solutions, traced
from tests.browser.widget_page import DRAWN
from tests.waiting import until

KEYS = {"ArrowLeft": "left", "ArrowUp": "up", "ArrowRight": "right", "ArrowDown": "down"}
YOURS, MERGING, SLIDING, GAME, DUEL = (
    "✓ yours",
    "1-merge-a-line",
    "2-slide-in-four-directions",
    "6-the-whole-game",
    "9-duel",
)


@pytest.mark.deep
def test_a_learner_goes_from_lesson_to_lesson_with_own_pieces(lab: NotebookPage) -> None:
    learner = Learner(lab)
    learner.begin()
    assert "0 of" in lab.cell("map").inner_text()
    for entry in lessons():
        learner.open(entry)
        if entry.id == MERGING:
            a_wrong_merge_is_kept(learner, entry)
            continue
        learner.solve(entry)
        if entry.id == SLIDING:
            the_courses_merge_is_used_and_the_learner_told_why(learner)
            learner.open(lesson(MERGING))
            the_merge_is_put_right(learner)
            learner.open(entry)
            the_learners_own_merge_is_used(learner)
        if entry.id == GAME:
            the_game_that_is_played_is_the_learners_own(learner)
        if entry.id == DUEL:
            the_duel_is_played_to_its_end_against_the_learners_agent(lab)
        everything_holds(learner, entry)
    learner.open_map()
    lab.run_all()
    rows = lab.cell("map").locator("tr").all_inner_texts()
    assert ["✓" in row for row in rows] == [True] * len(lessons())
    lab.page.get_by_role("link", name=lessons()[0].title).click()


def a_wrong_merge_is_kept(learner: Learner, entry: Lesson) -> None:
    """Solve the lesson, but with a wrong `merge`: a tile that was just made merges again."""
    lab = learner.notebook
    wrong = next(one for one in catalogue(entry.id) if one.id == "cascade")
    for cell, text in {**solutions(entry), "merge": wrong.specimen.strip()}.items():
        type_into(lab, cell, traced(text))
    lab.run_each()
    assert any("[4, 4, 8, 0]" in error for error in lab.errors())
    assert "not yet merge-once, no-chain" in lab.cell("progress").inner_text()
    assert "For now, later lessons use the course's merge, because merge-once" in lab.outputs(
        "keep"
    )


def the_courses_merge_is_used_and_the_learner_told_why(learner: Learner) -> None:
    lab = learner.notebook
    whose = learner.whose()
    assert whose["close_gaps"] == YOURS
    assert whose["merge"].startswith("the course's because merge-once, no-chain")
    names = ("close_gaps", "merge", "rotate", "slide")
    assert learner.which_run("slide([[4, 2, 2, 0]], 'right')", *names) == {"rotate", "slide"}
    assert lab.ask("slide([[4, 2, 2, 0]], 'left')") == "[[4, 4, 0, 0]]"
    assert lab.ask("kept('merge')([4, 2, 2, 0])") == "[8, 0, 0, 0]"
    everything_holds(learner, lesson(SLIDING))
    assert "the course's slide, because yours uses your merge" in lab.outputs("keep")


def the_merge_is_put_right(learner: Learner) -> None:
    lab = learner.notebook
    type_into(lab, "merge", traced(solutions(lesson(MERGING))["merge"]))
    lab.run_all()
    everything_holds(learner, lesson(MERGING))
    assert "because" not in lab.outputs("keep")


def the_learners_own_merge_is_used(learner: Learner) -> None:
    lab = learner.notebook
    lab.run_all()
    assert learner.whose() == {"close_gaps": YOURS, "merge": YOURS}
    names = ("close_gaps", "merge", "rotate", "slide")
    assert learner.which_run("slide([[4, 2, 2, 0]], 'right')", *names) == set(names)


def the_game_that_is_played_is_the_learners_own(learner: Learner) -> None:
    lab = learner.notebook
    assert learner.whose() == dict.fromkeys(built_before(GAME), YOURS)
    names = ("close_gaps", "merge", "rotate", "slide", "spawn", "empty_cells", "points", "is_over")
    assert learner.which_run("pass", *names) == set()
    the_game_is_played_to_its_end(lab)
    assert learner.which_ran(*names) == set(names)


def everything_holds(learner: Learner, entry: Lesson) -> None:
    """Assert that each check shows a ✓, and that the last check says that all have passed."""
    lab, total = learner.notebook, len(entry.checks)
    assert lab.errors() == []
    ideas = "idea holds" if total == 1 else "ideas hold"
    assert f"{total} of {total} {ideas}" in lab.outputs("progress")
    said = {check: lab.outputs(check) for check in entry.checks}
    assert {check for check, text in said.items() if f"✓ {check}: " in text} == set(said)
    last = f"All {total} ideas of this lesson hold." if total > 1 else "the one idea of this lesson"
    assert last in said[[*said][-1]]


def type_into(notebook: NotebookPage, cell: str, text: str) -> None:
    """Replace the text of a cell, with the keyboard."""
    notebook.cell(cell).locator(".cm-content").click()
    notebook.page.keyboard.press("Control+A")
    notebook.page.keyboard.insert_text(text)


def the_game_is_played_to_its_end(lab: NotebookPage) -> None:
    cell = lab.cell(lab.sources().index("play(game=Game(1, 5))"))
    cell.locator(".c2048-field").click()
    over = cell.get_by_text("No move is left")
    shown = cell.locator(".c2048-field .c2048-board")
    while not over.count():
        before = shown.evaluate(DRAWN)
        way = next((way for way in ("left", "right") if slide(before, way) != before), None)
        if way is not None:
            lab.page.keyboard.press({"left": "ArrowLeft", "right": "ArrowRight"}[way])
        until(lambda: over.count() or shown.evaluate(DRAWN) != before, "the game goes on")  # noqa: B023
    assert is_over(shown.evaluate(DRAWN))


def the_duel_is_played_to_its_end_against_the_learners_agent(lab: NotebookPage) -> None:
    """Play by keys alone: Enter places a tile on the cursor's square, an arrow pushes the tiles."""
    lab.page.emulate_media(reduced_motion="reduce")
    lab.set_source("push-agent-board", "play_duel(against=Agent, rounds=4)")
    lab.run_cell("push-agent-board")
    cell = lab.cell("push-agent-board")
    cell.locator(".c2048-field .c2048-board").focus()
    task, pad = cell.locator(".c2048-task"), cell.get_by_role("button", name="Push ")
    told = ""
    while "The duel is over." not in told:
        until(lambda: task.inner_text() not in ("", told), "the next task is there")  # noqa: B023
        told = task.inner_text()
        if told.startswith("Place"):
            lab.page.keyboard.press("Enter")
        elif told.startswith("Push"):
            legal = pad.and_(cell.locator("[aria-disabled=false]")).first
            way = legal.get_attribute("aria-label").removeprefix("Push ")
            lab.page.keyboard.press(next(key for key, each in KEYS.items() if each == way))
    assert cell.locator(".c2048-note").inner_text() == ""
