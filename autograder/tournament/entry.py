"""An agent that was handed in: what of its file is run, in which form it is."""

import ast
import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from errno import ENOENT
from pathlib import Path
from symtable import Symbol, SymbolTable, symtable
from typing import Any

from IPython.core.inputtransformer2 import TransformerManager

from autograder.notebook.reading import Unreadable, printable, read_bytes, read_notebook

CLASSES = ("Agent", "Player")  # of this course, and of the original platform
SUFFIXES = (".py", ".ipynb")

_TRANSFORMER: Any = TransformerManager()  # type: ignore[no-untyped-call]


@dataclass(frozen=True)
class Entry:
    """An agent by its name. `sources` are (name, text) of what is run, in order."""

    name: str
    sources: tuple[tuple[str, str], ...]
    is_notebook: bool = False

    @property
    def digest(self) -> str:
        """A fingerprint of all that its answers depend on."""
        text = json.dumps([self.sources, self.is_notebook])
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def read_entries(places: Iterable[Path]) -> tuple[list[Entry], list[tuple[str, str]]]:
    """The agents in files and folders by name, and what was left out, each with the reason."""
    files = _files(places)
    names = _names(files)
    entries, left_out = [], []
    for path, name in zip(files, names, strict=True):
        try:
            entries.append(read_entry(path, name))
        except Unreadable as reason:
            left_out.append((printable(str(path)), str(reason)))
    return sorted(entries, key=lambda entry: entry.name), left_out


def read_entry(path: Path, name: str) -> Entry:
    """The agent in a file of Python, or in a notebook; raises `Unreadable` if there is none."""
    if path.suffix == ".py":
        text = read_bytes(path).decode("utf-8", "replace").removeprefix("\ufeff")
        if not any(f"class {kind}" in text for kind in CLASSES):
            raise Unreadable("it defines neither a class Agent nor a class Player")
        return Entry(name, ((path.name, text),))
    notebook, _ = read_notebook(path)
    cells = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    sources = _needed(cells)
    if not sources:
        raise Unreadable("no cell of it defines a class Agent")
    return Entry(name, tuple((f"cell {number + 1}", text) for number, text in sources), True)


class _Cell:
    """A cell: the names that it binds, needs and changes, and its imports."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.bound: set[str] = set()
        self.needed: set[str] = set()
        self.changed: set[str] = set()
        self.imports = ""
        try:
            text = _TRANSFORMER.transform_cell(source)
            tree, names = ast.parse(text), symtable(text, "cell", "exec")
        except (SyntaxError, ValueError, RecursionError):
            # it can not be taken apart; if it is the agent's, running it says why
            self.bound = {kind for kind in CLASSES if f"class {kind}" in source}
            return
        self.bound = {one.get_name() for one in names.get_symbols() if _is_bound(one)}
        imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        self.imports = "\n".join(map(ast.unparse, imports))
        for node in tree.body:
            changed = _changed_by(node)
            self.changed |= changed
            if changed and isinstance(node, ast.FunctionDef):
                self.bound.discard(node.name)  # it is a method; the name keeps its meaning
        self.needed = ({*_asked_for(names)} - self.bound) | (_read_first(tree) & self.bound)


def _is_bound(symbol: Symbol) -> bool:
    return (symbol.is_assigned() or symbol.is_namespace()) and not symbol.is_imported()


def _asked_for(names: SymbolTable) -> Iterator[str]:
    """The names of the notebook that a cell asks for, in its functions and classes as well."""
    for symbol in names.get_symbols():
        if symbol.is_referenced() and (names.get_type() != "function" or symbol.is_global()):
            yield symbol.get_name()
    for inner in names.get_children():
        yield from _asked_for(inner)


def _read_first(tree: ast.Module) -> set[str]:
    """The names that a cell reads before it binds them, as in `class Agent(Agent)` or `n += 1`."""
    bound, read = set[str](), set[str]()
    for statement in tree.body:
        parts = [*_at_once(statement)]
        adds = [part.target for part in parts if isinstance(part, ast.AugAssign)]
        named = [part for part in parts if isinstance(part, ast.Name)]
        read |= {
            name.id for name in named if isinstance(name.ctx, ast.Load) or name in adds
        } - bound
        bound |= {name.id for name in named if isinstance(name.ctx, ast.Store)}
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            bound.add(statement.name)
    return read


def _at_once(node: ast.AST) -> Iterator[ast.AST]:
    """A statement and what is in it, without the bodies of functions: they run later."""
    yield node
    later: list[Any] = []
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        later = node.body if isinstance(node.body, list) else [node.body]
    for child in ast.iter_child_nodes(node):
        if child not in later:
            yield from _at_once(child)


def _changed_by(statement: ast.stmt) -> set[str]:
    """The names whose objects a statement changes: `@add_to(Agent)`, `a.b = c`, `a[b] = c`, `a.b()`.

    A statement that only calls a method may change its object.
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
    return {part.id for part in map(_owner, parts) if isinstance(part, ast.Name)}


def _owner(part: ast.expr) -> ast.expr:
    """What an attribute or an item is of: `a`, for `a.b[c]`."""
    while isinstance(part, ast.Attribute | ast.Subscript):
        part = part.value
    return part


def _needed(sources: Sequence[str]) -> list[tuple[int, str]]:
    """The last cell that defines an agent, the cells that it needs, and the imports of all."""
    cells = [_Cell(source) for source in sources]
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


def _files(places: Iterable[Path]) -> list[Path]:
    """The files that may hold agents, those of folders included; hidden ones are not looked at."""
    found: dict[Path, Path] = {}
    for place in places:
        if not place.exists():
            raise FileNotFoundError(ENOENT, "there is no such file or folder", str(place))
        inside = sorted(place.rglob("*")) if place.is_dir() else [place]
        for path in inside:
            parts = path.relative_to(place).parts
            if path.suffix in SUFFIXES and not any(part.startswith((".", "__")) for part in parts):
                found.setdefault(path.resolve(), path)
    return list(found.values())


def _names(files: Sequence[Path]) -> list[str]:
    """Each file's name without its ending, with its folders where others are called the same."""
    bases = [path.resolve().with_suffix("") for path in files]
    named = {base: _name(base, set(bases)) for base in bases}
    return [
        printable(named[base] if bases.count(base) == 1 else named[base] + path.suffix)
        for base, path in zip(bases, files, strict=True)
    ]


def _name(base: Path, others: set[Path]) -> str:
    """The shortest end of a path that no other one has."""
    for count in range(1, len(base.parts)):
        if sum(other.parts[-count:] == base.parts[-count:] for other in others) == 1:
            return "/".join(base.parts[-count:])
    return str(base)
