"""Builders for the assignments of other courses, in the form of nbgrader's source notebooks."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Cell = dict[str, Any]
PYTHON = {"name": "python3", "display_name": "Python 3", "language": "python"}
STUB = "# YOUR CODE HERE\nraise NotImplementedError()"


def plain(source: str, cell_type: str = "code") -> Cell:
    """Return a cell without nbgrader's metadata."""
    form: Cell = {"cell_type": cell_type, "metadata": {}, "source": source}
    return form | ({"outputs": [], "execution_count": None} if cell_type == "code" else {})


def marked(name: str, source: str, cell_type: str = "code", **marks: Any) -> Cell:
    """Return a cell with nbgrader's metadata; a field that `marks` does not name is false."""
    cell = plain(source, cell_type)
    usual = {"grade": False, "solution": False, "locked": False, "task": False}
    cell["metadata"]["nbgrader"] = {**usual, "schema_version": 3, "grade_id": name, **marks}
    return cell


def given(name: str, source: str) -> Cell:
    return marked(name, source, locked=True)


def answer(name: str, solution: str, before: str = "") -> Cell:
    """Return an answer cell, in which students get the line `before`, but not the solution."""
    inside = "\n".join(
        "    " * bool(before) + line
        for line in ("### BEGIN SOLUTION", *solution.split("\n"), "### END SOLUTION")
    )
    return marked(name, f"{before}\n{inside}" if before else inside, solution=True)


def graded(name: str, source: str, points: float = 1) -> Cell:
    return marked(name, source, grade=True, locked=True, points=points)


def by_hand(name: str, solution: str, points: float = 1, cell_type: str = "markdown") -> Cell:
    return marked(name, solution, cell_type, grade=True, solution=True, points=points)


def task(name: str, text: str, points: float = 1) -> Cell:
    return marked(name, text, "markdown", task=True, locked=True, points=points)


def notebook(*cells: Cell, **metadata: Any) -> dict[str, Any]:
    """Return a notebook of format 4.4, in which cells have no ids."""
    return {
        "cells": list(cells),
        "metadata": {"kernelspec": PYTHON, **metadata},
        "nbformat": 4,
        "nbformat_minor": 4,
    }


@dataclass(frozen=True)
class Assignment:
    """An assignment: its notebooks and files, each by its name, and what students hand in.

    `answers` is student → cell → the text that the student writes. A cell without such a text is
    handed in as it is in the instructor's notebook.
    """

    name: str
    notebooks: Mapping[str, dict[str, Any]]
    files: Mapping[str, str] = field(default_factory=dict)
    answers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def put(self, course: Path) -> None:
        """Write the source notebooks and all submissions into a course folder."""
        self._write(course / "source" / self.name, {})
        for student, answers in self.answers.items():
            self._write(course / "submitted" / student / self.name, answers)

    def _write(self, folder: Path, answers: Mapping[str, str]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        for name, data in self.notebooks.items():
            cells = [_answered(cell, answers) for cell in data["cells"]]
            text = json.dumps({**data, "cells": cells})
            (folder / f"{name}.ipynb").write_text(text, encoding="utf-8")


def _answered(cell: Cell, answers: Mapping[str, str]) -> Cell:
    name = cell["metadata"].get("nbgrader", {}).get("grade_id", "")
    return {**cell, "source": answers[name]} if name in answers else cell
