"""The source of the function that runs: its text, and the statement that each line belongs to."""

import ast
import linecache
import textwrap
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from types import CodeType
from typing import Any

from pygments.lexers.python import PythonLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String

from course.mine.source_statements import first_line
from course.playing.learner_calls import cut

MOST_LINES = 400

Header = ast.stmt | ast.ExceptHandler
COLOURS: dict[Any, str] = {
    **dict.fromkeys((Keyword, Operator.Word, Name.Builtin.Pseudo), "keyword"),
    String: "string",
    Number: "number",
    Comment: "comment",
}


@dataclass(frozen=True)
class FunctionText:
    """The text and syntax tree of a function or method; `first` is its first line's number."""

    name: str
    first: int
    text: str
    node: ast.stmt = field(compare=False)

    @cached_property
    def headers(self) -> dict[int, Header]:
        """A dictionary from the number of each line to the statement that it belongs to."""
        found: dict[int, Header] = {}
        for node in ast.walk(self.node):
            if isinstance(node, Header):
                first, last = span(node)
                for line in range(first, last + 1):
                    if line not in found or span(found[line])[0] < first:
                        found[line] = node
        return found

    @cached_property
    def returns(self) -> set[int]:
        """The numbers of all lines that belong to `return` statements."""
        nodes = [node for node in ast.walk(self.node) if isinstance(node, ast.Return)]
        return {line for node in nodes for line in range(node.lineno, last_line(node) + 1)}

    def code(self, line: int) -> str:
        """Return the line with this number, without indent; "" if it is not a line of the text."""
        lines = self.text.splitlines()
        index = line - self.first
        return lines[index].strip() if 0 <= index < len(lines) else ""

    def as_json(self) -> dict[str, Any]:
        """Return a dictionary with the name, `first`, the coloured lines, and the `pointers`."""
        return {
            "name": self.name,
            "first": self.first,
            "lines": coloured(self.text),
            "pointers": pointers(self.node),
        }


def block_of(code: CodeType) -> FunctionText | None:
    """Return the text of the function or method that contains a code object, or else `None`.

    If functions are nested, return the text of the outermost one. If no `def` contains the code, as
    for a lambda in an assignment, return the text of the innermost statement.
    """
    lines = linecache.getlines(code.co_filename)
    found: ast.stmt | None = None
    owner, name = [], []
    try:
        every = [node for node in ast.walk(ast.parse("".join(lines))) if isinstance(node, ast.stmt)]
    except (SyntaxError, ValueError, RecursionError):
        return None
    for node in every:  # each statement before those inside it
        if first_line(node) <= code.co_firstlineno <= last_line(node):
            if isinstance(node, ast.ClassDef):
                owner.append(node.name)
                continue
            found, name = node, [*owner]
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                name = [*owner, node.name]
                break
    if found is None:
        return None
    first = first_line(found)
    text = textwrap.dedent("".join(lines[first - 1 : min(last_line(found), first + MOST_LINES)]))
    return FunctionText(".".join(name), first, text, found)


def span(node: Header) -> tuple[int, int]:
    """Return the numbers of a statement's first and last line, without the lines of its body."""
    body = getattr(node, "body", None) or getattr(node, "cases", None)
    if not body:
        return node.lineno, last_line(node)
    start = getattr(body[0], "pattern", body[0]).lineno
    # Comments between the colon and the body are left out, too.
    heads = [getattr(node, name, None) for name in ("test", "iter", "subject", "args", "type")]
    heads += [item.context_expr for item in getattr(node, "items", [])]
    colon = max([last_line(part) for part in heads if part is not None] + [node.lineno])
    return node.lineno, max(node.lineno, min(int(start) - 1, colon))


def last_line(node: ast.AST) -> int:
    """Return the number of the last line of a syntax tree; 0 if it has none."""
    return getattr(node, "end_lineno", None) or 0


def called_names(node: Header) -> dict[str, str]:
    """Return a dictionary from names of functions that a statement calls to their full texts.

    Calls in inner statements, as in the body of a loop, are left out.

    >>> called_names(ast.parse("row, column = rng.choice(empty_cells(board))").body[0])
    {'choice': 'rng.choice', 'empty_cells': 'empty_cells'}
    """
    first, last = span(node)
    calls = [each.func for each in ast.walk(node) if isinstance(each, ast.Call)]
    return {
        str(getattr(func, "id", None) or getattr(func, "attr", "")): cut(ast.unparse(func), 40)
        for func in calls
        if first <= func.lineno <= last
    }


def pointers(node: ast.AST) -> list[tuple[str, str, int]]:
    """Return (list, index, depth) for each name that is used as an index of a list.

    The depth is 0 for the first index behind a list, and 1 for the second. No triple occurs twice.

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
    """Return a list of (part, kind) for each line of a program; a kind is shown in its own colour.

    >>> coloured("return 0")
    [[('return', 'keyword'), (' ', ''), ('0', 'number')]]
    """
    lines = text.splitlines()
    letters = [
        (letter, next((name for kind, name in COLOURS.items() if token in kind), ""))
        for token, part in PythonLexer(stripnl=False).get_tokens("\n".join(lines))
        for letter in part
    ]
    coloured, at = [], 0
    for line in lines:
        parts = groupby(letters[at : at + len(line)], key=itemgetter(1))
        coloured.append([("".join(letter for letter, _ in part), kind) for kind, part in parts])
        at += len(line) + 1
    return coloured
