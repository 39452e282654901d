"""Damaged submissions, as they often come from students: cut off, renamed, without metadata, …"""

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

Cell = dict[str, Any]


@dataclass(frozen=True)
class Desk:
    """A submission to be damaged: the notebook's right place, and a copy that may be changed."""

    folder: Path
    name: str
    notebook: dict[str, Any]

    @property
    def path(self) -> Path:
        """The path that the lesson's notebook should have."""
        return self.folder / self.name

    @property
    def cells(self) -> list[Cell]:
        """All cells of the notebook."""
        cells: list[Cell] = self.notebook["cells"]
        return cells

    def marked(self, mark: str) -> list[Cell]:
        """Return the cells that have a mark of nbgrader's: `grade`, `solution` or `locked`."""
        return [cell for cell in self.cells if cell["metadata"].get("nbgrader", {}).get(mark)]

    def save(self, data: bytes | None = None) -> None:
        """Write the notebook to its path or, if `data` is given, write `data` instead."""
        self.path.write_bytes(self.as_bytes() if data is None else data)

    def as_bytes(self) -> bytes:
        """Return the notebook as the content of its file."""
        return json.dumps(self.notebook, indent=1, ensure_ascii=False).encode()


@dataclass(frozen=True)
class Damage:
    """One kind of damage; `is_readable` is true if a grader can still find all answers."""

    do: Callable[[Desk], None]
    is_readable: bool

    @property
    def name(self) -> str:
        """The name of the damage, as a student of a sample class has it."""
        return self.do.__name__.replace("_", "-")

    def hand_in(self, folder: Path, name: str, notebook: dict[str, Any]) -> None:
        """Make the folder of a submission, and write a damaged copy of `notebook` into it."""
        folder.mkdir(parents=True)
        self.do(Desk(folder, name, deepcopy(notebook)))


unreadable = partial(Damage, is_readable=False)  # nothing can be graded: the score is 0
repairable = partial(Damage, is_readable=True)  # no points are lost


def source_of(cell: Cell) -> str:
    """Return the source of a cell as one text."""
    return "".join(cell["source"])


def code_cell(name: str, source: str, metadata: dict[str, Any]) -> Cell:
    """Return a code cell that has not been run."""
    cell = {"cell_type": "code", "id": name, "metadata": metadata, "source": source}
    return {**cell, "outputs": [], "execution_count": None}


@unreadable
def empty_file(desk: Desk) -> None:
    desk.save(b"")


@unreadable
def cut_off(desk: Desk) -> None:
    data = desk.as_bytes()
    desk.save(data[: len(data) // 2])


@unreadable
def no_file(desk: Desk) -> None:
    (desk.folder / "sorry.txt").write_text("I could not upload it")


@repairable
def another_file_name(desk: Desk) -> None:
    (desk.folder / "My solution (final) (2).ipynb").write_bytes(desk.as_bytes())


@repairable
def test_cell_deleted(desk: Desk) -> None:
    desk.cells.remove(desk.marked("grade")[0])
    desk.save()


@repairable
def test_cell_overwritten(desk: Desk) -> None:
    desk.marked("grade")[0]["source"] = "print('my own notes, in the wrong cell')"
    desk.save()


@repairable
def answer_in_a_new_cell(desk: Desk) -> None:
    cell = desk.marked("solution")[-1]
    desk.cells[desk.cells.index(cell)] = code_cell("7b1c", source_of(cell), {})
    desk.save()


@repairable
def all_marks_lost(desk: Desk) -> None:
    for cell in desk.cells:
        cell["metadata"] = {}
    desk.save()


# in such an order that the first few are of different sorts
DAMAGES = (
    test_cell_deleted, cut_off, another_file_name, answer_in_a_new_cell,
    empty_file, all_marks_lost, no_file, test_cell_overwritten,
)  # fmt: skip
