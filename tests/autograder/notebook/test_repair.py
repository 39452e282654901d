"""Repairs of submitted notebooks: each cell becomes what it is in the instructor's notebook."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import nbformat
import pytest

from autograder.course_adapter import ROOT
from autograder.grade_submission import grade
from autograder.grading_data import CellKind, Submission
from autograder.notebook.find_submitted_notebook import collect, identify
from autograder.notebook.make_graded_notebook import as_notebook
from autograder.notebook.master import Master, read_master, read_masters
from autograder.notebook.submitted_files import Unreadable
from autograder.sample import Sampler
from tests.autograder.grading_helpers import read
from tests.parametrize_marks import one_in
from tests.samples.damaged import DAMAGES, Damage

REPAIRS = {
    "byte-order-mark": "the file began with a byte-order mark; it was left out",
    "utf-16": "the file was utf-16-le; it was read as such and written as utf-8",
    "not-utf-8": "some bytes were not utf-8; each was replaced by �",
    "half-characters": "halves of characters were replaced by ?",
    "text-after-the-end": "text after the end of the notebook was left out",
    "format-3": "the notebook had the format 3; it was converted to 4.5",
    "format-4-2-without-ids": "the notebook had the format 4.2; it was converted to 4.5",
    "a-newer-format": "the notebook had the format 5; it was converted to 4.5",
    "no-format-at-all": "the notebook named no format; it was read as 4.5",
    "no-metadata": "the notebook named no kernel; python3 was used",
    "another-kernel": "the notebook named the kernel 'julia-1.10'; python3 was used",
    "entries-that-are-no-cells": (
        "4 entries of the list of cells were no cells; they were left out"
    ),
    "test-cell-deleted": "test cell tiles-to-front was missing; the master copy was used",
    "all-test-cells-deleted": "test cell every-line was missing; the master copy was used",
    "test-cell-twice": "test cell tiles-to-front was there 2 times; one master copy was used",
    "test-cells-first": (
        "cells stood in another order and were put back: given-imports, close_gaps, merge"
    ),
    "test-cell-edited": "test cell tiles-to-front had been changed; the master copy was used",
    "test-cell-overwritten": (
        "other text stood in test cell tiles-to-front; the master copy was used, "
        "the text was kept as the student's own cell"
    ),
    "test-cell-emptied": "test cell tiles-to-front had been changed; the master copy was used",
    "test-cell-became-text": "test cell tiles-to-front was a markdown cell; it was read as code",
    "test-cell-renamed": (
        "test cell tiles-to-front had lost its name and id; it was recognised by its text"
    ),
    "test-marked-as-answer": (
        "the marks of test cell tiles-to-front had been changed (grade, solution, locked); "
        "the master's count"
    ),
    "points-changed": (
        "the marks of test cell merge-once had been changed (points); the master's count"
    ),
    "a-check-of-ones-own": (
        "a cell was marked as 'bonus', which the lesson does not have; it gives no points"
    ),
    "given-cell-deleted": "given cell given-imports was missing; the master copy was used",
    "given-cell-edited": (
        "other text stood in given cell given-imports; the master copy was used, "
        "the text was kept as the student's own cell"
    ),
    "answer-became-text": "solution cell merge was a markdown cell; it was read as code",
    "answer-twice": (
        "solution cell merge was there 2 times; the first that was worked on counts, "
        "the others were kept as the student's own cells"
    ),
    "answer-and-an-untouched-copy": (
        "solution cell merge was there 2 times; the first that was worked on counts"
    ),
    "answer-moved-to-a-copy": (
        "solution cell merge was there 2 times; the first that was worked on counts"
    ),
    "answer-in-a-new-cell": (
        "solution cell merge had lost its name and id; it was recognised by what it defines"
    ),
    "all-marks-lost": (
        "test cell merge-once had lost its nbgrader name; it was recognised by its cell id"
    ),
    "ids-repeated": "cells of the student's own without a usable id were given one: 24",
    "thousands-of-cells": "it had 3039 cells; only the first 2000 were read",
    "a-script-in-a-text": ("text cells with markup that may not be safe: 1; shown as plain text"),
    "a-drawing-that-is-no-picture": (
        "attachments that are no png, jpeg, gif or webp picture: 1; left out"
    ),
    "text-that-turns-around": (
        "cells with characters that turn the direction of text: 1; made visible"
    ),
    "another-file-name": ("merge-a-line.ipynb was missing; My solution (final) (2).ipynb was used"),
    "in-a-folder-in-the-folder": (
        "merge-a-line.ipynb was missing; my homework/merge-a-line.ipynb was used"
    ),
    "two-notebooks": (
        "merge-copy.ipynb also holds this lesson, and was worked on; "
        "merge-a-line.ipynb has the right name and was used"
    ),
    "an-empty-file-beside-a-copy": "merge-a-line.ipynb was of no use; copy.ipynb was used",
}

REASONS = {
    "empty-file": "the file is empty",
    "only-blanks": "the file holds nothing but blanks",
    "cut-off": "the file is cut off at its end",
    "a-python-script": "it is a Python file, not a notebook",
    "a-web-page": "it is a web page, not a notebook",
    "a-zip-archive": "it is a zip archive, not a notebook",
    "a-list": "it is JSON, but not a notebook: it holds a list",
    "a-number": "it is JSON, but not a notebook: it holds a number",
    "no-cells": "it is JSON, but not a notebook: it has no list of cells",
    "nested-too-deep": "it is JSON that no notebook would hold",
    "too-big": "merge-a-line.ipynb has 1024 MiB; more than 256 are not read",
    "a-folder-in-its-place": "merge-a-line.ipynb is a folder",
    "no-file": "there is no merge-a-line.ipynb",
    "a-link-to-nothing": "merge-a-line.ipynb is a symbolic link to nothing",
    "a-link-to-itself": "merge-a-line.ipynb is a symbolic link that leads nowhere",
    "a-link-out-of-the-folder": (
        "merge-a-line.ipynb is a symbolic link that leads out of the submission"
    ),
    "a-pipe": "merge-a-line.ipynb is not a file",
}


Repaired = Callable[[Any], Submission]


def hand_in(damage: Damage, folder: Path, sampler: Sampler) -> Path:
    damage.hand_in(folder / "student", sampler.lesson.notebook, sampler.notebook())
    return folder / "student"


def save(notebook: Any, folder: Path) -> Path:
    path = folder / "merge-a-line.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return path


def cell(notebook: dict[str, Any], name: str) -> dict[str, Any]:
    return next(one for one in notebook["cells"] if one["id"] == name)


def sources(submission: Submission, kind: CellKind) -> list[str]:
    return [one.source for one in submission.code if one.kind is kind]


@pytest.fixture
def repaired(tmp_path: Path, master: Master) -> Repaired:
    """Return a function from a notebook to the repaired submission in which it was handed in."""
    return lambda notebook: read(save(notebook, tmp_path), master)


def test_all_damage_of_which_words_are_expected_is_tried() -> None:
    assert {*REPAIRS, *REASONS} <= {damage.name for damage in DAMAGES}


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.name)
def test_whatever_the_damage_the_notebook_is_valid_and_has_the_masters_tests_and_every_answer(
    damage: Damage, tmp_path: Path, sampler: Sampler, master: Master
) -> None:
    submission = read(hand_in(damage, tmp_path, sampler), master)
    for kind in (CellKind.TEST, CellKind.GIVEN):
        originals = [one.source for one in master.cells if one.kind is kind]
        assert sources(submission, kind) == originals
    notebook = as_notebook(submission, master)
    nbformat.validate(nbformat.from_dict(notebook))
    assert [one["id"] for one in notebook["cells"]] == [one.id for one in submission.cells]
    assert submission.is_readable is damage.is_readable
    if damage.is_readable:
        written = [source.strip() for source in sources(submission, CellKind.STUDENT)]
        assert all(solution.strip() in written for solution in sampler.solutions.values())
        assert damage.name not in REPAIRS or REPAIRS[damage.name] in submission.problems
    else:
        assert submission.problems[0].startswith(REASONS.get(damage.name, ""))
        assert set(sources(submission, CellKind.STUDENT)) == {""}


@pytest.mark.slow
@pytest.mark.parametrize("damage", one_in(5, DAMAGES), ids=lambda damage: damage.name)
def test_a_damaged_submission_keeps_all_points_or_has_the_reason_why_not(
    damage: Damage, tmp_path: Path, sampler: Sampler, master: Master
) -> None:
    graded = grade(collect(hand_in(damage, tmp_path, sampler), master), master)
    most = sum(cell.points for cell in master.graded)
    assert graded.max_score == most
    assert graded.score == (most if damage.is_readable else 0), graded.problems
    assert graded.is_readable or graded.problems[0]


def test_the_students_own_cells_stay_after_the_cell_they_followed(
    sampler: Sampler, repaired: Repaired
) -> None:
    notebook = sampler.notebook()
    place = notebook["cells"].index(cell(notebook, "close_gaps"))
    notebook["cells"].insert(place + 1, {**cell(notebook, "merge-call"), "id": "mine"})
    notebook["cells"].remove(cell(notebook, "tiles-to-front"))
    ids = [one.id for one in repaired(notebook).code]
    assert ids[ids.index("close_gaps") + 1] == "mine"


def test_own_cells_follow_their_cell_even_when_others_were_moved(
    sampler: Sampler, repaired: Repaired
) -> None:
    notebook = sampler.notebook()
    notebook["cells"].insert(1, moved := cell(notebook, "merge-once"))
    del notebook["cells"][notebook["cells"].index(moved, 2)]
    ids = [one.id for one in repaired(notebook).cells]
    assert ids == [one["id"] for one in sampler.notebook()["cells"]]


def test_a_missing_answer_counts_as_empty(sampler: Sampler, repaired: Repaired) -> None:
    notebook = sampler.notebook()
    notebook["cells"].remove(cell(notebook, "merge"))
    submission = repaired(notebook)
    assert "solution cell merge was missing; it counts as empty" in submission.problems
    assert {one.id: one.source for one in submission.cells}["merge"] == ""


@pytest.mark.parametrize("other", ["missing", "empty", "as it was given out"])
def test_of_two_answers_in_one_cell_it_is_said_where_they_stand(
    other: str, sampler: Sampler, repaired: Repaired
) -> None:
    notebook = sampler.untouched()
    both = "\n\n".join(sampler.solutions[name] for name in ("close_gaps", "merge"))
    cell(notebook, "close_gaps")["source"] = both
    if other == "missing":
        notebook["cells"].remove(cell(notebook, "merge"))
    elif other == "empty":
        cell(notebook, "merge")["source"] = ""
    [sentence] = [one for one in repaired(notebook).problems if "cell merge" in one]
    assert f" {other}; its answer stands in solution cell close_gaps" in sentence


@pytest.mark.parametrize("padding", [0, 3 * 2**20], ids=["small", "so large that it is skimmed"])
def test_a_git_conflict_is_told_with_its_line(
    padding: int, tmp_path: Path, sampler: Sampler, master: Master
) -> None:
    lines = json.dumps(sampler.notebook(), indent=1).replace("\n", " " * padding + "\n", 1)
    written = lines.splitlines(keepends=True)
    written[320:321] = ["<<<<<<< HEAD\n", written[320], "=======\n", written[320], ">>>>>>> mine\n"]
    (tmp_path / "merge-a-line.ipynb").write_text("".join(written), encoding="utf-8")
    assert "unresolved git conflict at line 321" in read(tmp_path, master).problems[0]


def test_of_two_answers_the_first_counts_and_the_other_still_runs_after_it(
    sampler: Sampler, repaired: Repaired
) -> None:
    notebook = sampler.notebook()
    place = notebook["cells"].index(cell(notebook, "merge"))
    second = {**cell(notebook, "merge"), "source": "def merge(line):\n    return 'second'"}
    notebook["cells"].insert(place + 1, second)
    written = [one.source for one in repaired(notebook).code]
    place = written.index(sampler.solutions["merge"].strip())
    assert written[place + 1] == second["source"]


def test_a_file_name_that_is_no_text_does_no_harm(
    tmp_path: Path, sampler: Sampler, master: Master
) -> None:
    save(sampler.notebook(), tmp_path).rename(tmp_path / "\udcff\x1b[2J.ipynb")
    problems = read(tmp_path, master).problems
    assert problems == (r"merge-a-line.ipynb was missing; \udcff\x1b[2J.ipynb was used",)


@pytest.mark.parametrize("name", ["x" * 5000, "no/such/file.ipynb", "nul\0byte"])
def test_a_path_that_can_not_be_is_a_reason(name: str, tmp_path: Path, master: Master) -> None:
    assert not read(tmp_path / name, master).is_readable


def test_a_lesson_is_recognised_by_its_file_name_when_nothing_can_be_read(
    tmp_path: Path, master: Master
) -> None:
    (tmp_path / "merge-a-line.ipynb").touch()
    assert identify(tmp_path / "merge-a-line.ipynb", (master,)) is master


@pytest.mark.parametrize("names", [(), ("merge",), ("given-imports",), ("merge", "merge-once")])
def test_a_stray_id_or_some_copied_cells_do_not_say_which_assignment_it_is(
    names: tuple[str, ...], tmp_path: Path, sampler: Sampler, master: Master
) -> None:
    marks = {"nbgrader": {"grade_id": "setup", "locked": True, "grade": False, "solution": False}}
    strange = {"cell_type": "code", "id": "setup", "metadata": marks, "source": "import numpy"}
    notebook = sampler.notebook()
    notebook["cells"] = [strange, *(cell(notebook, name) for name in names)]
    path = save(notebook, tmp_path).rename(tmp_path / "homework.ipynb")
    # also of an assignment with one cell, that cell is not enough
    alone = replace(master, cells=(master.by_id["merge"],))
    for masters, known in ((read_masters(ROOT / "source"), "0-meet-the-game, "), ((alone,), "")):
        with pytest.raises(Unreadable, match=f"known are {known}1-merge-a-line.*with --lesson"):
            identify(path, masters)


@pytest.mark.parametrize("lesson_id", [master.lesson for master in read_masters(ROOT / "source")])
def test_every_lesson_is_recognised_among_all(lesson_id: str, tmp_path: Path) -> None:
    path = tmp_path / "homework.ipynb"
    masters = read_masters(ROOT / "source")
    [original] = [one for one in masters if one.lesson == lesson_id]
    path.write_bytes((ROOT / "release" / lesson_id / original.notebook).read_bytes())
    assert identify(path, masters) is original


def test_a_method_that_lost_its_name_is_recognised_by_what_it_defines(tmp_path: Path) -> None:
    lesson = "6-the-whole-game"
    sampler = Sampler(ROOT, lesson)
    notebook = sampler.notebook()
    cell(notebook, "Game-str").update(id="another", metadata={})
    path = tmp_path / sampler.lesson.notebook
    path.write_text(json.dumps(notebook), encoding="utf-8")
    submission = read(tmp_path, read_master(lesson, ROOT / "source"))
    assert submission.problems == (
        "solution cell Game-str had lost its name and id; it was recognised by what it defines",
    )
    assert "def __str__" in {one.id: one.source for one in submission.cells}["Game-str"]
