"""The tool for authors: it compares exercises with notebooks, and fills in what it can."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from autograder.course_adapter import ROOT, Exercise, Lesson, lesson
from autograder.misconceptions import lost_checks
from autograder.misconceptions.sync_exercises_with_notebooks import (
    fill_in,
    problems,
    tidy,
    unnoticed,
)

LESSON = lesson("1-merge-a-line")
WRONG = """
[[misconception]]
id = "reverses"
title = "The line comes back to front"
nudge = "Which tile comes first?"
explain = "The tiles are in the other order."
show = "`return merged`"
specimen = '''
def merge(line):
    return close_gaps(line)
'''
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "source" / LESSON.id, tmp_path / LESSON.id)
    return tmp_path


def edit(source: Path, change: Callable[[NotebookNode], object]) -> None:
    path = source / LESSON.id / LESSON.notebook
    notebook = nbformat.read(path, as_version=4)
    change(notebook)
    nbformat.write(notebook, path)


def written(source: Path) -> NotebookNode:
    return nbformat.read(source / LESSON.id / LESSON.notebook, as_version=4)


def test_nothing_is_missing_in_the_lessons_and_nothing_is_changed(source: Path):
    before = (source / LESSON.id / LESSON.notebook).read_bytes()
    assert not tidy(LESSON, source)
    assert (source / LESSON.id / LESSON.notebook).read_bytes() == before
    assert list(problems(LESSON, ROOT / "source")) == []


def test_a_cell_made_in_jupyterlab_is_known_by_its_grade_id(source: Path):
    marks = {"grade": True, "grade_id": "merge-new", "points": 1, "solution": False}
    marks |= {"locked": True, "schema_version": 3, "task": False}
    cells = [
        new_markdown_cell("A story.", id="8c1e-44aa"),
        new_code_cell("1 + 1", id="0bf3a1d2", metadata={"nbgrader": marks}, execution_count=3),
    ]
    edit(source, lambda notebook: notebook.cells.extend(cells))
    assert tidy(LESSON, source)
    text, test = written(source).cells[-2:]
    assert (text.id, test.id, test.execution_count) == ("before-merge-new", "merge-new", None)
    assert list(problems(LESSON, source)) == [
        "merge-a-line.ipynb: no exercise has the test cell merge-new among its checks. Write "
        "`merge-new = 1` among the `checks` of its exercise in course/exercises/1-merge-a-line/."
    ]


def test_what_an_exercise_names_and_nobody_has_written_is_said(source: Path, tmp_path: Path):
    file = tmp_path / "3-flip.toml"
    file.write_text("")
    new = Exercise("flip", {"flip-once": 2, "merge-once": 5}, ("", "", ""), file)
    assert list(problems(replace(LESSON, exercises=(LESSON.exercises[0], new)), source))[:5] == [
        "3-flip.toml: merge-a-line.ipynb has no solution cell with the grade_id flip.",
        "3-flip.toml: course.rules has no flip; write it, and offer it in "
        "course/rules/__init__.py.",
        "3-flip.toml: merge-a-line.ipynb has no test cell with the grade_id flip-once.",
        "3-flip.toml: merge-once is worth 5, and in merge-a-line.ipynb 2.",
        "merge-a-line.ipynb: the solution cell merge has no file "
        "course/exercises/1-merge-a-line/NUMBER-merge.toml.",
    ]


INCOMPLETE = """
[[puzzle.stray]]
line = "return lin"
mistake = "reverses"

[[puzzle.stray]]
line = "return line"
why = "It is not slid."
mistake = "revreses"

[[misconception]]
id = "reverses"
title = "The line comes back to front"
nudge = "Which tile comes first?"
explain = "The tiles are in the other order."
specimen = "def close_gaps(line): return return"
"""


def test_a_mistake_or_a_puzzle_that_is_not_whole_is_said(source: Path, tmp_path: Path):
    file = tmp_path / "1-close_gaps.toml"
    file.write_text(INCOMPLETE)
    exercises = (replace(LESSON.exercises[0], file=file), *LESSON.exercises[1:])
    assert list(problems(replace(LESSON, exercises=exercises), source)) == [
        "1-close_gaps.toml: it has known mistakes, but no `[observed]` with `probes`.",
        "1-close_gaps.toml: the mistake reverses has no `show`.",
        "1-close_gaps.toml: the specimen of the mistake reverses is no Python: line 1, invalid "
        "syntax.",
        "1-close_gaps.toml: the stray line `return lin` has no `why`.",
        "1-close_gaps.toml: the stray line `return lin` is no line of the mistake reverses.",
        "1-close_gaps.toml: the stray line `return line` names the mistake `revreses`, which is "
        "not in this file.",
    ]


def test_the_cell_keep_gets_the_functions_that_it_lacks_and_tiles_stay_together(source: Path):
    def change(notebook: NotebookNode) -> None:
        notebook.cells[0].source += " `2 0 2`"
        keep = next(cell for cell in notebook.cells if cell.id == "keep")
        keep.source = keep.source.partition("\n")[0]

    edit(source, change)
    assert tidy(LESSON, source)
    assert "`2\u00a00\u00a02`" in written(source).cells[0].source
    assert "keep(close_gaps)\nkeep(merge)" in [cell.source for cell in written(source).cells]


def test_the_checks_that_a_mistake_loses_are_written_into_a_file(source: Path, tmp_path: Path):
    file = tmp_path / "2-merge.toml"
    before = LESSON.exercises[1].file.read_text(encoding="utf-8")
    file.write_text(before + WRONG, encoding="utf-8")
    new: Lesson = replace(LESSON, exercises=(replace(LESSON.exercises[1], file=file),))
    of_merge = lost_checks()["merge"]
    table = tmp_path / "lost-checks.json"
    of_nothing = {"was-renamed": {"skips-zeros": []}}
    table.write_text(json.dumps({"merge": of_merge, **of_nothing}), encoding="utf-8")
    [said] = fill_in(new, source, file=table)
    assert said.startswith("2-merge.toml: reverses loses merge-a-pair, ")
    assert "leaves-argument-alone" not in said
    lost = said.removesuffix(".").partition("loses ")[2].split(", ")
    assert lost_checks(table) == {"merge": {**of_merge, "reverses": lost}}
    assert list(fill_in(new, source, file=table)) == list(unnoticed(new, table)) == []
    table.write_text(json.dumps({"merge": {"reverses": [], "gone": []}}), "utf-8")
    assert list(unnoticed(new, table)) == [
        "2-merge.toml: no check notices the mistake reverses. Write a check that notices it, or "
        "leave the mistake out."
    ]
