"""Names that a test sets for the program: in a notebook, all cells share their names.

No test runs beside the student's code. But of the lines that students were shown, those run there,
too, that bind a name and need nothing of the program's: `import numpy as np`, `rate = 0.2`. Nothing
hidden is among them, and which they are depends on the master alone.
"""

import ast
import builtins
import symtable
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from autograder.notebook.magics import without_magics
from autograder.submission import Cell, Kind

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_SHARED = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, *_DEFINITIONS)
_OF_PYTHON = frozenset(dir(builtins))


class Line(NamedTuple):
    """One statement: its text, empty if it does more; the names that it binds, those it needs."""

    text: str
    bound: frozenset[str]
    used: frozenset[str]


def shared_lines(cells: Sequence[Cell]) -> dict[str, str]:
    """The lines of each test that are to run beside the program, as text.

    >>> test = Cell("f-right", Kind.TEST, "rate = 2\\nwant = f(3)\\nassert want == 6")
    >>> shared_lines((Cell("f", Kind.STUDENT, "def f(x): return x * rate"), test))
    {'f-right': 'rate = 2'}
    """
    known, found = set(_OF_PYTHON), {}
    for cell in cells:
        if cell.kind is Kind.GIVEN:
            known |= {name for line in _lines(cell.source) for name in line.bound}
        elif cell.kind is Kind.TEST:
            lines = _alone(_lines(cell.shown), known)
            known |= {name for line in lines for name in line.bound}
            if lines:
                found[cell.id] = "\n".join(line.text for line in lines)
    return found


def _alone(lines: Sequence[Line], known: Collection[str]) -> Sequence[Line]:
    """The lines that need nothing of the program's; nor do others bind what they bind."""
    unfit: set[str] = set()
    while True:
        there, kept = set(known) - unfit, []
        for line in lines:
            if line.text and line.used <= there and unfit.isdisjoint(line.bound):
                there |= line.bound
                kept.append(line)
            else:
                unfit |= line.bound
        if all(unfit.isdisjoint(line.bound) for line in kept):
            return kept


@lru_cache(maxsize=1024)
def _lines(source: str) -> tuple[Line, ...]:
    """The statements of a cell of the master's that bind names."""
    try:
        body = ast.parse(without_magics(source)).body
    except (SyntaxError, ValueError):
        return ()
    return tuple(line for line in map(_line, body) if line.bound)


def _line(node: ast.stmt) -> Line:
    text = ast.unparse(node)
    tables = [symtable.symtable(text, "cell", "exec")]
    bound = {one.get_name() for one in tables[0].get_symbols() if one.is_assigned()}
    bound |= {one.get_name() for one in tables[0].get_symbols() if one.is_imported()}
    shared = text if isinstance(node, _SHARED) else ""
    own = bound if isinstance(node, _DEFINITIONS) else set()
    return Line(shared, frozenset(bound), frozenset(_asked(tables)) - own)


def _asked(tables: list[symtable.SymbolTable]) -> Iterator[str]:
    """The names of the notebook that a statement asks for, in its functions as well."""
    while tables:
        table = tables.pop()
        is_top = table.get_type() == "module"
        for one in table.get_symbols():
            if one.is_referenced() and (is_top or one.is_global()):
                yield one.get_name()
        tables += table.get_children()
