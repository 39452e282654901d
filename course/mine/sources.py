"""Sources: the text of a function or class, what else it needs, and its place in a file."""

import ast
import inspect
import sys
import textwrap
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from symtable import SymbolTable, symtable
from types import FunctionType, ModuleType
from typing import Any

from course.mine.grown import whole


@dataclass(frozen=True)
class Part:
    """One name of a file and the source that gives it its meaning."""

    name: str
    source: str


def parts_of(piece: Any, without: Collection[str] = ()) -> list[Part]:
    """A function or class, after the helpers, values and imports that it needs.

    Names in `without` are not followed. Raises `ValueError` where a source is not known.
    """
    parts: dict[str, Part] = {}
    seen = {piece.__name__, *without}

    def need(name: str, value: Any) -> None:
        line = _import_line(name, value)
        if line is None and _is_plain(value):
            line = f"{name} = {value!r}"
        if line is not None:
            parts[name] = Part(name, line)
        elif isinstance(value, FunctionType | type):
            follow(name, value)

    def follow(name: str, value: Any) -> None:
        source, known = source_of(value), _globals(value)
        for other in sorted(global_names(source) & known.keys() - seen):
            seen.add(other)
            need(other, known[other])
        parts[name] = Part(name, source)

    follow(piece.__name__, piece)
    return list(parts.values())


def source_of(piece: Any) -> str:
    """The source of a function or class, also of one that a notebook cell defines.

    Raises `ValueError` if it is not known.
    """
    try:
        function = inspect.unwrap(piece)
        if not isinstance(function, type):
            return textwrap.dedent(inspect.getsource(function)).rstrip()
        # A class does not know the cell it is from, but its methods do.
        method = _method(function)
        text = "".join(inspect.findsource(method)[0])
        start, end = _spans(text)[function.__name__]
        body = _cut(text, (start, end))
        return whole(function, body, method.__code__.co_filename, range(start + 1, end + 1))
    except (OSError, TypeError, SyntaxError, KeyError, StopIteration):
        raise ValueError(
            f"the source of {piece.__name__} is not known any more: run its cell again"
        ) from None


def put(text: str, part: Part) -> tuple[str, str]:
    """A part is put into the text of a Python file, in the place of what has its name.

    Returns the new text, and the source that was replaced (empty if none was). Raises
    `SyntaxError` if the text is not Python.

    >>> put("import random\\n\\n\\ndef f(): return 1\\n", Part("f", "def f(): return 2"))
    ('import random\\n\\n\\ndef f(): return 2\\n', 'def f(): return 1')
    """
    spans = _spans(text)
    lines = text.splitlines()
    if part.name in spans:
        start, end = spans[part.name]
        old = _cut(text, (start, end))
        lines[start:end] = part.source.splitlines()
        return "\n".join(lines) + "\n", "" if old == part.source else old
    if part.source.startswith(("def ", "class ", "@", "async ")):
        return text.rstrip() + f"\n\n\n{part.source}\n", ""
    lines.insert(_after_imports(text), part.source)
    return "\n".join(lines) + "\n", ""


def global_names(source: str) -> set[str]:
    """The names that source takes from outside its functions.

    >>> sorted(global_names("def f(line): return g(line) + [ZERO]"))
    ['ZERO', 'g']
    """
    return set(_global_names(symtable(source, "source", "exec")))


def _global_names(table: SymbolTable) -> Iterator[str]:
    for symbol in table.get_symbols():
        if symbol.is_referenced() and (symbol.is_global() or table.get_type() == "module"):
            yield symbol.get_name()
    for inner in table.get_children():
        yield from _global_names(inner)


def _globals(piece: Any) -> dict[str, Any]:
    function = inspect.unwrap(piece)
    if isinstance(function, type):
        function = _method(function)
    names: dict[str, Any] = function.__globals__
    return names


def _method(some_class: type) -> FunctionType:
    return next(value for value in vars(some_class).values() if isinstance(value, FunctionType))


def _import_line(name: str, value: Any) -> str | None:
    """How a name came to mean something of another module; `None` if it did not."""
    if isinstance(value, ModuleType):
        return f"import {value.__name__}" + (f" as {name}" if name != value.__name__ else "")
    home, original = getattr(value, "__module__", None), getattr(value, "__name__", name)
    if home in (None, "__main__") or getattr(sys.modules.get(home), original, None) is not value:
        return None
    return f"from {home} import {original}" + (f" as {name}" if name != original else "")


def _is_plain(value: Any) -> bool:
    """Whether a value can be written down."""
    try:
        return bool(ast.literal_eval(repr(value)) == value)
    except (ValueError, SyntaxError, RecursionError):
        return False


def _spans(text: str) -> dict[str, tuple[int, int]]:
    """The names that a file defines at its top, each with its lines, as a slice."""
    spans = {}
    for node in ast.parse(text).body:
        start = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))])
        for name in _defined(node):
            spans[name] = (start - 1, node.end_lineno or start)
    return spans


def _defined(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Import | ast.ImportFrom) and len(node.names) == 1:
        return [node.names[0].asname or node.names[0].name]
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        return [node.targets[0].id] if isinstance(node.targets[0], ast.Name) else []
    return []


def _after_imports(text: str) -> int:
    imports = [
        node for node in ast.parse(text).body if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    return imports[-1].end_lineno or 0 if imports else 0


def _cut(text: str, lines: tuple[int, int]) -> str:
    return "\n".join(text.splitlines()[slice(*lines)])
