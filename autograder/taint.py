"""Names that only the student's process has: what uses them, its code could have changed."""

import ast
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress

from autograder.judge.namespace import mentioned
from autograder.notebook.magics import as_python, is_cell_magic, without_magics
from autograder.submission import Cell, Kind


def tests_that_use(given: Collection[str], cells: Sequence[Cell]) -> dict[str, str]:
    """Test → why it must run inside: it uses what a given cell binds that runs inside only.

    `given` are the ids of these cells. Names that helpers outside take from there count, too.
    """
    code = [cell for cell in cells if cell.cell_type == "code"]
    ours = [cell for cell in code if cell.kind in (Kind.GIVEN, Kind.TEST) and cell.id not in given]
    kept = {name for cell in ours if cell.kind is Kind.GIVEN for name in _bound_in(cell)}
    answered = {name for cell in code if cell.kind is Kind.STUDENT for name in _bound_in(cell)}
    inside = {name for cell in code if cell.id in given for name in _bound_in(cell)}
    found = _spread(inside - kept - answered, ours)
    used = {cell.id: found & _used(cell) for cell in ours if cell.kind is Kind.TEST}
    return {
        test: f"it uses {min(names)}, which needs a given cell that runs inside only"
        for test, names in used.items()
        if names
    }


def _spread(names: set[str], cells: Sequence[Cell]) -> set[str]:
    """The names, and all that top-level statements make of them."""
    statements = [node for cell in cells for node in _body(cell)]
    before = -1
    while names and len(names) != before:
        before = len(names)
        for node in statements:
            if names & mentioned(node):
                names |= set(_bound(node))
    return names


def _body(cell: Cell) -> list[ast.stmt]:
    """The statements of a cell, also below a cell magic; none where they are no Python."""
    source = cell.source.lstrip().partition("\n")[2] if is_cell_magic(cell.source) else cell.source
    for read in (without_magics, as_python):  # the second reads `names = !ls`, too
        with suppress(SyntaxError, ValueError):
            return ast.parse(read(source)).body
    return []


def _used(cell: Cell) -> set[str]:
    return mentioned(ast.Module(_body(cell), []))


def _bound_in(cell: Cell) -> Iterator[str]:
    for node in _body(cell):
        yield from _bound(node)


def _bound(node: ast.stmt) -> Iterator[str]:
    """The names that a statement binds; a module is the real one on both sides."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.ImportFrom):
        yield from (alias.asname or alias.name for alias in node.names)
    else:
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                yield part.id
