"""Source: the text of the function that runs, and the statement that each line belongs to."""

import ast
import io
import keyword
import linecache
import textwrap
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from types import CodeType
from typing import Any

from course.steps.values import cut

MOST_LINES = 400
LONGEST_NAME = 40

Header = ast.stmt | ast.ExceptHandler
WORDS = {"True", "False", "None", "self"}


@dataclass(frozen=True)
class Block:
    """A function or method as it stands in its cell: its name, first line's number, and text."""

    name: str
    first: int
    text: str
    node: ast.stmt

    @cached_property
    def headers(self) -> dict[int, Header]:
        """The statement that each line belongs to; of a loop or an `if`, only its first lines."""
        found: dict[int, Header] = {}
        for node in _in_order(self.node):
            first, last = span(node)
            for line in range(first, last + 1):
                if line not in found or span(found[line])[0] < first:
                    found[line] = node
        return found

    @cached_property
    def returns(self) -> set[int]:
        """The lines of `return` statements."""
        nodes = [node for node in ast.walk(self.node) if isinstance(node, ast.Return)]
        return {line for node in nodes for line in range(node.lineno, end(node) + 1)}

    def code(self, line: int) -> str:
        """Return one line of the text, by its number in the cell."""
        lines = self.text.splitlines()
        index = line - self.first
        return lines[index].strip() if 0 <= index < len(lines) else ""

    def as_json(self) -> dict[str, Any]:
        """Return the same as plain data: each line is a list of (text, kind) to be coloured.

        `pointers` are (list, name of an index, depth): in `board[row][column]`, the index `row` is
        at depth 0, `column` at depth 1.
        """
        return {
            "name": self.name,
            "first": self.first,
            "lines": coloured(self.text),
            "pointers": pointers(self.node),
        }


class Sources:
    """The blocks of the code that was seen, each looked up once."""

    def __init__(self) -> None:
        self._files: dict[str, tuple[list[str], ast.Module] | None] = {}
        self._blocks: dict[CodeType, Block | None] = {}

    def block(self, code: CodeType) -> Block | None:
        """Return the function or method that code stands in; `None` if its source is not known."""
        if code not in self._blocks:
            self._blocks[code] = self._found(code)
        return self._blocks[code]

    def _found(self, code: CodeType) -> Block | None:
        file = code.co_filename
        if file not in self._files:
            self._files[file] = _read(file)
        known = self._files[file]
        if known is None:
            return None
        lines, tree = known
        node, name = _around(tree.body, code.co_firstlineno)
        if node is None:
            return None
        first = _first(node)
        text = textwrap.dedent("".join(lines[first - 1 : min(end(node), first + MOST_LINES)]))
        return Block(name, first, text, node)


def _read(file: str) -> tuple[list[str], ast.Module] | None:
    lines = linecache.getlines(file)
    try:
        return (lines, ast.parse("".join(lines))) if lines else None
    except (SyntaxError, ValueError, RecursionError):
        return None


def _around(body: list[ast.stmt], line: int, owner: str = "") -> tuple[ast.stmt | None, str]:
    """Return the outermost function around a line, or the method of a class, and its name."""
    for node in body:
        if not _first(node) <= line <= end(node):
            continue
        if isinstance(node, ast.ClassDef):
            return _around(node.body, line, f"{owner}{node.name}.")
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            return node, owner + node.name
        inside = [each for part in _bodies(node) for each in part]
        found = _around(inside, line, owner)
        return found if found[0] is not None else (node, owner.rstrip("."))
    return None, ""


def _bodies(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Yield the statements inside a statement that is no function: `if`, `try`, `with`, a loop."""
    for name in ("body", "orelse", "finalbody"):
        yield getattr(node, name, [])
    for handler in getattr(node, "handlers", []):
        yield handler.body


def _in_order(node: ast.AST) -> Iterator[Header]:
    """Yield all statements of a statement, each before those inside it."""
    if isinstance(node, ast.stmt | ast.ExceptHandler):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from _in_order(child)


def span(node: Header) -> tuple[int, int]:
    """Return the first and last line of a statement; of one with others inside, only of its head.

    >>> span(ast.parse("for tile in line:\\n    print(tile)").body[0])
    (1, 1)
    """
    body = getattr(node, "body", None) or getattr(node, "cases", None)
    if not body:
        return node.lineno, end(node)
    start = getattr(body[0], "pattern", body[0]).lineno
    return node.lineno, max(node.lineno, min(int(start) - 1, _head_end(node)))


def _head_end(node: Header) -> int:
    """Return the last line of what stands before the colon; comments below it do not count."""
    heads = [getattr(node, name, None) for name in ("test", "iter", "subject", "args", "type")]
    heads += [item.context_expr for item in getattr(node, "items", [])]
    return max([end(part) for part in heads if part is not None] + [node.lineno])


def _first(node: ast.stmt) -> int:
    decorators = getattr(node, "decorator_list", [])
    return min([node.lineno, *(int(each.lineno) for each in decorators)])


def end(node: ast.AST) -> int:
    """Return the last line of a part of a program; 0 if it has none."""
    last = getattr(node, "end_lineno", None)
    return last if type(last) is int else 0


def called_names(node: Header) -> dict[str, str]:
    """Return the functions that a statement calls: their names, and how they are written there.

    >>> called_names(ast.parse("row, column = rng.choice(empty_cells(board))").body[0])
    {'choice': 'rng.choice', 'empty_cells': 'empty_cells'}
    """
    first, last = span(node)
    calls = [each.func for each in ast.walk(node) if isinstance(each, ast.Call)]
    near = [func for func in calls if first <= func.lineno <= last]
    names = [str(getattr(func, "id", None) or getattr(func, "attr", "")) for func in near]
    written = [cut(ast.unparse(func), LONGEST_NAME) for func in near]
    return dict(zip(names, written, strict=True))


def pointers(node: ast.AST) -> list[tuple[str, str, int]]:
    """Return the names that stand as indices of lists: (list, index, depth), each once.

    >>> pointers(ast.parse("squares[index] = board[row][index]"))
    [('squares', 'index', 0), ('board', 'row', 0), ('board', 'index', 1)]
    """
    found = []
    for asked in ast.walk(node):
        if isinstance(asked, ast.Subscript) and isinstance(asked.slice, ast.Name):
            inside, depth = asked.value, 0
            while isinstance(inside, ast.Subscript):
                inside, depth = inside.value, depth + 1
            if isinstance(inside, ast.Name):
                found.append((inside.id, asked.slice.id, depth))
    return sorted(dict.fromkeys(found), key=lambda pointer: pointer[2])


def coloured(text: str) -> list[list[tuple[str, str]]]:
    """Return each line as parts with their kinds.

    The kinds are keyword, string, number, comment, and "" for the rest.

    >>> coloured("return 0")
    [[('return', 'keyword'), (' ', ''), ('0', 'number')]]
    """
    lines = text.splitlines()
    parts: list[list[tuple[str, str]]] = [[] for _ in lines]
    reached = [0] * len(lines)
    for kind, start, stop in _tokens(text):
        for row in range(start[0], stop[0] + 1):
            line = lines[row - 1]
            first = start[1] if row == start[0] else 0
            last = stop[1] if row == stop[0] else len(line)
            between = line[reached[row - 1] : first]
            parts[row - 1] += [(between, "")] if between else []
            parts[row - 1] += [(line[first:last], kind)] if line[first:last] else []
            reached[row - 1] = last
    for line, done, row_parts in zip(lines, reached, parts, strict=True):
        row_parts += [(line[done:], "")] if line[done:] else []
    return parts


def _tokens(text: str) -> list[tuple[str, tuple[int, int], tuple[int, int]]]:
    """Return the parts of a program that have a colour; none if it cannot be read."""
    kinds = {tokenize.STRING: "string", tokenize.NUMBER: "number", tokenize.COMMENT: "comment"}
    found = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            kind = kinds.get(token.type, "")
            if token.type == tokenize.NAME and (
                keyword.iskeyword(token.string) or token.string in WORDS
            ):
                kind = "keyword"
            if kind:
                found.append((kind, token.start, token.end))
    except (tokenize.TokenError, SyntaxError):
        return []
    return found
