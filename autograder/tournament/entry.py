"""Reading of agents, programs that play the 2048 duel, from Python files or notebooks."""

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from errno import ENOENT
from importlib.util import decode_source
from pathlib import Path

from autograder.notebook.reading import MAX_NOTEBOOK, parse
from autograder.notebook.safe_text import printable
from autograder.notebook.submitted_files import Unreadable, read_bytes

SUFFIXES = (".py", ".ipynb")
# A statement that defines the name Agent, or the original platform's name Player.
_AGENT = re.compile(
    r"^\s*class (Agent|Player)\b|^(Agent|Player) *=|^(from|import) .*\b(Agent|Player)\b",
    re.MULTILINE,
)
_AGENTS = ("Agent", "Player")
_DEFINED = re.compile(r"^(?:class|(?:async +)?def) +(\w+)", re.MULTILINE)
_LONGEST = 40  # characters of a line that names a cell


@dataclass(frozen=True)
class Entry:
    """An agent in a tournament; `sources` are pairs (name, text) of its cells or its file."""

    name: str
    sources: tuple[tuple[str, str], ...]
    is_notebook: bool = False

    @property
    def digest(self) -> str:
        """A fingerprint of the agent's program."""
        text = json.dumps([self.sources, self.is_notebook])
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def read_entries(places: Iterable[Path]) -> tuple[list[Entry], list[tuple[str, str]]]:
    """Return two lists: the agents in files and folders, and the files that have no agent.

    The agents are sorted by name. The second list has pairs: the file, and the reason why it was
    left out.
    """
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
    """Return the agent in a Python file or in a notebook; raise `Unreadable` if there is none."""
    if path.suffix == ".py":
        text = _text(read_bytes(path))
        if not _AGENT.search(text):
            raise Unreadable("it defines neither a class Agent nor a class Player")
        return Entry(name, ((path.name, text),))
    notebook = parse(read_bytes(path, MAX_NOTEBOOK))
    cells = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    if not any(map(_AGENT.search, cells)):
        raise Unreadable("no cell of it defines a class Agent")
    return Entry(name, tuple((cell_name(text), text) for text in cells), True)


def cell_name(source: str) -> str:
    """Return words by which the author of a notebook finds a cell; a notebook shows no numbers.

    >>> cell_name("import math\\n\\nclass Agent:\\n    pass"), cell_name("import math\\nx = 1")
    ('the cell of Agent', 'the cell "import math"')
    """
    defined = _DEFINED.findall(source)
    if defined:
        return f"the cell of {next((name for name in defined if name in _AGENTS), defined[0])}"
    first = next((line.strip() for line in source.splitlines() if line.strip()), "")
    return f'the cell "{printable(first[:_LONGEST])}"'


def _text(source: bytes) -> str:
    """Return a program's text, decoded as Python does; each unreadable byte is replaced by �."""
    try:
        return decode_source(source)
    except (SyntaxError, UnicodeDecodeError):
        return source.decode("utf-8", "replace")


def _files(places: Iterable[Path]) -> list[Path]:
    """Return the Python files and notebooks among `places`, and in those places that are folders.

    Names in a folder that begin with `.` or `__` are left out. A file that is found twice is
    returned once. Raise `FileNotFoundError` if one of the places does not exist.
    """
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
    """Return a unique name for each file: the file's name without its ending, if that is unique.

    If that is not unique, the name also has as many folders as it needs, or the ending.
    """
    bases = [path.resolve().with_suffix("") for path in files]
    named = {base: _name(base, set(bases)) for base in bases}
    return [
        printable(named[base] if bases.count(base) == 1 else named[base] + path.suffix)
        for base, path in zip(bases, files, strict=True)
    ]


def _name(base: Path, others: set[Path]) -> str:
    """Return the last parts of a path: as few as possible, but so that no other path has them."""
    for count in range(1, len(base.parts)):
        if sum(other.parts[-count:] == base.parts[-count:] for other in others) == 1:
            return "/".join(base.parts[-count:])
    return str(base)
