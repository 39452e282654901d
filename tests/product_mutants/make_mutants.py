"""Mutants of the product: a sample of small changes, each at its place in a file."""

import ast
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
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
    """A change in a file: its bytes from `start` to `end` are replaced by `new`.

    `text` is the line before the change, `change` describes the change, and `nth` numbers equal
    changes of equal lines of the file, from 0. `lines` are those from the beginning of the
    statement to the end of the change; `None` if the statement is in no function.
    """

    file: str
    line: int
    text: str
    change: str
    nth: int
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)
    lines: range | None = field(default=None, compare=False)
    new: str = field(default="", compare=False)

    @property
    def id(self) -> str:
        return f"{self.file}:{self.line} {self.change}" + (f" ({self.nth})" if self.nth else "")

    @property
    def room(self) -> str:
        return str(Path(self.file).parent)

    def put_into(self, source: bytes) -> bytes:
        return source[: self.start] + self.new.encode() + source[self.end :]


def mutants_of(tree: Path, file: str) -> Iterator[Mutant]:
    """Yield all mutants of a file, even those that do not compile."""
    source = (tree / file).read_bytes()
    starts = [0]
    for row in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(row))
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
            lines = range(statement.lineno, old.end_lineno + 1) if statement else None
            nth = counts[line, label]
            counts[line, label] += 1
            yield Mutant(file, old.lineno, line, label, nth, start, end, lines, text)


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


def is_other_program(tree: Path, mutant: Mutant) -> bool:
    """Return true if a mutant compiles, and is not the same program."""
    source = (tree / mutant.file).read_bytes()
    text = mutant.put_into(source)
    try:
        compile(text, "mutant", "exec")
    except (SyntaxError, ValueError):
        return False
    return ast.dump(ast.parse(text)) != ast.dump(ast.parse(source))


def sample(tree: Path, size: int, seed: int) -> list[Mutant]:
    """Return about `size` mutants, drawn at random; a folder with more changes gets more."""
    rooms: dict[str, list[Mutant]] = defaultdict(list)
    for part in ("course", "autograder"):
        for path in sorted((tree / part).rglob("*.py")):
            if path.name not in SKIPPED_FILES:
                for mutant in mutants_of(tree, str(path.relative_to(tree))):
                    rooms[mutant.room].append(mutant)
    total = sum(map(len, rooms.values()))
    chosen: list[Mutant] = []
    for room, found in rooms.items():
        share = max(1, round(size * len(found) / total))
        order = random.Random(f"{seed} {room}").sample(found, len(found))
        lines: set[tuple[str, int]] = set()
        for mutant in order:
            place = mutant.file, mutant.line
            if place not in lines and is_other_program(tree, mutant):
                lines.add(place)
                chosen.append(mutant)
            if len(lines) == share:
                break
    # In mixed order: if the run is ended early, no folder is missing.
    return random.Random(seed).sample(chosen, len(chosen))


def find_again(tree: Path, mutant: Mutant) -> Mutant | None:
    """Return the same mutant in a tree in which lines may have moved; `None` if it is gone."""
    every = mutants_of(tree, mutant.file) if (tree / mutant.file).exists() else ()
    same = [m for m in every if (m.text, m.change) == (mutant.text, mutant.change)]
    found = min(same, key=lambda m: abs(m.nth - mutant.nth), default=None)
    return found if found and is_other_program(tree, found) else None
