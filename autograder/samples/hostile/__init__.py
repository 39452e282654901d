"""Hostile programs for the exercise `merge`: a wrong merge each, and a try to be paid for it.

They are kept as `.txt`, so that no tool that imports modules ever runs one by accident.
"""

import ast
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent

# What every program is worth without its attack.
WRONG = """def merge(line):
    tiles = [tile for tile in line if tile != 0]
    return tiles + [0] * (len(line) - len(tiles))
"""


@dataclass(frozen=True)
class Hostile:
    """One program: its name, what it tries, and its source, which replaces the cell `merge`."""

    name: str
    tries: str
    source: str


def hostile_programs() -> tuple[Hostile, ...]:
    """All hostile programs, by name."""
    return tuple(_read(path) for path in sorted(FOLDER.glob("*.txt")))


def _read(path: Path) -> Hostile:
    source = path.read_text("utf-8")
    return Hostile(path.stem, ast.get_docstring(ast.parse(source)) or "", source)
