"""Sources: the text of a function or class, the names it uses, and the names it gives a meaning."""

import ast
import inspect
import linecache
import textwrap
from collections.abc import Iterator
from symtable import SymbolTable, symtable
from types import FunctionType
from typing import Any

from course.mine.grown import whole

COMPREHENSIONS = ("listcomp", "setcomp", "dictcomp", "genexpr")


def source_of(piece: Any) -> str | None:
    """Return the source of a function or class, with its decorators, also if a cell defines it.

    Returns `None` if it is not known. A class without methods and properties of its own does not
    know where it is from.
    """
    function = inspect.unwrap(piece)
    try:
        if not isinstance(function, type):
            return textwrap.dedent(inspect.getsource(function)).rstrip()
        for member in vars(function).values():
            method = member.fget if isinstance(member, property) else member
            if isinstance(method, FunctionType):
                text = "".join(linecache.getlines(method.__code__.co_filename))
                for node in ast.parse(text).body:
                    if isinstance(node, ast.ClassDef) and node.name == function.__name__:
                        return whole(function, node, text, method.__code__.co_filename)
    except (OSError, TypeError, SyntaxError):
        pass
    return None


def text_of(node: ast.stmt, text: str) -> str:
    """Return the lines of a statement, with its decorators."""
    return "\n".join(text.split("\n")[first_line(node) - 1 : node.end_lineno])


def first_line(node: ast.stmt) -> int:
    """Return the number of the first line of a statement, which is that of its first decorator."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


def stands_alone(node: ast.stmt) -> bool:
    """Return true if a statement only gives names a meaning, and so may stand elsewhere."""
    if isinstance(node, ast.Assign):
        every = [part for target in node.targets for part in ast.walk(target)]
        return not any(isinstance(part, ast.Attribute | ast.Subscript) for part in every)
    if isinstance(node, ast.AnnAssign):
        return node.value is not None and isinstance(node.target, ast.Name)
    one = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
    return isinstance(node, one) or type(node).__name__ == "TypeAlias"


def used_names(source: str) -> set[str]:
    """Return the names that source takes from outside its functions.

    >>> sorted(used_names("def f(line=START): return g(line) + [ZERO]"))
    ['START', 'ZERO', 'g']
    """
    return set(_used(symtable(source, "source", "exec"), lazily=True))


def names_used_at_once(source: str) -> set[str]:
    """Return the names that need a meaning when source is run, before any function is called.

    >>> sorted(names_used_at_once("class Mine(Base):\\n    def f(self): return g(self)"))
    ['Base']
    """
    return set(_used(symtable(source, "source", "exec"), lazily=False))


def bound_names(source: str) -> set[str]:
    """Return the names that source gives a meaning at its top level.

    >>> sorted(bound_names("from random import choice as pick"))
    ['pick']
    >>> sorted(bound_names("low, (high, *rest) = values"))
    ['high', 'low', 'rest']
    """
    table = symtable(source, "source", "exec")
    return {
        symbol.get_name()
        for symbol in table.get_symbols()
        if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()
    }


def set_inside(source: str) -> set[str]:
    """Return the names that functions in the source set for all, with `global`."""
    return set(_set_inside(symtable(source, "source", "exec")))


def _used(table: SymbolTable, lazily: bool) -> Iterator[str]:
    for symbol in table.get_symbols():
        if symbol.is_referenced() and (symbol.is_global() or table.get_type() == "module"):
            yield symbol.get_name()
    for inner in table.get_children():
        if lazily or inner.get_type() != "function" or inner.get_name() in COMPREHENSIONS:
            yield from _used(inner, lazily)


def _set_inside(table: SymbolTable) -> Iterator[str]:
    for inner in table.get_children():
        for symbol in inner.get_symbols():
            if symbol.is_declared_global() and symbol.is_assigned():
                yield symbol.get_name()
        yield from _set_inside(inner)
