"""A class that grew cell by cell, written down as one ordinary class."""

import ast
import inspect
import textwrap
from types import FunctionType

from course.mine.add_to import add_to
from course.refusal import Refusal


def whole(some_class: type, node: ast.ClassDef, text: str, file: str) -> str:
    """Return the source of a class, with the methods that were added to it from outside.

    `node` is its `class` statement in the text of `file`. An added method takes the place of a
    method with the same name. Raises `Refusal` for a part that has no `def` of its own name.
    """
    first = min([node.lineno, *(line.lineno for line in node.decorator_list)])
    lines = range(first, (node.end_lineno or first) + 1)
    body = "\n".join(text.split("\n")[first - 1 : node.end_lineno])
    added = {}
    for name, part in vars(some_class).items():
        function = part.fget if isinstance(part, property) else part
        if isinstance(function, FunctionType) and not _stands(function, file, lines):
            added[name] = _method(some_class, name, function)
    return "\n\n".join([_without(body, set(added)), *added.values()])


def _stands(function: FunctionType, file: str, lines: range) -> bool:
    """Return true if a function stands in these lines of a file (counted from 1)."""
    return function.__code__.co_filename == file and function.__code__.co_firstlineno in lines


def _method(some_class: type, name: str, function: FunctionType) -> str:
    """Return the source of an added method as it stands inside a class."""
    source = textwrap.dedent(inspect.getsource(function)).rstrip()
    [node] = ast.parse(source).body
    if not isinstance(node, ast.FunctionDef) or node.name != name:
        raise Refusal(
            f"{some_class.__name__}.{name} cannot be kept: write it with def {name} below "
            f"@add_to({some_class.__name__})"
        )
    kept = [line for line in node.decorator_list if not _adds(line, function)]
    first = min([node.lineno, *(line.lineno for line in kept)])
    return textwrap.indent("\n".join(source.splitlines()[first - 1 :]), "    ")


def _adds(decorator: ast.expr, function: FunctionType) -> bool:
    """Return true if a decorator is `add_to(...)`, under whatever name the notebook knows it."""
    called = decorator.func if isinstance(decorator, ast.Call) else None
    if isinstance(called, ast.Name):
        return function.__globals__.get(called.id) is add_to
    return isinstance(called, ast.Attribute) and called.attr == add_to.__name__


def _without(body: str, names: set[str]) -> str:
    """Return the source of a class without its methods of these names."""
    [node] = ast.parse(body).body
    assert isinstance(node, ast.ClassDef)
    lines: list[str | None] = list(body.splitlines())
    for part in node.body:
        if isinstance(part, ast.FunctionDef) and part.name in names:
            first = min([part.lineno, *(line.lineno for line in part.decorator_list)])
            lines[first - 1 : part.end_lineno] = [None] * ((part.end_lineno or first) - first + 1)
    return "\n".join(line for line in lines if line is not None).rstrip()
