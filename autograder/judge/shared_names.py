"""Names that a test sets for the program: in a notebook, all cells share their names.

No test runs beside the student's code. But of the lines that students were shown, those run there,
too, that bind a name and need nothing of the program's: `import numpy as np`, `rate = 0.2`. Nothing
hidden is among them, and which they are depends on the master alone.
"""

import ast
import builtins
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

from autograder.jail.inside.names import names_of
from autograder.notebook.magics import without_magics
from autograder.submission import Cell, CellKind

_SHARED = (
    *(ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign),
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
)
_OF_PYTHON = frozenset(dir(builtins))


class Statement(NamedTuple):
    """One statement: its text, empty if it does more; the names that it binds, those it needs."""

    text: str
    bound: frozenset[str]
    needed: frozenset[str]


def shared_lines(cells: Sequence[Cell]) -> dict[str, str]:
    """The lines of each test that are to run beside the program, as text.

    >>> test = Cell("f-right", CellKind.TEST, "rate = 2\\nwant = f(3)\\nassert want == 6")
    >>> shared_lines((Cell("f", CellKind.STUDENT, "def f(x): return x * rate"), test))
    {'f-right': 'rate = 2'}
    """
    known, found = set(_OF_PYTHON), {}
    for cell in cells:
        if cell.kind is CellKind.GIVEN:
            known |= {name for line in _lines(cell.source) for name in line.bound}
        elif cell.kind is CellKind.TEST:
            lines = _alone(_lines(cell.shown), known)
            known |= {name for line in lines for name in line.bound}
            if lines:
                found[cell.id] = "\n".join(line.text for line in lines)
    return found


def _alone(lines: Sequence[Statement], known: Collection[str]) -> Sequence[Statement]:
    """The lines that need nothing of the program's; nor do others bind what they bind."""
    unfit: set[str] = set()
    while True:
        there, kept = set(known) - unfit, []
        for line in lines:
            if line.text and line.needed <= there and unfit.isdisjoint(line.bound):
                there |= line.bound
                kept.append(line)
            else:
                unfit |= line.bound
        if all(unfit.isdisjoint(line.bound) for line in kept):
            return kept


@lru_cache(maxsize=1024)
def _lines(source: str) -> tuple[Statement, ...]:
    """The statements of a cell of the master's that bind names."""
    try:
        body = ast.parse(without_magics(source)).body
        names = [names_of([node]) for node in body]
    except (SyntaxError, ValueError):
        return ()
    return tuple(
        Statement(ast.unparse(node) if isinstance(node, _SHARED) else "", *found)
        for node, found in zip(body, names, strict=True)
        if found.bound
    )
