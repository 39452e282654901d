"""An agent that was handed in: what of its file is run, in which form it is."""

import ast
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from IPython.core.inputtransformer2 import TransformerManager

from autograder.notebook.reading import Unreadable, printable, read_bytes, read_notebook

CLASSES = ("Agent", "Player")  # of this course, and of the original platform
SUFFIXES = (".py", ".ipynb")


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
    """A cell: the names that it defines, those that it uses, and its imports."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.defined: set[str] = set()
        self.used: set[str] = set()
        self.imports = ""
        try:
            tree = ast.parse(TransformerManager().transform_cell(source))
        except (SyntaxError, ValueError, RecursionError):
            # it can not be taken apart; if it is the agent's, running it says why
            self.defined = {kind for kind in CLASSES if f"class {kind}" in source}
            return
        self._read(tree)

    def _read(self, tree: ast.Module) -> None:
        imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        self.imports = "\n".join(map(ast.unparse, imports))
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
                self.defined.add(node.name)
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                self.defined |= {name.id for name in _names_in(node, ast.Store)}
        self.used = {name.id for name in _names_in(tree, ast.Load)}


def _names_in(tree: ast.AST, context: type[ast.expr_context]) -> list[ast.Name]:
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    return [name for name in names if isinstance(name.ctx, context)]


def _needed(sources: Sequence[str]) -> list[tuple[int, str]]:
    """The last cell that defines an agent, the cells that it needs, and the imports of all."""
    cells = [_Cell(source) for source in sources]
    agents = [
        n for kind in reversed(CLASSES) for n, cell in enumerate(cells) if kind in cell.defined
    ]
    if not agents:
        return []
    needed: set[int] = set()
    waiting = [agents[-1]]
    while waiting:
        number = waiting.pop()
        if number in needed:
            continue
        needed.add(number)
        for name in cells[number].used - {*CLASSES} - cells[number].defined:
            waiting += [n for n, cell in enumerate(cells) if name in cell.defined][-1:]
    return [
        (number, cell.source if number in needed else cell.imports)
        for number, cell in enumerate(cells)
        if number in needed or cell.imports
    ]


def _files(places: Iterable[Path]) -> list[Path]:
    """The files that may hold agents, those of folders included; hidden ones are not looked at."""
    found: dict[Path, None] = {}
    for place in places:
        inside = sorted(place.rglob("*")) if place.is_dir() else [place]
        for path in inside:
            parts = path.relative_to(place).parts
            if path.suffix in SUFFIXES and not any(part.startswith((".", "__")) for part in parts):
                found[path] = None
    return list(found)


def _names(files: Sequence[Path]) -> list[str]:
    """Each file's name without its ending; with its folders, where others are called the same."""
    stems = [path.stem for path in files]
    names = []
    for path, stem in zip(files, stems, strict=True):
        name, folders = stem, path.parent
        while _count_named(name, files) > 1 and folders.name:
            name, folders = f"{folders.name}/{name}", folders.parent
        names.append(printable(name))
    return [
        name if names.count(name) == 1 else f"{name}{path.suffix}"
        for name, path in zip(names, files, strict=True)
    ]


def _count_named(name: str, files: Sequence[Path]) -> int:
    """How many files end with this name, their own endings apart."""
    parts = tuple(name.split("/"))
    return sum(path.with_suffix("").parts[-len(parts) :] == parts for path in files)
