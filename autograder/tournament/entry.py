"""Reading of agents, programs that play the 2048 duel, from Python files or notebooks."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from errno import ENOENT
from importlib.util import decode_source
from pathlib import Path

from autograder.notebook.parse_notebook import MAX_NOTEBOOK, parse
from autograder.notebook.safe_text import printable
from autograder.notebook.submitted_files import Unreadable, read_bytes

_SUFFIXES = (".py", ".ipynb")
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

    In folders, files and folders whose names begin with `.` or `__` are skipped. The agents are
    sorted by name. An agent has the name of its file, after as many folders as make it unique, and
    with the ending `.py` or `.ipynb` if that is needed. The second list has pairs: a file, and the
    reason why it has no agent. Raise `FileNotFoundError` if one of the `places` does not exist.
    """
    files: dict[Path, Path] = {}  # a file that is found twice is read once
    for place in places:
        if not place.exists():
            raise FileNotFoundError(ENOENT, "there is no such file or folder", str(place))
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            parts = path.relative_to(place).parts
            is_seen = not any(part.startswith((".", "__")) for part in parts)
            if path.suffix in _SUFFIXES and is_seen:
                files.setdefault(path.resolve(), path)
    bases = Counter(path.with_suffix("") for path in files)
    entries, left_out = [], []
    for real, path in files.items():
        base = real.with_suffix("")
        ends = (base.parts[-count:] for count in range(1, len(base.parts)))
        unique = (end for end in ends if sum(one.parts[-len(end) :] == end for one in bases) == 1)
        name = "/".join(next(unique)) + (path.suffix if bases[base] > 1 else "")
        try:
            entries.append(read_entry(path, printable(name)))
        except Unreadable as reason:
            left_out.append((printable(str(path)), str(reason)))
    return sorted(entries, key=lambda entry: entry.name), left_out


def read_entry(path: Path, name: str) -> Entry:
    """Return the agent in a Python file or in a notebook; raise `Unreadable` if there is none."""
    if path.suffix == ".py":
        data = read_bytes(path)
        try:
            text = decode_source(data)
        except (SyntaxError, UnicodeDecodeError):  # the agent will lose its games by this error
            text = data.decode("utf-8", "replace")
        if not _AGENT.search(text):
            raise Unreadable("it defines neither a class Agent nor a class Player")
        return Entry(name, ((path.name, text),))
    notebook = parse(read_bytes(path, MAX_NOTEBOOK))
    cells = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    if not any(map(_AGENT.search, cells)):
        raise Unreadable("no cell of it defines a class Agent")
    return Entry(name, tuple((cell_name(text), text) for text in cells), True)


def cell_name(source: str) -> str:
    """Return words by which the author of a notebook finds a cell, because cells have no numbers.

    >>> cell_name("import math\\n\\nclass Agent:\\n    pass"), cell_name("import math\\nx = 1")
    ('the cell of Agent', 'the cell "import math"')
    """
    if defined := _DEFINED.findall(source):
        return f"the cell of {next((name for name in defined if name in _AGENTS), defined[0])}"
    first = next((line.strip() for line in source.splitlines() if line.strip()), "")
    return f'the cell "{printable(first[:_LONGEST])}"'
