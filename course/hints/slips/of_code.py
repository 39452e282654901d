"""Slips (ids of general hints) that the text of a function shows: lines that do not do their work.

All these lines are mistakes in nearly any program, and in a right one they do no harm. So only
functions that are known to be wrong are looked into. A `node` is a part of a syntax tree, and a
`block` is a list of statements that follow each other.
"""

import ast
import builtins
import inspect
import linecache
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from course.lessons import lessons

Node = Any  # a statement or an expression
Found = Iterator[tuple[str, Node]]

STUB, IN_QUOTES = "stub-left", "number-in-quotes"
COMPARES, THROWN_AWAY = "compares-in-place-of-storing", "value-thrown-away"
SURE = (STUB, COMPARES, THROWN_AWAY)  # slips of lines that cannot be meant

_QUIET = ("print", "input", "next", "setattr", "delattr", "exec", "exit", "quit", "help", "super")
_LENT = ("empties", "territory", "lines", "say_merges")  # functions that notebooks lend
_NEW = ("copy", "choice", "sample", "random", "join", "replace", "rjust", "split")
_MAY_STAND_ALONE = (ast.Call, ast.Constant, ast.ListComp, ast.NamedExpr, ast.Yield, ast.YieldFrom)
_SHORTENS = ("remove", "pop", "insert")
_DIGITS = re.compile(r"-?\d+")


@dataclass(frozen=True)
class CodeSlip:
    """A line that does not do its work: the `id` of the general hint, the line, and its number.

    `method` is the method or property of a class that the line is in; it is empty for a function.
    """

    id: str
    method: str
    number: int
    code: str

    @property
    def example(self) -> str:
        """A sentence that shows the line."""
        return f"Look at line {self.number}: `{self.code}`."


def slips_of_code(function: Callable[..., Any]) -> list[CodeSlip]:
    """Return the slips that the code of a function or class shows, the surest kinds first.

    The list is empty if the text of the code is not known.

    >>> def add(total, gained):
    ...     total == total + gained
    >>> [slip.id for slip in slips_of_code(add)]
    ['compares-in-place-of-storing']
    """
    parts = vars(function).items() if isinstance(function, type) else [("", function)]
    found = []
    for method, part in ((name, getattr(each, "fget", each)) for name, each in parts):
        if inspect.isfunction(part):
            lines = linecache.getlines(part.__code__.co_filename)
            for rank, slip, at in _slips("".join(lines), part.__code__.co_firstlineno):
                text = lines[at.lineno - 1].strip()
                found.append((rank, CodeSlip(slip, method, at.lineno, text)))
    return [slip for _, slip in sorted(found, key=lambda pair: pair[0])]


def slips_of_text(program: str) -> set[str]:
    """Return the ids of the slips that the text of a program shows."""
    return {slip for _, slip, _ in _slips(program)}


@cache
def _slips(program: str, first: int = 0) -> list[tuple[int, str, Node]]:
    """Return the rank, the id and the node of all slips, or only of those of one function.

    `first` is the number of the first line of that function.
    """
    try:
        tree = ast.parse(program)
    except (SyntaxError, ValueError):
        return []
    every = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]
    starts = [min([each.lineno, *(d.lineno for d in each.decorator_list)]) for each in every]
    own = [each for each, start in zip(every, starts, strict=True) if first in (0, start)]
    return [(n, *each) for f in own for n, find in enumerate(_FINDERS) for each in find(f)]


def _inside(nodes: Any, *kinds: type) -> list[Node]:
    """Return all nodes of some kinds in a list of nodes, in the order of their lines."""
    every = [each for node in nodes for each in ast.walk(node) if isinstance(each, kinds)]
    return sorted(every, key=lambda each: each.lineno)


def _blocks(node: Node) -> Iterator[list[Any]]:
    fields = (getattr(each, field, 0) for each in ast.walk(node) for field in ("body", "orelse"))
    return (block for block in fields if isinstance(block, list))


def _name(node: Any) -> str:
    """Return the name that a node is, or the list that it is an item of; else an empty text."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _called(node: Any) -> tuple[str, str, str]:
    """Return of a call the function, or the name and the method; empty texts if there is none."""
    if not isinstance(node, ast.Call):
        return "", "", ""
    method = node.func if isinstance(node.func, ast.Attribute) else None
    return ("", _name(method.value), method.attr) if method else (_name(node.func), "", "")


def _leaves(block: list[Any]) -> bool:
    """Return true if a block never comes to its end: it always leaves the function or the loop."""
    return any(
        isinstance(each, ast.Return | ast.Raise | ast.Break)
        or (isinstance(each, ast.If) and _leaves(each.body) and _leaves(each.orelse))
        for each in block
    )


def _stubs(function: Node) -> Found:
    """Find `raise NotImplementedError()` above other code."""
    for block in _blocks(function):
        for each in _inside(block[:-1], ast.Raise):
            if each in block and "NotImplementedError" in ast.unparse(each):
                yield STUB, each


def _values_alone(function: Node) -> Found:
    """Find values that nothing is done with, but not those that are tried, for the error."""
    tried = [line for each in _inside([function], ast.Try) for line in each.body]
    for line in _inside([function], ast.Expr):
        value = line.value
        asked, _, method = _called(value)
        if line in tried:
            continue
        if isinstance(value, ast.Compare) and isinstance(value.ops[0], ast.Eq):
            yield COMPARES, line
        elif not isinstance(value, _MAY_STAND_ALONE) or type(getattr(value, "value", "")) is int:
            yield THROWN_AWAY, line
        elif asked in _givers() or method in _NEW:
            yield "answer-thrown-away", line


@cache
def _givers() -> set[str]:
    """Return the names of functions that give an answer, and do nothing else."""
    every = {one.name for entry in lessons() for one in entry.exercises}
    names = {*vars(builtins), *every, *_LENT} - {*_QUIET}
    return {name for name in names if name.islower()}


def _changed_lists(function: Node) -> Found:
    """Find a list that gets shorter or longer while a loop walks over it or its indices."""
    for loop in _inside([function], ast.For):
        walked = {_name(each) for each in ast.walk(loop.iter)} - {""}
        is_walk = isinstance(loop.iter, ast.Name) or _called(loop.iter)[0] in ("range", "enumerate")
        for block in _blocks(loop) if is_walk else ():
            for at, line in enumerate(block):
                simple = [line] if isinstance(line, ast.Expr | ast.Assign) else []
                calls = [_called(each) for each in _inside(simple, ast.Call)]
                is_shorter = any(name in walked and does in _SHORTENS for _, name, does in calls)
                if is_shorter and not _leaves(block[at + 1 : at + 2]):
                    yield "list-changes-in-loop", line


def _early_ends(function: Node) -> Found:
    """Find a `return` that ends a loop in its first round, or gives what the loop still fills."""
    for loop in _inside([function], ast.For, ast.While):
        ends = _inside(loop.body, ast.Return)
        items = [n for n in _inside(loop.body, ast.Subscript) if isinstance(n.ctx, ast.Store)]
        calls = map(_called, _inside(loop.body, ast.Call))
        filled = {*map(_name, items), *(name for _, name, does in calls if does == "append")}
        early = [each for each in ends if filled & {*map(_name, ast.walk(each))} - {""}]
        if _leaves(loop.body) and not _inside(loop.body, ast.Continue):
            early = ends
        yield from (("returns-too-early", each) for each in early[-1:])


def _value_indices(function: Node) -> Found:
    """Find `line[tile]` in a loop that walks over the values of `line`, not over its indices."""
    walks = _inside([function], ast.For)
    source = {_name(each.target): _name(each.iter) for each in walks}
    keys = bool(_inside([function], ast.Dict, ast.DictComp))  # these are no indices
    for loop in [] if keys else walks:
        value, walked = _name(loop.target), _name(loop.iter)
        lists = {walked, source.get(walked, "")} - {""} if walked else ()
        for node in _inside(loop.body, ast.Subscript):
            index = node.slice.left if isinstance(node.slice, ast.BinOp) else node.slice
            if value and isinstance(index, ast.Name) and index.id == value and _name(node) in lists:
                yield "value-as-index", node


def _lost_values(function: Node) -> Found:
    """Find new values of a loop's variable that are lost when the next round begins."""
    for loop in _inside([function], ast.For):
        names = {_name(each) for each in ast.walk(loop.target)} - {""}
        for line in _inside(loop.body, ast.Assign, ast.AugAssign):
            target = line.targets[0] if isinstance(line, ast.Assign) else line.target
            stored = target.id if isinstance(target, ast.Name) and target.id in names else None
            rounds = [each for each in _inside(loop.body, ast.For, ast.While) if line in each.body]
            again, own = _inside(rounds, ast.Name), _inside([line], ast.Name)
            later = [
                n for n in _inside([function], ast.Name) if n.lineno > line.lineno or n in again
            ]
            used = [n.id for n in later if isinstance(n.ctx, ast.Load) and n not in own]
            if stored and stored not in used:
                yield "new-value-lost", line


def _prints(function: Node) -> Found:
    """Find a value that is printed at the end of a block, where it should be returned."""
    for block in _blocks(function):
        call: Node = getattr(block[-1], "value", None) if block else None
        is_print = _called(call)[0] == "print" and len(call.args) == 1 and not call.keywords
        if is_print and type(getattr(call.args[0], "value", None)) is not str:
            yield "prints-instead", block[-1]


def _digits(function: Node) -> Found:
    """Find numbers in quotes, but not where a function makes a text."""
    for node in [] if _inside([function], ast.JoinedStr) else _inside([function], ast.Constant):
        if type(node.value) is str and _DIGITS.fullmatch(node.value):
            yield IN_QUOTES, node


_FINDERS: tuple[Callable[[Node], Found], ...] = (
    _stubs,
    _values_alone,
    _changed_lists,
    _early_ends,
    _value_indices,
    _lost_values,
    _prints,
    _digits,
)
