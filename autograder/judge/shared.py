"""What a test sets for the program: in a notebook, all cells share their names.

No test runs in the jail. But of the lines that students were shown, those run there, too, that bind
a name which the program asks for, and that need nothing of the program's: `import numpy as np`,
`rate = 0.2`. Nothing hidden is among them.
"""

import ast
import symtable
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from autograder.notebook.magics import without_magics
from autograder.submission import Cell, Kind

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_SHARED = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, *_DEFINITIONS)


class Line(NamedTuple):
    """One statement: its text, the names that it binds, and those that it needs."""

    text: str
    bound: frozenset[str]
    used: frozenset[str]


class Shared:
    """What the tests of one submission set for its program."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        tests = [cell for cell in cells if cell.kind is Kind.TEST]
        lines = (line for cell in tests for line in _lines(cell.shown) if line.text)
        bound = {name for line in lines for name in line.bound}
        own = [cell.source for cell in cells if cell.kind is Kind.STUDENT]
        naming = [text for text in own if any(name in text for name in bound)]
        self._asked = bound & {name for text in naming for name in names_asked(text)}
        self._own = {name for text in own for name in _bound_in(text)} if self._asked else set()

    def lines_of(self, cell: Cell) -> str:
        """The lines of a test that are to run beside the program, as text.

        >>> cells = (Cell("f", Kind.STUDENT, "def f(x): return x * rate"),
        ...          Cell("f-right", Kind.TEST, "rate = 2\\nwant = 6\\nassert f(3) == want"))
        >>> Shared(cells).lines_of(cells[1])
        'rate = 2'
        """
        return "\n".join(_chosen(_lines(cell.shown), self._asked, self._own))


def _chosen(lines: Sequence[Line], asked: Collection[str], own: Collection[str]) -> list[str]:
    """The texts of the lines that bind what is asked for, and of those that these need."""
    needed, chosen = set(asked), []
    for line in reversed(_alone(lines, own)):
        if not needed.isdisjoint(line.bound):
            needed |= line.used
            chosen.append(line.text)
    return chosen[::-1]


def _alone(lines: Sequence[Line], own: Collection[str]) -> Sequence[Line]:
    """The lines that need nothing of the program's; nor do others bind what they bind."""
    while True:
        kept: list[Line] = []
        tied, unfit = set(own), set[str]()
        for line in lines:
            if line.text and tied.isdisjoint(line.used):
                tied -= line.bound
                kept.append(line)
            else:
                tied |= line.bound
                unfit |= line.bound
        lines = [line for line in kept if unfit.isdisjoint(line.bound)]
        if len(lines) == len(kept):
            return lines
        own = set(own) | unfit


@lru_cache(maxsize=1024)
def _lines(source: str) -> tuple[Line, ...]:
    """The statements of a cell that bind names; those that do more are without text."""
    try:
        body = ast.parse(without_magics(source)).body
    except (SyntaxError, ValueError):
        return ()
    return tuple(line for line in map(_line, body) if line.bound)


def _line(node: ast.stmt) -> Line:
    text = ast.unparse(node) if isinstance(node, _SHARED) else ""
    if isinstance(node, ast.Import | ast.ImportFrom):
        names = ((alias.asname or alias.name).partition(".")[0] for alias in node.names)
        return Line(text, frozenset(names), frozenset())
    bound = set(_names(node, ast.Store))
    if isinstance(node, _DEFINITIONS):
        bound = {node.name}
    return Line(text, frozenset(bound), frozenset(_names(node, ast.Load)))


def _names(node: ast.AST, context: type) -> Iterator[str]:
    for one in ast.walk(node):
        if isinstance(one, ast.Name) and isinstance(one.ctx, context):
            yield one.id


@lru_cache(maxsize=256)
def names_asked(source: str) -> frozenset[str]:
    """The names of the notebook that a cell asks for, in its functions as well."""
    try:
        return names_asked_in(without_magics(source))
    except (SyntaxError, ValueError):
        return frozenset()


def names_asked_in(source: str) -> frozenset[str]:
    """The names of others that a Python program asks for; raises `SyntaxError` if it is none."""
    tables = [symtable.symtable(source, "cell", "exec")]
    found = set()
    while tables:
        table = tables.pop()
        is_top = table.get_type() == "module"
        symbols = (one for one in table.get_symbols() if one.is_referenced())
        found |= {one.get_name() for one in symbols if is_top or one.is_global()}
        tables += table.get_children()
    return frozenset(found)


def _bound_in(source: str) -> Iterator[str]:
    try:
        table = symtable.symtable(without_magics(source), "cell", "exec")
    except (SyntaxError, ValueError):
        return iter(())
    return (one.get_name() for one in table.get_symbols() if one.is_assigned())
