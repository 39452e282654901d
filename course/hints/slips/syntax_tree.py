"""Searches in the syntax tree of a function, for the modules that look for slips in its code.

A slip is the id of a general hint. A finder yields a slip and a node for each line that shows it. A
node is a part of a syntax tree, and a block is a list of statements that follow each other.
"""

import ast
import builtins
import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import Any

from course.lessons import lessons

Node = Any  # a statement or an expression
Found = Iterator[tuple[str, Node]]

_QUIET = ("print", "input", "next", "setattr", "delattr", "exec", "exit", "quit", "help", "super")
_LONGEST = 300  # characters; in a longer text, a search for a pattern could take long
_LENT = ("empties", "territory", "lines", "say_merges")  # functions that notebooks provide


@lru_cache(maxsize=500)  # all finders of slips ask for the same nodes
def _nodes(node: Node) -> tuple[Node, ...]:
    return tuple(ast.walk(node))


def inside(part: Any, *kinds: type) -> list[Node]:
    """Return all nodes of the given kinds in a node or a block, in the order of their lines."""
    nodes = part if isinstance(part, list) else [part]
    every = [each for node in nodes for each in _nodes(node) if isinstance(each, kinds)]
    return sorted(every, key=lambda each: each.lineno)


def like(slip: str, kind: type, pattern: str) -> Callable[[Node], Found]:
    """Return a finder that yields `slip` for each node of a kind whose text matches `pattern`."""

    def find(function: Node) -> Found:
        for node in inside(function, kind):
            text = ast.unparse(node)
            if len(text) <= _LONGEST and re.fullmatch(pattern, text):
                yield slip, node

    return find


def stored(part: Any, kind: type = ast.Name) -> list[Node]:
    """Return the nodes of a kind, by default names, to which a node or a block assigns a value."""
    return [each for each in inside(part, kind) if isinstance(each.ctx, ast.Store)]


def loaded(part: Any) -> list[Node]:
    """Return the nodes of all names that are read in `part`, a node or a block."""
    return [each for each in inside(part, ast.Name) if isinstance(each.ctx, ast.Load)]


def targets(line: Node) -> list[Node]:
    """Return the nodes that get a value in a line such as `a = b = 2` or `a += 2`."""
    return getattr(line, "targets", None) or [line.target]


def arguments(function: Node) -> set[str]:
    """Return the names of the arguments of a function."""
    return {each.arg for each in function.args.args}


def defaults(function: Node) -> list[tuple[str, Any]]:
    """Return (name, default) for each argument with a default; `...` stands for no constant."""
    pairs = zip(function.args.args[::-1], function.args.defaults[::-1], strict=False)
    return [(one.arg, getattr(each, "value", ...)) for one, each in pairs]


def blocks(node: Node) -> Iterator[list[Any]]:
    fields = (getattr(each, field, 0) for each in _nodes(node) for field in ("body", "orelse"))
    return (block for block in fields if isinstance(block, list))


def name_of(node: Any) -> str:
    """Return the name in a node such as `board` or `board[0][1]`; "" if it is another node."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def called(node: Any) -> tuple[str, str, str]:
    """Return ("f", "", "") for `f()`, ("", "a", "f") for `a.f()`, and empty texts for no call."""
    if not isinstance(node, ast.Call):
        return "", "", ""
    method = node.func if isinstance(node.func, ast.Attribute) else None
    return ("", name_of(method.value), method.attr) if method else (name_of(node.func), "", "")


def always_leaves(block: list[Any]) -> bool:
    """Return true if a block always leaves the function or the loop, and never reaches its end."""
    return any(
        isinstance(each, ast.Return | ast.Raise | ast.Break)
        or (isinstance(each, ast.If) and always_leaves(each.body) and always_leaves(each.orelse))
        for each in block
    )


@cache
def givers() -> set[str]:
    """Return the names of functions that return an answer, and have no side effects."""
    every = {one.name for entry in lessons() for one in entry.exercises}
    of_python = {name for name, value in vars(builtins).items() if callable(value)}
    return {*filter(str.islower, (of_python | every | {*_LENT}) - {*_QUIET})}


def conditions(function: Node) -> list[Node]:
    """Return all conditions in a function: the expressions behind `if`, `while` and `not`."""
    tests = [each.test for each in inside(function, ast.If, ast.While, ast.IfExp)]
    tests += [test for each in _nodes(function) for test in getattr(each, "ifs", [])]
    nots = inside(function, ast.UnaryOp)
    return tests + [each.operand for each in nots if isinstance(each.op, ast.Not)]
