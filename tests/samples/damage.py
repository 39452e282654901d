"""A kind of damage that can happen to a submission, and what the tests expect of it."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.sample.damages import Cell, Desk


@dataclass(frozen=True)
class Damage:
    """One kind of damage; `is_readable` is true if a grader can still find all answers."""

    name: str
    do: Callable[[Desk], object]
    is_readable: bool

    def hand_in(self, folder: Path, name: str, notebook: dict[str, Any]) -> None:
        """Make the folder of a submission, and write a damaged copy of `notebook` into it."""
        folder.mkdir(parents=True)
        self.do(Desk(folder, name, deepcopy(notebook)))


def unreadable(do: Callable[[Desk], None]) -> Damage:
    """Return a kind of damage after which nothing can be graded, so that the score is 0."""
    return Damage(do.__name__.replace("_", "-"), do, is_readable=False)


def repairable(do: Callable[[Desk], None]) -> Damage:
    """Return a kind of damage after which all answers can be found, so that no points are lost."""
    return Damage(do.__name__.replace("_", "-"), do, is_readable=True)


def source_of(cell: Cell) -> str:
    """Return the source of a cell as one text."""
    return "".join(cell["source"])


def code_cell(name: str, source: str, metadata: dict[str, Any]) -> Cell:
    """Return a code cell that has not been run."""
    cell = {"cell_type": "code", "id": name, "metadata": metadata, "source": source}
    return {**cell, "outputs": [], "execution_count": None}
