"""Parts: the statements that make a function or class work in a file as in its notebook."""

import __future__

import ast
import builtins
import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from course.answers import same
from course.mine.notebook import Binding, Notebook
from course.mine.place import FILE
from course.mine.sources import bound_names, set_inside, source_of, stands_alone, used_names
from course.refusal import Refusal

FUTURE = "from __future__ import annotations"
OF_EVERY_MODULE = {"__name__", "__doc__", "__file__"}
OF_JUPYTER = {
    "display": "from IPython.display import display",
    "get_ipython": "from IPython import get_ipython",
}


@dataclass(frozen=True)
class Part:
    """A statement of a file, and the names that it gives a meaning."""

    source: str
    names: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", frozenset(bound_names(self.source)))


def parts_of(piece: str, notebook: Notebook, is_known: Callable[[str], bool]) -> list[Part]:
    """Return the parts that a function or class needs; the last is the function or class itself.

    `is_known` says of a name that the file needs nothing more for it. Raises `Refusal` if a name
    has no meaning in the notebook, or if its source is not known.
    """
    parts: dict[str, Part] = {}
    seen: set[str] = set()
    # A cell may have switched this import on for all cells after it.
    is_on = notebook.names.get("annotations") is __future__.annotations
    future = f"{FUTURE}\n" if is_on else ""

    def follow(name: str) -> None:
        part = Part(text_for(name, piece, notebook))
        seen.update(part.names, [name], OF_EVERY_MODULE)
        for other in sorted(used_names(future + part.source) - seen - set_inside(part.source)):
            seen.add(other)
            if is_known(other):
                continue
            if other in notebook.names or other in OF_JUPYTER:
                follow(other)
            elif not hasattr(builtins, other):
                raise Refusal(
                    f"{piece} is not kept, because {name} uses {other}, and {other} means nothing "
                    "in this notebook: define it, run its cell, and keep again."
                )
        parts[part.source] = part

    follow(piece)
    return [*([Part(FUTURE)] if future else []), *parts.values()]


def text_for(name: str, piece: str, notebook: Notebook) -> str:
    """Return the text that gives a name its meaning in the notebook.

    Raises `Refusal`, which says that `piece` is not kept, if there is no such text.
    """
    if name in OF_JUPYTER:
        return OF_JUPYTER[name]
    value = notebook.names[name]
    if _is_own(value, notebook) and value.__name__ == name:
        source = source_of(value)
        if source is not None:
            return source
        if not isinstance(value, type):  # a function of that name in a cell may be another one
            raise Refusal(_why_not(name, piece, None))
    _refuse_other_files(name, value, piece)
    binding = notebook.binding(name)
    plain = f"{name} = {value!r}" if _is_plain(value) else None
    if binding is not None and _is_enough(binding, plain is not None):
        return _as_written(name, binding)
    text = plain or _import_line(name, value)
    if text is None:
        raise Refusal(_why_not(name, piece, binding))
    return text


def _is_enough(binding: Binding, is_plain: bool) -> bool:
    """Return true if a statement alone makes a value.

    Only a plain value is taken to change by a call of a method.
    """
    is_changed = binding.is_set_later or (is_plain and binding.is_asked_later)
    return stands_alone(binding.node) and not is_changed


def _is_own(value: Any, notebook: Notebook) -> bool:
    """Return true if a function or class was written in the notebook."""
    written = isinstance(value, type) or isinstance(_unwrapped(value), FunctionType)
    return written and value.__module__ == notebook.names.get("__name__")


def _unwrapped(value: Any) -> Any:
    return inspect.unwrap(value) if callable(value) else value


def _refuse_other_files(name: str, value: Any, piece: str) -> None:
    """Raise `Refusal` for a value of the kept file, or of a file that other lessons do not find."""
    told = ""
    is_module = isinstance(value, ModuleType)
    home = value.__name__ if is_module else str(getattr(value, "__module__", None))
    if home == Path(FILE).stem:
        told = f"{name}, which is what was kept before: write it out in this notebook"
    elif home != "__main__" and _is_beside(sys.modules.get(home)):
        told = f"your file {home}.py, which other lessons do not find: copy it into this notebook"
    if told:
        raise Refusal(f"{piece} is not kept, because it needs {told}, and keep again.")


def _is_beside(module: ModuleType | None) -> bool:
    """Return true if a module is a file of the learner's own, beside the notebook."""
    file = getattr(module, "__file__", None)
    return file is not None and Path(file).parent == Path.cwd()


def _why_not(name: str, piece: str, binding: Binding | None) -> str:
    if binding is None:
        told = f"the source of {name} is not known any more: run its cell again"
    else:
        told = (
            f"one line alone does not make {name} what it is: give it its value in one line, as "
            f"{name} = …, run that cell"
        )
    needs = "" if name == piece else f"it needs {name}, and "
    return f"{piece} is not kept, because {needs}{told}, and keep again."


def _as_written(name: str, binding: Binding) -> str:
    """Return a statement as it was written; of an import of several names, only the one needed."""
    node = binding.node
    if isinstance(node, ast.Import | ast.ImportFrom) and len(node.names) > 1:
        alias = next(
            each for each in node.names if (each.asname or each.name).split(".")[0] == name
        )
        node.names[:] = [alias]
        return ast.unparse(node)
    return binding.source


def _import_line(name: str, value: Any) -> str | None:
    """Return the import that gives a name its value; `None` if it is not from another module."""
    if isinstance(value, ModuleType):
        return f"import {value.__name__}" + (f" as {name}" if name != value.__name__ else "")
    home, original = getattr(value, "__module__", None), getattr(value, "__name__", name)
    if home in (None, "__main__") or getattr(sys.modules.get(home), original, None) is not value:
        return None
    return f"from {home} import {original}" + (f" as {name}" if name != original else "")


def _is_plain(value: Any) -> bool:
    """Return true if a value can be written down."""
    try:
        return same(ast.literal_eval(repr(value)), value)
    except Exception:  # a learner's `repr` may do anything
        return False
