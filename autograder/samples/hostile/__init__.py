"""Hostile programs for the exercise `merge`: each is a wrong `merge` that tries to get points.

They are kept as `.txt`, so that no tool that imports modules ever runs one by accident.
"""

import ast
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent

# The program that each hostile one is without its attack.
WRONG = """def merge(line):
    tiles = [tile for tile in line if tile != 0]
    return tiles + [0] * (len(line) - len(tiles))
"""


@dataclass(frozen=True)
class Hostile:
    """A hostile program: its name, what it tries, and its source, which replaces cell `merge`."""

    name: str
    tries: str
    source: str


def hostile_programs() -> tuple[Hostile, ...]:
    """Return all hostile programs, sorted by name."""
    return tuple(_read(path) for path in sorted(FOLDER.glob("*.txt")))


def _read(path: Path) -> Hostile:
    source = path.read_text("utf-8")
    return Hostile(path.stem, ast.get_docstring(ast.parse(source)) or "", source)
