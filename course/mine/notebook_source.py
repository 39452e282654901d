"""A learner's notebook: the values of its names, and the source that a function needs from it."""

import __future__

import ast
import builtins
import inspect
import linecache
import sys
import tokenize
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from course.answer_comparison import same
from course.mine.add_to_class import add_to
from course.mine.load_own_file import FILE
from course.mine.source_statements import Block, blocks_of, first_line, stands_alone
from course.refusal import Refusal

FUTURE = "from __future__ import annotations"
OF_EVERY_MODULE = {"__name__", "__doc__", "__file__"}
OF_PYTHON = ("open", "exit", "quit")  # in a notebook, these have other values than in a file
OF_JUPYTER = {
    "display": "from IPython.display import display",
    "get_ipython": "from IPython import get_ipython",
}
INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


@dataclass(frozen=True)
class Notebook:
    """The names of a notebook with their values, and its cells as texts, the last cell first."""

    names: dict[str, Any]
    cells: tuple[str, ...]

    def name_of(self, piece: Any) -> str:
        """Return the name by which the notebook knows a function or class, or else its `__name__`.

        The two differ for a lambda, and if a decorator has changed `__name__`.
        """
        own = str(getattr(piece, "__name__", ""))
        if self.names.get(own) is piece:
            return own
        called = [name for name, value in self.names.items() if value is piece and name[0] != "_"]
        return called[-1] if called else own

    def binding(self, name: str) -> tuple[Block | None, bool, bool]:
        """Return the last statement that defined a name, and two booleans on later statements.

        The first boolean is true if a later statement sets something inside the name's value, as
        `sizes[2] = 4` does. The second is true if a later statement calls a method of the value, as
        `sizes.append(4)` does. If no statement defined the name, `None` is in its place.
        """
        is_set = is_asked = False
        for cell in self.cells:
            blocks: list[Block] = []
            with suppress(SyntaxError):  # a cell that is not Python
                blocks = blocks_of(cell)[0]
            for block in reversed(blocks):
                if name not in block.source:
                    continue
                if name in block.names:
                    return block, is_set, is_asked
                for part in _outside_functions(block.statements):
                    if isinstance(part, ast.Attribute | ast.Subscript) and _root(part) == name:
                        is_set = is_set or not isinstance(part.ctx, ast.Load)
                    if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
                        is_asked = is_asked or _root(part.func) == name
        return None, is_set, is_asked


def notebook_of(piece: Any) -> Notebook:
    """Return a `Notebook` for the notebook, or the file, that defines a function or class."""
    function = inspect.unwrap(piece)
    known = [getattr(function, "__globals__", None) or vars(sys.modules["__main__"])]
    if isinstance(function, type):
        home = function.__module__
        known = [each.__globals__ for _, each in _methods(function) if each.__module__ == home]
        known.append(vars(sys.modules.get(home) or builtins))
    names = known[0]
    meant = {
        name: value
        for name, value in names.items()
        if name not in OF_PYTHON or getattr(value, "__module__", "") == names.get("__name__")
    }
    cells = [cell for cell in reversed(names.get("In", [])) if isinstance(cell, str)]
    file = getattr(getattr(function, "__code__", None), "co_filename", "")
    return Notebook(meant, (*cells, "".join(linecache.getlines(file))))


def parts_of(piece: str, notebook: Notebook, is_known: Callable[[str], bool]) -> list[Block]:
    """Return the statements to save for a function or class; the last is its own definition.

    `is_known` is called with a name, and returns true if nothing must be saved for that name.
    Raise `Refusal` if a name is not defined in the notebook, or if its source is not known.
    """
    parts: dict[str, Block] = {}
    seen: set[str] = set()
    # If a cell has run the import `FUTURE`, this import is in force for all later cells.
    is_on = notebook.names.get("annotations") is __future__.annotations
    future = f"{FUTURE}\n" if is_on else ""

    def follow(name: str) -> None:
        part = Block(text_for(name, piece, notebook))
        seen.update(part.names, [name], OF_EVERY_MODULE)
        # A `global` name that no cell gives a value need not be there before the function runs.
        made = {each for each in part.sets_for_all if notebook.binding(each)[0] is None}
        # `calls += 1` reads a `global` name, too, but Python's table of symbols does not say so.
        nodes = [node for each in part.statements for node in ast.walk(each)]
        counted = {ast.unparse(node.target) for node in nodes if isinstance(node, ast.AugAssign)}
        uses = Block(future + part.source).uses | (part.sets_for_all & counted)
        for other in sorted(uses - seen - made):
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
    return [*([Block(FUTURE)] if future else []), *parts.values()]


def text_for(name: str, piece: str, notebook: Notebook) -> str:
    """Return a statement that gives `name` its value; raise `Refusal` if there is none.

    The message of the `Refusal` says that `piece` is not kept.
    """
    if name in OF_JUPYTER:
        return OF_JUPYTER[name]
    value = notebook.names[name]
    unwrapped = inspect.unwrap(value) if callable(value) else value
    is_written, is_grown = isinstance(value, type) or isinstance(unwrapped, FunctionType), False
    if is_written and value.__module__ == notebook.names.get("__name__") and value.__name__ == name:
        source = source_of(value, notebook)
        if source is not None:
            return source
        if not isinstance(value, type):  # cells may define another function of that name
            raise _refusal(name, piece, is_known=False)
        is_grown = any(_methods(value))
    _refuse_other_files(name, value, piece)
    block, is_set, is_asked = notebook.binding(name)
    plain = f"{name} = {value!r}" if _is_plain(value) else None
    # A call of a method counts as a change only if the value is plain.
    is_changed = is_set or is_grown or (plain is not None and is_asked)
    if block is not None and stands_alone(block.statements[-1]) and not is_changed:
        return _as_written(name, block)
    text = plain or _import_line(name, value)
    if text is None:
        raise _refusal(name, piece, is_known=block is not None, is_class=isinstance(value, type))
    return text


def source_of(piece: Any, notebook: Notebook | None = None) -> str | None:
    """Return the source of a function or class, with its decorators; `None` if it is not known.

    A class that was written cell by cell with `add_to` is returned as one ordinary class. Its
    `class` statement is looked for first in the cells of its methods and properties, and then in
    `notebook`; but not in `notebook` if a later statement sets something inside the class.
    """
    function = inspect.unwrap(piece)
    try:
        if not isinstance(function, type):
            return _indented(inspect.getsource(function))
        files = [method.__code__.co_filename for _, method in _methods(function)]
        cells = [(file, "".join(linecache.getlines(file))) for file in files]
        block, is_set, _ = notebook.binding(function.__name__) if notebook else (None, False, False)
        cells += [("", block.source)] if block is not None and not is_set else []
        for file, text in cells:
            for node in ast.parse(text).body:
                if isinstance(node, ast.ClassDef) and node.name == function.__name__:
                    return _whole_class(function, node, text, file)
    except (OSError, TypeError, SyntaxError, tokenize.TokenError):
        pass
    return None


def _methods(some_class: type) -> Iterator[tuple[str, FunctionType]]:
    """Yield (name, function) for each method and property that a class itself defines.

    Leave out methods that Python has made, such as the `__init__` of a `@dataclass`.
    """
    for name, member in vars(some_class).items():
        function = member.fget if isinstance(member, property) else member
        if isinstance(function, FunctionType):
            code = getattr(inspect.unwrap(function), "__code__", function.__code__)
            is_ours = function.__module__ == some_class.__module__
            if not name.startswith("_") or (is_ours and linecache.getlines(code.co_filename)):
                yield name, function


def _whole_class(some_class: type, node: ast.ClassDef, text: str, file: str) -> str:
    """Return the source of a class, with the methods that other cells have added to it.

    `node` is the `class` statement in `text`, the text of `file`. An added method replaces one of
    the same name in that statement.
    """
    lines, first = text.split("\n"), node.body[0]
    numbers = range(first_line(node), (node.end_lineno or 0) + 1)
    margin = lines[first.lineno - 1][: first.col_offset]
    is_one_line = bool(margin.strip())  # as in `class Game: pass`
    functions = [each for each in node.body if isinstance(each, ast.FunctionDef)]
    decorated = {each.name for each in functions if each.decorator_list}
    added: dict[str, str] = {}
    for name, method in _methods(some_class):
        code = method.__code__
        is_wrapped = name in decorated and method.__name__ != name  # by a decorator of another cell
        is_here = code.co_filename == file and code.co_firstlineno in numbers
        if not is_here and not is_wrapped:
            added[name] = _added_method(some_class, name, method, "    " if is_one_line else margin)
    replaced = {
        number
        for part in functions
        if part.name in added
        for number in range(first_line(part), (part.end_lineno or 0) + 1)
    }
    body = "\n".join(lines[number - 1] for number in numbers if number not in replaced)
    body = ast.unparse(node) if added and is_one_line else body.rstrip()
    return "\n\n".join([body, *added.values()])


def _added_method(some_class: type, name: str, function: FunctionType, by: str) -> str:
    """Return the source of an added method, indented by `by`, without `@add_to(...)`."""
    source, node = "", None
    with suppress(OSError, SyntaxError, tokenize.TokenError):
        source = _indented(inspect.getsource(function))
        [node] = ast.parse(source).body
    if not isinstance(node, ast.FunctionDef) or node.name != name:
        raise Refusal(
            f"{some_class.__name__}.{name} cannot be kept: write it with def {name} below "
            f"@add_to({some_class.__name__})"
        )
    first = node.lineno
    for line in node.decorator_list:
        called = line.func if isinstance(line, ast.Call) else None
        if isinstance(called, ast.Name):  # under whatever name `add_to` was imported
            is_added = function.__globals__.get(called.id) is add_to
        else:
            is_added = isinstance(called, ast.Attribute) and called.attr == add_to.__name__
        first = first if is_added else min(first, line.lineno)
    return _indented("\n".join(source.split("\n")[first - 1 :]), by)


def _indented(source: str, by: str = "") -> str:
    """Return the source of a function with its first line indented by `by`, and the rest to match.

    Lines that begin inside a text in quotes stay as they are.
    """
    tokens = tokenize.generate_tokens(StringIO(source).readline)
    inside = {row for each in tokens for row in range(each.start[0] + 1, each.end[0] + 1)}
    margin = source[: len(source) - len(source.lstrip())]
    lines = source.rstrip().split("\n")
    for row, line in enumerate(lines, 1):
        if row not in inside:
            lines[row - 1] = by + line.removeprefix(margin) if line.strip() else ""
    return "\n".join(lines)


def _refuse_other_files(name: str, value: Any, piece: str) -> None:
    """Raise `Refusal` if a value is from `my_2048.py` or another file in the current folder."""
    is_module = isinstance(value, ModuleType)
    home = value.__name__ if is_module else str(getattr(value, "__module__", None))
    file = getattr(sys.modules.get(home), "__file__", None)
    if home == Path(FILE).stem:
        told = f"{name}, which is what was kept before: write it out in this notebook"
    elif home != "__main__" and file is not None and Path(file).parent == Path.cwd():
        told = f"your file {home}.py, which other lessons do not find: copy it into this notebook"
    else:
        return
    raise Refusal(f"{piece} is not kept, because it needs {told}, and keep again.")


def _refusal(name: str, piece: str, is_known: bool, is_class: bool = False) -> Refusal:
    """Return the `Refusal` to keep `piece`, because no single statement gives `name` its value.

    `is_known` is true if the notebook has a statement that defines `name`.
    """
    told = f"the source of {name} is not known any more: run its cell again"
    if is_known and is_class:
        told = (
            f"its cell alone does not make {name} what it is: write all of it there, run that cell"
        )
    elif is_known:
        told = (
            f"one line alone does not make {name} what it is: give it its value in one line, as "
            f"{name} = …, run that cell"
        )
    needs = "" if name == piece else f"it needs {name}, and "
    return Refusal(f"{piece} is not kept, because {needs}{told}, and keep again.")


def _as_written(name: str, block: Block) -> str:
    """Return the text of a block; if it imports several names, only the import of `name`."""
    imports = block.imports
    for node, alias in imports if len(imports) > 1 else []:
        if (alias.asname or alias.name).split(".")[0] == name:
            node.names[:] = [alias]
            return ast.unparse(node)
    return block.source


def _import_line(name: str, value: Any) -> str | None:
    """Return the import that gives a name its value; `None` if it cannot be imported."""
    if isinstance(value, ModuleType):
        return f"import {value.__name__}" + (f" as {name}" if name != value.__name__ else "")
    home, original = getattr(value, "__module__", None), getattr(value, "__name__", name)
    if home in (None, "__main__") or getattr(sys.modules.get(home), original, None) is not value:
        return None
    return f"from {home} import {original}" + (f" as {name}" if name != original else "")


def _is_plain(value: Any) -> bool:
    """Return true if a value equals the Python literal that its `repr` gives, as `[2, 4]` does."""
    try:
        return same(ast.literal_eval(repr(value)), value)
    except Exception:  # a learner's `repr` may do anything
        return False


def _root(node: ast.AST) -> str:
    """Return the first name of an expression, as `a` of `a.b[c].d`; `""` if it begins otherwise."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _outside_functions(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    for node in nodes:
        yield node
        inner = (each for each in ast.iter_child_nodes(node) if not isinstance(each, INNER))
        yield from _outside_functions(inner)
