"""The master: the instructor's copy of a lesson, which alone decides what each cell is."""

import json
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from autograder.course import lesson, lessons
from autograder.notebook.hidden import NBGRADERS, Delimiters
from autograder.notebook.text import plain_text
from autograder.submission import Cell, Kind

_SOLUTION = re.compile(r"^[^\n]*BEGIN SOLUTION.*?END SOLUTION[^\n]*\n?", re.M | re.S)


class MasterError(ValueError):
    """An assignment in `source/` can not be graded as it is; the message says what to do."""


@dataclass(frozen=True)
class MasterCell(Cell):
    """One cell with nbgrader's marks in its metadata; `id` is its grade id."""

    @property
    def name(self) -> str:
        """What the cell is called in a sentence: `test cell merge-once`."""
        kind = "solution" if self.kind is Kind.STUDENT else self.kind.value
        return f"{kind} cell {self.id}"

    @property
    def is_answer(self) -> bool:
        """The student writes its source; everything else is the master's."""
        return bool(self.metadata["nbgrader"]["solution"])

    @cached_property
    def released(self) -> str:
        """What a learner was given of it, without white space that does not count.

        Hidden tests and solutions are left out, and so is the stub that stands for a solution.
        """
        return plain_text(_SOLUTION.sub("", self.shown))

    @cached_property
    def versions(self) -> tuple[str, ...]:
        """As it was released, and as it is, without white space that does not count."""
        return tuple(dict.fromkeys((self.released, plain_text(self.source))))


@dataclass(frozen=True)
class Master:
    """The cells of one lesson that nbgrader knows, in order, and the notebook's own metadata."""

    lesson: str
    cells: tuple[MasterCell, ...]
    metadata: dict[str, Any]

    @property
    def notebook(self) -> str:
        """The file name that a submission should have."""
        return lesson(self.lesson).notebook

    @cached_property
    def by_id(self) -> dict[str, MasterCell]:
        """The cells by their ids."""
        return {cell.id: cell for cell in self.cells}

    @property
    def graded(self) -> tuple[MasterCell, ...]:
        """The cells that give points: tests, and answers that a person reads."""
        return tuple(cell for cell in self.cells if cell.kind in (Kind.TEST, Kind.MANUAL))

    @property
    def max_score(self) -> float:
        """The full maximum of the lesson."""
        return sum(cell.points for cell in self.graded)


def master_of(lesson_id: str, notebook: dict[str, Any], hidden: Delimiters = NBGRADERS) -> Master:
    """The master that a source notebook is, given as the dictionary that is in its file."""
    cells = tuple(
        _master_cell(cell, hidden) for cell in notebook["cells"] if "nbgrader" in cell["metadata"]
    )
    twice = [name for name, number in Counter(cell.id for cell in cells).items() if number > 1]
    if twice:
        raise ValueError(f"it has two cells with the name {twice[0]}")
    metadata = {key: notebook["metadata"][key] for key in ("kernelspec",)}
    return Master(lesson_id, cells, metadata)


def read_master(lesson_id: str, source: Path, hidden: Delimiters = NBGRADERS) -> Master:
    """The master of a lesson in the folder `source/`.

    Raises `FileNotFoundError` if it is not there, and `MasterError` if it can not be graded by.
    """
    path = source / lesson_id / lesson(lesson_id).notebook
    data = path.read_bytes()
    others = sorted(other.name for other in path.parent.glob("*.ipynb") if other != path)
    if others:
        raise MasterError(
            f"{path.parent} holds {', '.join(others)} beside {path.name}; one notebook an "
            "assignment is graded, so move the others out of that folder"
        )
    try:
        return master_of(lesson_id, json.loads(data), hidden)
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise MasterError(
            f"{path} is no notebook that nbgrader could grade ({type(error).__name__}: {error}); "
            "open it in JupyterLab, save it, and validate it there"
        ) from error


def read_masters(source: Path, hidden: Delimiters = NBGRADERS) -> tuple[Master, ...]:
    """The masters of all lessons that have one in the folder `source/`."""
    return tuple(read_master(lesson_id, source, hidden) for lesson_id in lessons_in(source))


def lessons_in(source: Path) -> list[str]:
    """The lessons that have a master in the folder `source/`, in order."""
    return [entry.id for entry in lessons() if (source / entry.id / entry.notebook).is_file()]


def _master_cell(cell: dict[str, Any], hidden: Delimiters) -> MasterCell:
    marks = cell["metadata"]["nbgrader"]
    source = cell["source"] if isinstance(cell["source"], str) else "".join(cell["source"])
    return MasterCell(
        id=marks["grade_id"],
        kind=_kind(marks),
        source=source,
        points=float(marks.get("points", 0)),
        cell_type=cell["cell_type"],
        metadata=cell["metadata"],
        attachments=cell.get("attachments", {}),
        visible=hidden.without_hidden(source),
    )


def _kind(marks: dict[str, Any]) -> Kind:
    if marks.get("task") or (marks["grade"] and marks["solution"]):
        return Kind.MANUAL
    if marks["grade"]:
        return Kind.TEST
    return Kind.STUDENT if marks["solution"] else Kind.GIVEN
