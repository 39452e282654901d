"""Sample agents for tournaments: honest ones, broken ones, and some that attack.

Their files end in `.txt`, so that no tool imports, and thereby runs, an agent by accident.
"""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
_NOTEBOOK = "in_a_notebook"
_CELL = "# ---\n"


def names_of_agents() -> list[str]:
    """Return the names of all agents."""
    return sorted(path.stem for path in FOLDER.glob("*.txt"))


def write_agents(folder: Path) -> None:
    """Write all agents into a folder, each in the form in which it would be handed in."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in FOLDER.glob("*.txt"):
        source = path.read_text("utf-8")
        if path.stem == _NOTEBOOK:
            text = json.dumps(_notebook(source.split(_CELL)), indent=1)
            (folder / f"{path.stem}.ipynb").write_text(text, "utf-8")
        else:
            (folder / f"{path.stem}.py").write_text(source, "utf-8")


def _notebook(cells: list[str]) -> dict[str, Any]:
    kept: list[dict[str, Any]] = [
        {"cell_type": "code", "id": f"cell-{number}", "source": cell, "metadata": {}}
        | {"outputs": [], "execution_count": None}
        for number, cell in enumerate(cells)
    ]
    return {"cells": kept, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
