"""Mutants of the product: a sample of small changes, each at its place in a file."""

import ast
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.audit.mutations import SKIPPED_FIELDS, SKIPPED_NODES, piece, variants

SKIPPED_FILES = {"__main__.py", "damages.py"}
# If one of these keyword arguments is left out, the program does the same, or only fails later.
SKIPPED_KEYWORDS = {"strict", "encoding", "check", "stacklevel", "maxsize", "daemon"}
LEFT_OUT = ast.Pass | ast.Break | ast.Continue  # these take the place of a whole statement
QUESTIONS = {"isinstance", "issubclass", "startswith", "endswith", "suppress"}


@dataclass(frozen=True)
class Mutant:
    """A change in a file. `text` is the line before the change, `change` describes the change.

    `nth` numbers equal changes of equal lines of the file, from 0.
    """

    file: str
    line: int
    text: str
    change: str
    nth: int

    @property
    def id(self) -> str:
        return f"{self.file}:{self.line} {self.change}" + (f" ({self.nth})" if self.nth else "")

    @property
    def room(self) -> str:
        return str(Path(self.file).parent)


@dataclass(frozen=True)
class Edit:
    """The place of a change: the bytes of a file from `start` to `end` are replaced by `new`.

    `lines` are the lines from the beginning of the statement to the end of the change; `None` if
    the statement is in no function.
    """

    start: int
    end: int
    lines: range | None
    new: str


def edits(tree: Path, file: str) -> dict[Mutant, Edit]:
    """Return all mutants of a file, even those that do not compile, each with its edit."""
    source = (tree / file).read_bytes()
    starts = [0]
    for row in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(row))
    found: dict[Mutant, Edit] = {}
    counts: Counter[tuple[str, str]] = Counter()
    for node, statement in _nodes(ast.parse(source), None, None):
        for changed in variants(node):
            if isinstance(changed, LEFT_OUT) and not (statement and _has_effect(node)):
                continue
            old, new = piece(node, changed)
            start = starts[old.lineno - 1] + old.col_offset
            end = starts[old.end_lineno - 1] + old.end_col_offset
            label = _label(ast.unparse(old), ast.unparse(ast.fix_missing_locations(new)))
            if (_keywords(old) - _keywords(new)) & SKIPPED_KEYWORDS:
                continue
            line = source[starts[old.lineno - 1] : starts[old.lineno]].decode().strip()
            text = ast.unparse(new)
            if isinstance(new, ast.BinOp | ast.BoolOp | ast.UnaryOp | ast.Compare):
                text = f"({text})"
            mutant = Mutant(file, old.lineno, line, label, counts[line, label])
            counts[line, label] += 1
            lines = range(statement.lineno, old.end_lineno + 1) if statement else None
            found[mutant] = Edit(start, end, lines, text)
    return found


def _nodes(
    node: ast.AST, parent: ast.AST | None, statement: ast.stmt | None
) -> Iterator[tuple[Any, ast.stmt | None]]:
    """Yield the nodes that may be changed, each with the statement that it is part of.

    For a node in no function, `None` takes the place of the statement.
    """
    wiring = isinstance(node, ast.If) and ast.unparse(node.test).startswith(("__name__", "TYPE_"))
    names = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).startswith("__")
    if isinstance(node, SKIPPED_NODES) or wiring or names:
        return
    if statement and isinstance(node, ast.stmt):
        statement = node
    is_set = isinstance(node, ast.Tuple) and (
        isinstance(parent, ast.Subscript | ast.Compare | ast.ExceptHandler) or _is_question(parent)
    )
    if not is_set and not _is_question(node):
        yield node, statement
    for name, value in ast.iter_fields(node):
        if name not in SKIPPED_FIELDS:
            is_body = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and name == "body"
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _nodes(child, node, child if is_body else statement)


def _is_question(node: ast.AST | None) -> bool:
    """Return true for a call whose tuple may have any order, such as `isinstance(a, (B, C))`."""
    return isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in QUESTIONS


def _keywords(node: ast.AST) -> set[str | None]:
    return {keyword.arg for keyword in node.keywords} if isinstance(node, ast.Call) else set()


def _has_effect(node: ast.AST) -> bool:
    """Return false if a statement only assigns to names or declares them.

    If such a statement is left out, every test fails, which tells nothing about the tests.
    """
    names = isinstance(node, ast.Assign) and all(isinstance(n, ast.Name) for n in node.targets)
    return not (names or isinstance(node, ast.AnnAssign | ast.Global | ast.Nonlocal))


def _label(old: str, new: str) -> str:
    """Return "old → new", without the words that both texts have at their beginning or end."""
    before, after = old.split("\n")[0].split(" "), new.split("\n")[0].split(" ")
    while len(before) > 1 and len(after) > 1 and before[0] == after[0]:
        before, after = before[1:], after[1:]
    while len(before) > 1 and len(after) > 1 and before[-1] == after[-1]:
        before, after = before[:-1], after[:-1]
    return f"{_short(' '.join(before))} → {_short(' '.join(after))}"


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"


def mutated(source: bytes, edit: Edit) -> bytes | None:
    """Return the text of the mutant; `None` if it does not compile or is the same program."""
    text = source[: edit.start] + edit.new.encode() + source[edit.end :]
    try:
        compile(text, "mutant", "exec")
    except (SyntaxError, ValueError):
        return None
    return text if ast.dump(ast.parse(text)) != ast.dump(ast.parse(source)) else None


def sample(tree: Path, size: int, seed: int) -> list[Mutant]:
    """Return about `size` mutants, drawn at random; a folder with more changes gets more."""
    rooms: dict[str, dict[Mutant, Edit]] = defaultdict(dict)
    for part in ("course", "autograder"):
        for path in sorted((tree / part).rglob("*.py")):
            file = path.relative_to(tree)
            if path.name not in SKIPPED_FILES:
                rooms[str(file.parent)] |= edits(tree, str(file))
    rooms = {room: found for room, found in rooms.items() if found}
    total = sum(map(len, rooms.values()))
    chosen: list[Mutant] = []
    for room, found in rooms.items():
        share = max(1, round(size * len(found) / total))
        order = random.Random(f"{seed} {room}").sample(list(found), len(found))
        lines: set[tuple[str, int]] = set()
        for mutant in order:
            source = (tree / mutant.file).read_bytes()
            if (mutant.file, mutant.line) not in lines and mutated(source, found[mutant]):
                lines.add((mutant.file, mutant.line))
                chosen.append(mutant)
            if len(lines) == share:
                break
    # In mixed order: if the run is ended early, no folder is missing.
    return random.Random(seed).sample(chosen, len(chosen))


def find_again(tree: Path, mutant: Mutant) -> Mutant | None:
    """Return the same mutant in a tree in which lines may have moved; `None` if it is gone."""
    if not (tree / mutant.file).exists():
        return None
    same = [
        m for m in edits(tree, mutant.file) if (m.text, m.change) == (mutant.text, mutant.change)
    ]
    return min(same, key=lambda m: abs(m.nth - mutant.nth), default=None)
