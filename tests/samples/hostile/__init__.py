"""Hostile programs for the exercise `merge`: each is a wrong `merge` that tries to get points.

A few are those of `autograder sample`. The others are kept as `.txt`, so that no tool that imports
modules ever runs one by accident.
"""

import ast
from dataclasses import dataclass
from pathlib import Path

from autograder import sample

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
    found = {path.stem: path.read_text("utf-8") for path in FOLDER.glob("*.txt")}
    assert not found.keys() & sample.hostile_programs().keys()
    return tuple(
        Hostile(name, ast.get_docstring(ast.parse(source)) or "", source)
        for name, source in sorted({**found, **sample.hostile_programs()}.items())
    )
