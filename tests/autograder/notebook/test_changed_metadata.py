"""nbgrader's metadata in cells: a student is told only of what that student has changed."""

import json
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbgrader.utils import compute_checksum

from autograder.course_adapter import ROOT
from autograder.notebook.find_submitted_notebook import handin_of, understand
from autograder.notebook.master import Master, MasterError, master_of, read_assignment, read_master
from autograder.notebook.parse_notebook import RawCell
from autograder.sample import Sampler
from tests.autograder.conftest import LESSON


@pytest.fixture
def source(master: Master) -> dict[str, Any]:
    """Return a copy of the instructor's notebook, for the test to change."""
    path = ROOT / "source" / LESSON / master.notebook
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def cell(notebook: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in notebook["cells"] if one["id"] == name)
    return found


def marks(notebook: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = cell(notebook, name)["metadata"]["nbgrader"]
    return found


def problems(notebook: dict[str, Any], master: Master) -> tuple[str, ...]:
    handin = handin_of(master.notebook, json.dumps(notebook).encode())
    return understand(handin, master).problems


@pytest.mark.parametrize("lesson_id", ["0-meet-the-game", "1-merge-a-line", "3-spawn"])
def test_the_checksum_is_nbgraders(lesson_id: str) -> None:
    [path] = (ROOT / "release" / lesson_id).glob("*.ipynb")
    notebook = nbformat.read(path, as_version=4)
    known = [one for one in notebook.cells if "checksum" in one.metadata.get("nbgrader", {})]
    assert known
    for one in known:
        assert compute_checksum(one) == one.metadata.nbgrader["checksum"]
        assert RawCell(one.cell_type, one.source, one.id, one.metadata.nbgrader).is_as_released


CHANGED = "test cell merge-once is as it was given out, but the master has changed since"
EDITED = "test cell merge-once had been changed; the master copy was used"
MARKS = "the marks of test cell merge-once had been changed ({}); the master's count"


@pytest.mark.parametrize(
    ("name", "masters", "students", "told"),
    [
        ("merge-once", {"points": 5}, {}, ()),
        ("merge-once", {"points": 0}, {}, ()),
        ("merge-once", {"schema_version": 4}, {}, ()),
        ("given-imports", {"grade": True, "points": 1}, {}, ()),
        ("merge-once", {}, {"points": 5}, (MARKS.format("points"),)),
        ("merge-once", {}, {"points": "all"}, (MARKS.format("points"),)),
        ("merge-once", {}, {"locked": False}, (MARKS.format("locked"),)),
    ],
)
def test_marks_that_the_student_changed_are_told_and_the_instructors_are_not(
    name: str,
    masters: dict[str, Any],
    students: dict[str, Any],
    told: tuple[str, ...],
    source: dict[str, Any],
    sampler: Sampler,
) -> None:
    notebook = sampler.notebook()
    marks(source, name).update(masters)
    marks(notebook, name).update(students)
    assert problems(notebook, master_of(LESSON, source, "merge-a-line.ipynb")) == told


def test_a_check_that_was_changed_is_told_by_who_changed_it(
    source: dict[str, Any], sampler: Sampler
) -> None:
    cell(source, "merge-once")["source"] = "check(merge, [2, 2], gives=[4, 0])"
    marks(source, "merge-once")["points"] = 5
    master, notebook = master_of(LESSON, source, "merge-a-line.ipynb"), sampler.notebook()
    assert problems(notebook, master) == (f"{CHANGED}; the master copy was used",)
    cell(notebook, "merge-once")["source"] = "check(merge, [2, 2], gives=[4])\nprint('it works')"
    assert problems(notebook, master) == (EDITED,)


def test_each_notebook_in_the_folder_of_an_assignment_is_a_master(course: Path) -> None:
    folder = course / "source" / LESSON
    (folder / "part-two.ipynb").write_bytes((folder / "merge-a-line.ipynb").read_bytes())
    masters = read_assignment(LESSON, course / "source")
    assert [one.notebook for one in masters] == ["merge-a-line.ipynb", "part-two.ipynb"]


TWICE = {"metadata": {"nbgrader": {"grade": True, "grade_id": "a"}}, "cell_type": "code"}
OF_TWO = json.dumps({"cells": [TWICE | {"source": ""}] * 2, "metadata": {}})


@pytest.mark.parametrize(
    ("text", "why"),
    [
        *((text, "") for text in ("", "{", "[]", '{"cells": []}', "\udcff")),
        ('{"cells": [{}], "metadata": {"kernelspec": {}}}', ""),
        (OF_TWO, ".*two cells with the name a"),
    ],
)
def test_a_master_that_is_no_notebook_is_refused(text: str, why: str, course: Path) -> None:
    path = course / "source" / LESSON / "merge-a-line.ipynb"
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(MasterError, match=f"no notebook that nbgrader could grade{why}"):
        read_master(LESSON, course / "source")


def test_notes_of_jupyterlab_beside_a_master_do_no_harm(course: Path) -> None:
    notes = course / "source" / LESSON / ".ipynb_checkpoints"
    notes.mkdir()
    (notes / "merge-a-line-checkpoint.ipynb").write_text("{}")
    graded = read_master(LESSON, course / "source").graded
    assert sum(cell.points for cell in graded) == 12
