"""Lines of tests that also run beside the student's code, because they set names for it.

In a notebook, the student's code may use a name that a test sets. So some lines of a protected test
run beside this code, too: those that bind a name and need nothing of the student's, such as
`import numpy as np` or `rate = 0.2`; never hidden lines. Later tests do not ask the program for
these names: it could have changed them.
"""

import ast
import builtins
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

from autograder.grading_data import Cell, CellKind
from autograder.jail.inside.names_in_code import names_of
from autograder.notebook.magics import without_magics

_SHARED = (
    *(ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign),
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
)
_OF_PYTHON = frozenset(dir(builtins))


class Statement(NamedTuple):
    """A statement: its text, the names that it binds, and the names that it needs.

    The text is empty if the statement is no import, assignment or definition.
    """

    text: str
    bound: frozenset[str]
    needed: frozenset[str]


def shared_lines(cells: Sequence[Cell]) -> dict[str, str]:
    """Return, by test, the text of the lines that must run beside the student's code.

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


@lru_cache(maxsize=1024)
def names_without_student(source: str, known: frozenset[str]) -> frozenset[str]:
    """Return the names that a test binds without the use of anything that the student wrote.

    `known` are the names of given cells and earlier tests.

    >>> sorted(names_without_student("rate = 2\\nmost = rate * 9\\ngot = f(most)", frozenset()))
    ['most', 'rate']
    """
    lines = _alone(_lines(source), _OF_PYTHON | known)
    return frozenset(name for line in lines for name in line.bound)


def _alone(lines: Sequence[Statement], known: Collection[str]) -> Sequence[Statement]:
    """Return the lines that need only `known` names, or names from such lines before them.

    If several lines bind one name and one of these lines is left out, all of them are left out.
    """
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
    """Return the statements of a cell that bind names; none if the cell is no Python."""
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
