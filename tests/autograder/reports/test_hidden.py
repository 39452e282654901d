"""Hidden tests: nothing that a student gets back reveals their inputs, in any lesson.

The student's programs try to reveal them: their errors list the arguments of earlier calls.
"""

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbconvert.exporters import HTMLExporter

from autograder.course_adapter import ROOT, general, lessons
from autograder.grade_assignment import verified
from autograder.grade_submission import grade
from autograder.gradebook.course_folder import CourseFolder
from autograder.gradebook.read_graded_notebook import Withhold
from autograder.notebook.find_submitted_notebook import Handin, collect
from autograder.notebook.master import Master, read_master
from autograder.plan import Place
from autograder.sample import Sampler
from tests.autograder.conftest import Autograder, make_course
from tests.autograder.reports.tattlers import (
    hidden_lines,
    spelled,
    spellings,
    tattling,
    told_lists,
    without_hidden,
)

STUDENT = "tattler"
ASKS_FOR_LISTS = ("1-merge-a-line", "2-slide-in-four-directions", "4-game-over")


def hand_in(course: Path, sampler: Sampler, can_look: bool) -> Path:
    """Hand in a notebook whose functions, and whose last cell, reveal the arguments of calls."""
    cells = {
        name: tattling(source, number == 0, can_look)
        for number, (name, source) in enumerate(sampler.solutions.items())
    }
    notebook = sampler.notebook(**cells)
    notebook["cells"].append({**notebook["cells"][-1], "cell_type": "code", "id": "last"})
    notebook["cells"][-1] |= {"metadata": {}, "source": "print(ASKED)", "outputs": []}
    folder = course / "submitted" / STUDENT / sampler.lesson.id
    folder.mkdir(parents=True)
    (folder / sampler.lesson.notebook).write_text(json.dumps(notebook), encoding="utf-8")
    return folder


def messages(graded: Path) -> dict[str, str]:
    """Return, for each lost check, the whole message to the instructor."""
    return {
        cell["id"]: "\n".join(cell["outputs"][0]["traceback"])
        for cell in cells_of(graded)
        if is_test(cell) and cell["outputs"]
    }


def cells_of(notebook: Path) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return cells


def is_test(cell: dict[str, Any]) -> bool:
    return bool(cell["metadata"].get("nbgrader", {}).get("grade"))


def nbgraders_page(graded: Path) -> str:
    """Return nbgrader's feedback page of a graded notebook, with the course's configuration."""
    app = CourseFolder().app
    notebook: Any = nbformat.read(graded, as_version=4)  # type: ignore[no-untyped-call]
    notebook, _ = Withhold(parent=app).preprocess(notebook, {})
    page, _ = HTMLExporter().from_notebook_node(notebook)
    return unescape(page)


def may_be_new(told: str) -> bool:
    """Return true if a list may, by chance, also be a row of the board with which a game began."""
    tiles = [int(tile) for tile in re.findall(r"\d+", told)]
    return sum(tile > 0 for tile in tiles) <= 2 and max(tiles, default=0) <= 4


EVERY_RUN = ("1-merge-a-line",)
# In every second lesson, the program can look for what an earlier process has left.
LESSONS = [
    pytest.param(
        (one.id, n % 2 == 0),
        id=one.id,
        marks=[pytest.mark.xdist_group(f"tattler {one.id}")]
        + ([] if one.id in EVERY_RUN else [pytest.mark.deep]),
    )
    for n, one in enumerate(lessons())
]


@dataclass(frozen=True)
class Told:
    """A lesson, a submission, and what comes back: the graded notebook and the feedback page."""

    master: Master
    cells: Handin
    graded: Path
    page: Path


@pytest.fixture(scope="module", params=LESSONS)
def told(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    new_gradebook: Path,
    autograder: Autograder,
) -> Iterator[Told]:
    """Grade, in one lesson, a program that reveals the arguments of its calls.

    The course folder is the working directory until the tests of this lesson are done.
    """
    lesson, can_look = request.param
    master, sampler = read_master(lesson, ROOT / "source"), Sampler(ROOT, lesson)
    course = make_course(tmp_path_factory.mktemp("tattler") / "course", lesson)
    shutil.copyfile(new_gradebook, course / "gradebook.db")
    cells = collect(hand_in(course, sampler, can_look), master)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(course)
        autograder("grade", lesson, "--workers", 1)
        autograder("feedback", lesson)
        graded = course / "autograded" / STUDENT / lesson / sampler.lesson.notebook
        page = course / "feedback" / STUDENT / lesson / graded.with_suffix(".html").name
        yield Told(master, cells, graded, page)


def hints() -> Iterator[str]:
    """Yield the texts of all hints, and the test calls by which known mistakes are recognised."""
    for exercise in (one for lesson in lessons() for one in lesson.exercises):
        yield str(exercise.details.get("observed"))
        yield from (mistake["explain"] for mistake in exercise.details.get("misconception", ()))
    yield from (entry.explain for entry in general().values())


def test_nothing_that_a_student_gets_back_shows_a_hidden_test(told: Told) -> None:
    master, lesson = told.master, told.master.lesson
    given = cells_of(ROOT / "release" / lesson / told.graded.name)
    released = "\n".join("".join(cell["source"]) for cell in given)
    instructors = messages(told.graded)

    # The messages that the same notebook would get without any hidden test.
    bare = grade(told.cells, without_hidden(master))
    expected = [check.message for check in bare.checks]
    lines = hidden_lines(master, ["".join(one["source"]) for one in given if not is_test(one)])
    public = [released, *hints()]
    lists = told_lists(instructors.values()) - told_lists([*expected, *public])
    inputs = {one for one in lists if not may_be_new(one)}
    assert lines or without_hidden(master) == master
    assert inputs or lesson not in ASKS_FOR_LISTS
    known = spelled(" . ".join([*expected, *public]))
    others = {one for one in spellings(inputs) if one not in known}
    for text in (unescape(told.page.read_text("utf-8")), nbgraders_page(told.graded), released):
        assert [one for one in lines | inputs if one in text] == []
        assert [one for one in others if one in spelled(text)] == []


def test_every_test_of_this_course_runs_outside_and_asks_something(told: Told) -> None:
    [plan], _ = verified(CourseFolder(), told.master.lesson)  # the plan that `grade` has made
    assert plan.troubles == ()
    assert {test.place for test in plan.tests} == {Place.OUTSIDE}
    assert plan.given == ()
