"""Nothing that a student gets back shows what a hidden test asks, of no lesson, by no road."""

import json
import shutil
from html import unescape
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbconvert.exporters import HTMLExporter

from autograder.course import HINTS, lessons
from autograder.judge.blind import is_blind
from autograder.notebook.collect import collect, understand
from autograder.notebook.master import read_master
from autograder.pipeline import grade
from autograder.records.folder import CourseFolder
from autograder.records.hidden import Withhold
from autograder.records.release import ROOT
from autograder.sample import Sampler
from tests.autograder.conftest import Autograder
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
    """A notebook whose functions tell what they are asked, as does a cell at its end."""
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
    """Check → all that it says to the instructor, of those that were lost."""
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
    """What nbgrader's feedback shows of a graded notebook, with the course's configuration."""
    app = CourseFolder().app
    notebook: Any = nbformat.read(graded, as_version=4)  # type: ignore[no-untyped-call]
    notebook, _ = Withhold(parent=app).preprocess(notebook, {})
    page, _ = HTMLExporter().from_notebook_node(notebook)
    return unescape(page)


@pytest.mark.parametrize(
    ("lesson", "can_look"), [(one.id, n % 2 == 0) for n, one in enumerate(lessons())]
)
def test_nothing_that_a_student_gets_back_shows_a_hidden_test(
    lesson: str, can_look: bool, course: Path, autograder: Autograder
) -> None:
    master, sampler = read_master(lesson, ROOT / "source"), Sampler(ROOT, lesson)
    shutil.copytree(ROOT / "source" / lesson, course / "source" / lesson, dirs_exist_ok=True)
    folder = hand_in(course, sampler, can_look)
    cells = collect(folder, master)
    assert is_blind(understand(cells, master).code) == (not can_look)
    autograder("grade", lesson, "--workers", 1)
    autograder("feedback", lesson)
    graded = course / "autograded" / STUDENT / lesson / sampler.lesson.notebook
    page = course / "feedback" / STUDENT / lesson / graded.with_suffix(".html").name
    given = cells_of(ROOT / "release" / lesson / graded.name)
    released = "\n".join("".join(cell["source"]) for cell in given)
    instructors = messages(graded)

    # what the same notebook is told where there are no hidden tests at all
    bare = grade(cells, without_hidden(master))
    expected = [check.message for check in bare.checks]
    lines = hidden_lines(master, ["".join(one["source"]) for one in given if not is_test(one)])
    public = [released, *(table.read_text(encoding="utf-8") for table in HINTS.glob("*.json"))]
    inputs = told_lists(instructors.values()) - told_lists([*expected, *public])
    assert lines
    assert inputs or lesson not in ASKS_FOR_LISTS
    known = spelled(" . ".join([*expected, *public]))
    others = {one for one in spellings(inputs) if one not in known}
    for text in (unescape(page.read_text("utf-8")), nbgraders_page(graded), released):
        assert [one for one in lines | inputs if one in text] == []
        assert [one for one in others if one in spelled(text)] == []
