"""Hostile programs for the exercise `merge`: each is a wrong `merge` that tries to get points.

A few come from `autograder sample`. The files of the others end in `.txt`, so that no tool imports,
and thereby runs, a program by accident.
"""

import ast
from dataclasses import dataclass
from pathlib import Path

from autograder import sample

FOLDER = Path(__file__).parent

# Each hostile program is this wrong program plus an attack.
WRONG = """def merge(line):
    tiles = [tile for tile in line if tile != 0]
    return tiles + [0] * (len(line) - len(tiles))
"""


@dataclass(frozen=True)
class Hostile:
    """A hostile program: its name, its attack in words, and its source, an answer for `merge`."""

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
