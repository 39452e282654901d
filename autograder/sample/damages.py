"""Damaged submissions, as they often come from students: cut off, renamed, without metadata, …"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Cell = dict[str, Any]


@dataclass(frozen=True)
class Desk:
    """A submission to be damaged: its folder, the notebook's right file name, and its content."""

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
        """Return the cells in which nbgrader's `mark` is true: `grade`, `solution` or `locked`."""
        return [cell for cell in self.cells if cell["metadata"].get("nbgrader", {}).get(mark)]

    def save(self, data: bytes | None = None) -> None:
        """Write the notebook to its path or, if `data` is given, write `data` instead."""
        self.path.write_bytes(self.as_bytes() if data is None else data)

    def as_bytes(self) -> bytes:
        """Return the notebook as the content of its file."""
        return json.dumps(self.notebook, indent=1, ensure_ascii=False).encode()


def empty_file(desk: Desk) -> None:
    desk.save(b"")


def cut_file(desk: Desk) -> None:
    data = desk.as_bytes()
    desk.save(data[: len(data) // 2])


def no_file(desk: Desk) -> None:
    (desk.folder / "sorry.txt").write_text("I could not upload it")


def rename_file(desk: Desk) -> None:
    (desk.folder / "My solution (final) (2).ipynb").write_bytes(desk.as_bytes())


def delete_test_cell(desk: Desk) -> None:
    desk.cells.remove(desk.marked("grade")[0])
    desk.save()


def overwrite_test_cell(desk: Desk) -> None:
    desk.marked("grade")[0]["source"] = "print('my own notes, in the wrong cell')"
    desk.save()


def answer_in_new_cell(desk: Desk) -> None:
    cell = desk.marked("solution")[-1]
    cell |= {"id": "7b1c", "metadata": {}, "outputs": [], "execution_count": None}
    desk.save()


def lose_marks(desk: Desk) -> None:
    for cell in desk.cells:
        cell["metadata"] = {}
    desk.save()


# Name → function. The first few are of different sorts, for small classes.
DAMAGES = {
    "test-cell-deleted": delete_test_cell,
    "cut-off": cut_file,
    "another-file-name": rename_file,
    "answer-in-a-new-cell": answer_in_new_cell,
    "empty-file": empty_file,
    "all-marks-lost": lose_marks,
    "no-file": no_file,
    "test-cell-overwritten": overwrite_test_cell,
}
