"""The parts of a damaged submission: a desk, a right notebook, and a name for the damage."""

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Cell = dict[str, Any]


@dataclass(frozen=True)
class Desk:
    """The place where a submission is damaged; `notebook` is a right one's copy, to be spoiled."""

    folder: Path
    name: str
    notebook: dict[str, Any]

    @property
    def path(self) -> Path:
        """The path at which the lesson's notebook belongs."""
        return self.folder / self.name

    @property
    def cells(self) -> list[Cell]:
        """All cells of the notebook."""
        cells: list[Cell] = self.notebook["cells"]
        return cells

    def marked(self, mark: str) -> list[Cell]:
        """Return the cells with one of nbgrader's marks: `grade`, `solution` or `locked`."""
        return [cell for cell in self.cells if cell["metadata"].get("nbgrader", {}).get(mark)]

    def save(self, data: bytes | None = None) -> None:
        """Write the notebook, or other bytes in its place."""
        self.path.write_bytes(self.as_bytes() if data is None else data)

    def as_bytes(self) -> bytes:
        """Return the notebook as the content of its file."""
        return json.dumps(self.notebook, indent=1, ensure_ascii=False).encode()


@dataclass(frozen=True)
class Damage:
    """One kind of damage; `is_readable` is true if a grader can still find the answers in it."""

    name: str
    do: Callable[[Desk], None]
    is_readable: bool

    def hand_in(self, folder: Path, name: str, notebook: dict[str, Any]) -> None:
        """Make a folder and put the damaged submission into it."""
        folder.mkdir(parents=True)
        self.do(Desk(folder, name, deepcopy(notebook)))


DAMAGES: list[Damage] = []


def unreadable(do: Callable[[Desk], None]) -> Callable[[Desk], None]:
    """Register a damage after which nothing can be graded: the score is 0, with the reason."""
    DAMAGES.append(Damage(do.__name__.replace("_", "-"), do, is_readable=False))
    return do


def repairable(do: Callable[[Desk], None]) -> Callable[[Desk], None]:
    """Register a damage that leaves all answers in place, so that every point is due."""
    DAMAGES.append(Damage(do.__name__.replace("_", "-"), do, is_readable=True))
    return do


def source_of(cell: Cell) -> str:
    """Return the source of a cell as one text."""
    return "".join(cell["source"])


def code_cell(name: str, source: str, metadata: dict[str, Any]) -> Cell:
    """Return a code cell that has not been run."""
    cell = {"cell_type": "code", "id": name, "metadata": metadata, "source": source}
    return {**cell, "outputs": [], "execution_count": None}
