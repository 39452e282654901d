"""Finds the cells of a notebook that are needed to make an agent: a program that plays a game."""

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Any

from IPython.core.inputtransformer2 import TransformerManager

from autograder.jail.inside.names_in_code import names_of

CLASSES = ("Agent", "Player")  # of this course, and of the original platform

_TRANSFORMER: Any = TransformerManager()  # type: ignore[no-untyped-call]
_MEASURED = re.compile(r"\A%%(time|timeit|capture)\b.*(\n|\Z)")  # the cell itself is plain Python


class AgentCell:
    """A cell with the names that it binds, needs and changes, and with its imports."""

    def __init__(self, source: str) -> None:
        self.source = _MEASURED.sub("\n", source)
        self.bound: set[str] = set()
        self.needed: set[str] = set()
        self.changed: set[str] = set()
        self.imports = ""
        try:
            tree = ast.parse(_TRANSFORMER.transform_cell(self.source))
            for node in tree.body:
                changed = _changed_by(node)
                self.changed |= changed
                if changed and isinstance(node, ast.FunctionDef):
                    node.name = "_"  # the function becomes a method, so its name is not bound
            names = names_of(tree.body)
        except (SyntaxError, ValueError, RecursionError):
            # if the agent is in this cell, running it shows the error
            self.bound = {kind for kind in CLASSES if f"class {kind}" in source}
            return
        imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        self.imports = "\n".join(map(ast.unparse, imports))
        self.bound |= names.bound - names_of(imports).bound
        self.needed |= names.needed


def _at_once(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a statement and what is in it, but not the bodies of functions, which run later."""
    yield node
    later: list[Any] = []
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        later = node.body if isinstance(node.body, list) else [node.body]
    for child in ast.iter_child_nodes(node):
        if child not in later:
            yield from _at_once(child)


def _changed_by(statement: ast.stmt) -> set[str]:
    """Return the names whose objects a statement changes, such as `a` in `a.b = c` or `a[b] = c`.

    For a function, these are the names in its decorators, as in `@add_to(Agent)`. A statement that
    only calls a method, `a.b()`, counts, because it may change the object `a`.
    """
    parts: list[ast.expr] = []
    if isinstance(statement, ast.FunctionDef):
        for decorator in statement.decorator_list:
            parts += [part for part in ast.walk(decorator) if isinstance(part, ast.Name)]
    for node in _at_once(statement):
        if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            parts.append(node)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            function = node.value.func
            parts += [function] if isinstance(function, ast.Attribute) else []
    owners = set()
    for part in parts:  # `a`, for `a.b[c]`
        while isinstance(part, ast.Attribute | ast.Subscript):
            part = part.value
        owners |= {part.id} if isinstance(part, ast.Name) else set()
    return owners


def needed_cells(sources: Sequence[str]) -> list[tuple[int, str]]:
    """Return what to run of a notebook's cells, as pairs: the cell's number, and a text.

    The text is the whole cell for the last cell that defines the agent, and for all cells that it
    needs. Of any other cell, the text has only the imports, if there are any. Without an agent, the
    list is empty.
    """
    cells = [AgentCell(source) for source in sources]
    agents = [n for kind in reversed(CLASSES) for n, cell in enumerate(cells) if kind in cell.bound]
    waiting, needed = agents[-1:], set[int]()
    while waiting:
        number = waiting.pop()
        if number in needed:
            continue
        needed.add(number)
        cell = cells[number]
        for name in cell.needed:
            end = number if name in cell.bound else len(cells)
            waiting += [n for n, other in enumerate(cells[:end]) if name in other.bound][-1:]
        for name in cell.bound:
            waiting += [n for n, other in enumerate(cells) if name in other.changed and n > number]
    return [
        (number, cell.source if number in needed else cell.imports)
        for number, cell in enumerate(cells)
        if needed and (number in needed or cell.imports)
    ]
