"""A learner's notebook: the names that its cells gave a meaning, and the text that did it."""

import ast
import builtins
import inspect
import linecache
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from course.mine.sources import bound_names, text_of

OF_JUPYTER = ("open", "exit", "quit")  # names of Python that mean something else in a notebook
INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


@dataclass(frozen=True)
class Binding:
    """The statement that last gave a name its meaning, and what later lines of cells do to it.

    `is_set_later` is true if they set something inside, as `sizes[2] = 4` does. `is_asked_later` is
    true if they call a method of it, as `sizes.append(4)` does, which may change it or not.
    """

    node: ast.stmt
    source: str
    is_set_later: bool
    is_asked_later: bool


@dataclass(frozen=True)
class Notebook:
    """The names of a notebook with their values, and the texts of the `cells` that were run.

    The cell that was run last comes first.
    """

    names: dict[str, Any]
    cells: tuple[str, ...]

    def name_of(self, piece: Any) -> str:
        """Return the name of a function or class in this notebook; if it has none, its own name.

        A decorator may have given it another name, and a lambda has none.
        """
        own = str(getattr(piece, "__name__", ""))
        if self.names.get(own) is piece:
            return own
        called = [name for name, value in self.names.items() if value is piece and name[0] != "_"]
        return called[-1] if called else own

    def binding(self, name: str) -> Binding | None:
        """Return the statement that gave a name its meaning last, in any cell; or `None`."""
        is_set = is_asked = False
        for node, source in (found for cell in self.cells for found in _statements(cell)):
            if name not in source:
                continue
            if name in bound_names(source):
                return Binding(node, source, is_set, is_asked)
            is_set = is_set or name in _names_set_inside(node)
            is_asked = is_asked or name in _names_asked(node)
        return None


def notebook_of(piece: Any) -> Notebook:
    """Return the notebook, or the file, that defines a function or class."""
    names = _names_around(piece)
    meant = {
        name: value
        for name, value in names.items()
        if name not in OF_JUPYTER or getattr(value, "__module__", "") == names.get("__name__")
    }
    cells = [cell for cell in reversed(names.get("In", [])) if isinstance(cell, str)]
    file = getattr(getattr(inspect.unwrap(piece), "__code__", None), "co_filename", "")
    return Notebook(meant, (*cells, "".join(linecache.getlines(file))))


def _names_around(piece: Any) -> dict[str, Any]:
    function = inspect.unwrap(piece)
    if isinstance(function, type):
        home = sys.modules.get(function.__module__)
        members = [getattr(each, "fget", each) for each in vars(function).values()]
        methods = [each for each in members if isinstance(each, FunctionType)]
        known = [each for each in methods if each.__module__ == function.__module__]
        names: dict[str, Any] = known[0].__globals__ if known else vars(home or builtins)
        return names
    return getattr(function, "__globals__", None) or vars(sys.modules["__main__"])


def _statements(cell: str) -> list[tuple[ast.stmt, str]]:
    """Return the statements of a cell with their texts, the last one first."""
    try:
        return [(node, text_of(node, cell)) for node in reversed(ast.parse(cell).body)]
    except SyntaxError:
        return []


def _names_set_inside(node: ast.AST) -> set[str]:
    return {
        _root(part)
        for part in _outside_functions(node)
        if isinstance(part, ast.Attribute | ast.Subscript) and not isinstance(part.ctx, ast.Load)
    }


def _names_asked(node: ast.AST) -> set[str]:
    return {
        _root(part.func)
        for part in _outside_functions(node)
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute)
    }


def _root(node: ast.AST) -> str:
    """Return the name at the start of `name.of[some].thing`; empty if there is none."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _outside_functions(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, INNER):
            yield from _outside_functions(child)
