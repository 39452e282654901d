"""Slips (ids of general hints) that the text of a function shows: lines that do not do their work.

In a right program, such lines do no harm. So most of them count only in a function that is known to
be wrong. A finder takes the syntax tree of a function, and yields (slip, node) for each such line.
"""

import ast
import builtins
import inspect
import linecache
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from course import rules
from course.hints.slips import of_names
from course.hints.slips.syntax_tree import (
    Found,
    Node,
    always_leaves,
    arguments,
    blocks,
    called,
    conditions,
    givers,
    inside,
    like,
    loaded,
    name_of,
    stored,
    targets,
)

_NEW = ("copy", "choice", "sample", "random", "join", "replace", "rjust", "split")
_MAY_STAND_ALONE = (ast.Call, ast.Constant, ast.ListComp, ast.NamedExpr, ast.Yield, ast.YieldFrom)
_SHORTENS = ("remove", "pop", "insert")
_DIGITS = re.compile(r"-?\d+")
_RANGES = re.compile(r"range\((?P<start>1, )?len\((?P<name>\w+)\)(?P<end> - 1)?\)")
_SHALLOW = re.compile(r"(\w+)\[:\]|(\w+)\.copy\(\)|list\((\w+)\)")
_EMPTY = ("[]", "0", "''")


@dataclass(frozen=True)
class CodeSlip:
    """A line that does not do its work: the `id` of its general hint, and an `example` sentence.

    `method` is the method or property of a class that the line is in; it is empty for a function.
    `node` is the part of `tree`, the syntax tree of the function, that shows the slip.
    """

    id: str
    method: str
    example: str
    tree: Node = field(repr=False)
    node: Node = field(repr=False)


def slips_of_code(function: Callable[..., Any]) -> list[CodeSlip]:
    """Return the lines of a function or class that do not do their work, the surest kinds first.

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
            for rank, slip, tree, at in _slips("".join(lines), part.__code__.co_firstlineno):
                text = at.arg if isinstance(at, ast.arg) else lines[at.lineno - 1].strip()
                example = f"Look at line {at.lineno}: `{text}`."
                found.append((rank, CodeSlip(slip, method, example, tree, at)))
    return [slip for _, slip in sorted(found, key=lambda pair: pair[0])]


def slips_of_text(program: str) -> set[str]:
    """Return the slips (ids of general hints) that the text of a program shows."""
    return {slip for _, slip, _, _ in _slips(program)}


@cache
def _slips(program: str, first: int = 0) -> list[tuple[int, str, Node, Node]]:
    """Return (rank, id, function, node) for each slip in a program; a lower rank is surer.

    If `first` is not 0, only the function that begins in the line of this number counts.
    """
    try:
        tree = ast.parse(program)
    except (SyntaxError, ValueError):
        return []
    every = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]
    starts = [min([each.lineno, *(d.lineno for d in each.decorator_list)]) for each in every]
    own = [each for each, start in zip(every, starts, strict=True) if first in (0, start)]
    ranked = [*enumerate(_FINDERS)]
    return [(n, slip, f, at) for f in own for n, find in ranked for slip, at in find(f)]


def _stubs(function: Node) -> Found:
    """Find `raise NotImplementedError()` above other code."""
    for block in blocks(function):
        for each in block[:-1]:
            if isinstance(each, ast.Raise) and "NotImplementedError" in ast.unparse(each):
                yield "stub-left", each


def _values_alone(function: Node) -> Found:
    """Find lines that only compute a value, except in a `try`, which may need just the error."""
    tried = [line for each in inside(function, ast.Try) for line in each.body]
    for line in inside(function, ast.Expr):
        value = line.value
        asked, _, method = called(value.elt if isinstance(value, ast.ListComp) else value)
        if line in tried:
            continue
        if asked.endswith(("Error", "Exception")) and hasattr(builtins, asked):
            yield "raise-forgotten", line
        elif isinstance(value, ast.Compare) and isinstance(value.ops[0], ast.Eq):
            yield "compares-in-place-of-storing", line
        elif not isinstance(value, _MAY_STAND_ALONE) or type(getattr(value, "value", "")) is int:
            yield "value-thrown-away", line
        elif asked in givers() or method in _NEW:
            yield "answer-thrown-away", line


def _drawn_once(function: Node) -> Found:
    """Find a random number that is used twice: to choose from a list, and in a comparison."""
    places = [each.args for each in inside(function, ast.Call) if called(each)[0] == "int"]
    chosen = {node.id for given in places for node in inside(given, ast.Name)}
    asked = {node.id for each in inside(function, ast.Compare) for node in inside(each, ast.Name)}
    for line in inside(function, ast.Assign):
        if called(line.value)[2] == "random" and name_of(line.targets[0]) in chosen & asked:
            yield "one-draw", line


def _old_returned(function: Node) -> Found:
    """Find `return board`, the old board, in a function that fills a new one and never reads it."""
    filled = stored(function, ast.Subscript)
    read = {each.id for each in {*loaded(function)} - {*loaded(filled)}}
    made = {each.id for each in stored(function)}
    is_lost = bool({*map(name_of, filled)} & made - read)
    for line in inside(function, ast.Return) if is_lost else ():
        if isinstance(line.value, ast.Name) and line.value.id in arguments(function) - made:
            yield "old-returned", line


def _sets(function: Node) -> Found:
    """Find `set(line)` in a function that returns tiles: a set keeps only one of equal tiles."""
    right = getattr(getattr(rules, function.name, None), "__annotations__", {}).get("return")
    is_of_tiles = str(right).startswith(("list[int]", "list[list"))
    for call in inside(function, ast.Call) if is_of_tiles else ():
        if called(call)[0] == "set" and call.args:
            yield "set-drops-equal", call


def _fixed_counts(function: Node) -> Found:
    """Find `for index in range(4)` if the index is used in a line, a board or a new list."""
    walks = [(n, rf"\[{name_of(n.target)}\b", n.body) for n in inside(function, ast.For)]
    for made in inside(function, ast.ListComp):
        walks += [(n, rf"\b{name_of(n.target)}\b", [made.elt]) for n in made.generators]
    for walk, use, body in walks:
        is_used = name_of(walk.target) and re.search(use, "".join(map(ast.unparse, body)))
        if is_used and re.fullmatch(r"range\([2-9]\)", ast.unparse(walk.iter)):
            yield "fixed-count", walk.iter


def _changed_lists(function: Node) -> Found:
    """Find a list that gets shorter or longer while a loop walks over it or its indices."""
    for loop in inside(function, ast.For):
        walked = {name_of(each) for each in ast.walk(loop.iter)} - {""}
        is_walk = isinstance(loop.iter, ast.Name) or called(loop.iter)[0] in ("range", "enumerate")
        for block in blocks(loop) if is_walk else ():
            for at, line in enumerate(block):
                changed = [name_of(each) for each in getattr(line, "targets", [])]
                if not isinstance(line, ast.Delete):
                    simple: list[Node] = [line] if isinstance(line, ast.Expr | ast.Assign) else []
                    calls = map(called, inside(simple, ast.Call))
                    changed = [name for _, name, does in calls if does in _SHORTENS]
                if walked & {*changed} and not always_leaves(block[at + 1 : at + 2]):
                    yield "list-changes-in-loop", line


def _early_ends(function: Node) -> Found:
    """Find a `return` that ends a loop in its first round, or returns what the loop still fills."""
    for loop in inside(function, ast.For, ast.While):
        ends = inside(loop.body, ast.Return)
        calls = map(called, inside(loop.body, ast.Call))
        filled = {name for _, name, does in calls if does == "append"}
        filled |= {*map(name_of, stored(loop.body, ast.Subscript))}
        filled -= {each.id for each in stored(loop.body)}
        early = [each for each in ends if filled & {*map(name_of, ast.walk(each))} - {""}]
        if any(each.arg == "rng" for each in function.args.args):
            early = []  # functions that draw often look for one square, and may return it at once
        if always_leaves(loop.body) and not inside(loop.body, ast.Continue):
            early = ends
        if early:
            yield "returns-too-early", early[-1]


def _value_indices(function: Node) -> Found:
    """Find `line[tile]` in a loop that walks over the values of `line`, not over its indices."""
    walks = inside(function, ast.For)
    source = {name_of(each.target): name_of(each.iter) for each in walks}
    keys = bool(inside(function, ast.Dict, ast.DictComp))  # the keys of a dictionary are no indices
    for loop in [] if keys else walks:
        value, walked = name_of(loop.target), name_of(loop.iter)
        lists = {walked, source.get(walked, "")} - {""} if walked else ()
        of_row = isinstance(loop.iter, ast.Subscript) and isinstance(loop.iter.slice, ast.Constant)
        for node in inside(loop.body, ast.Subscript):
            index = node.slice.left if isinstance(node.slice, ast.BinOp) else node.slice
            is_index = isinstance(index, ast.Name) and index.id == value
            if is_index and (of_row or name_of(node) in lists):
                yield "value-as-index", node


def _odd_indices(function: Node) -> Found:
    """Find loops that leave out an index, or read `line[index - 1]` at index 0.

    Find also `line.index(tile)` for each tile of a line: it finds only the first of equal tiles.
    """
    bare = {name_of(each) for each in conditions(function)}  # as in `if index:`
    compared = {name_of(node.left) for node in inside(function, ast.Compare)}
    for loop in inside(function, ast.For):
        index, texts = name_of(loop.target), [*map(ast.unparse, loop.body)]
        walked = _RANGES.fullmatch(ast.unparse(loop.iter))
        if not index or walked is None or not re.search(rf"\[{index}\]", "".join(texts)):
            continue
        start, name, end = walked["start"], walked["name"], walked["end"]
        beside = re.search(rf"\b{index} ?[-+]|[-+] ?{index}\b", "".join(texts))
        edges = re.search(rf"\b{name}\[(0|-1|1:|:-1|len)|\b{name}\.", ast.unparse(function))
        if bool(start) != bool(end) and not beside and not edges:
            yield "square-left-out", loop.iter
        elif not start and index not in bare | compared:
            for line, text in zip(loop.body, texts, strict=True):
                if re.search(rf"\b{name}\[{index} - 1\]", text):
                    yield "index-before-first", line
    walks = [n for n in ast.walk(function) if isinstance(n, ast.For | ast.comprehension)]
    pairs = {(name_of(each.iter), name_of(each.target)) for each in walks}
    for call in inside(function, ast.Call):
        given = name_of(call.args[0]) if call.args else ""
        if called(call)[2] == "index" and given and (called(call)[1], given) in pairs:
            yield "index-finds-first", call


def _shallow_copies(function: Node) -> Found:
    """Find `new[row][column] = ...` if `new` is a copy that shares its rows with an argument."""
    given = arguments(function) - {each.id for each in stored(function)}
    stores = stored(function, ast.Subscript)
    rows = {name_of(each) for each in stores if isinstance(each.value, ast.Name)}  # perhaps new
    deep = {name_of(each) for each in stores if isinstance(each.value, ast.Subscript)}
    for line in inside(function, ast.Assign):
        copied = _SHALLOW.fullmatch(ast.unparse(line.value))
        is_given = copied is not None and bool({*copied.groups()} & given - rows)
        name = line.targets[0]
        if is_given and isinstance(name, ast.Name) and name.id in deep - rows:
            yield "shallow-copy", line


def _resets(function: Node) -> Found:
    """Find `total = 0` or `cells = []` inside a loop, if the value is read only after the loop."""
    for loop in inside(function, ast.For, ast.While):
        for line in loop.body:
            value = line.value if isinstance(line, ast.Assign) else None
            empty = isinstance(value, ast.List | ast.Constant) and ast.unparse(value) in _EMPTY
            name = name_of(line.targets[0]) if empty else ""
            if not name:
                continue
            own = [n for n in inside(loop.body, ast.Assign, ast.AugAssign) if n is not line]
            grows = [n for n in own if name_of(targets(n)[0]) == name]
            grows += [n for n in inside(loop.body, ast.Call) if called(n)[1:] == (name, "append")]
            inner = inside(grows, ast.Name)
            read = [n.lineno for n in loaded(function) if n.id == name and n not in inner]
            lines = [number for number in read if number > line.lineno]
            if grows and lines and min(lines) > loop.end_lineno:
                used = [each for each in inside(function, ast.Expr) if each.lineno == min(lines)]
                is_put = [each for each in used if called(each.value)[2] == "append"]
                yield ("append-behind-loop", is_put[0]) if is_put else ("reset-in-loop", line)


def _two_things(function: Node) -> Found:
    """Find `row = []` above `for row in board`: the loop uses the name for something else."""
    for block in blocks(function):
        names: set[str] = set()
        for line in block:
            if isinstance(line, ast.Assign) and ast.unparse(line.value) == "[]":
                names.add(name_of(line.targets[0]))
            if isinstance(line, ast.For) and name_of(line.target) in names - {""}:
                yield "name-for-two-things", line


def _lost_values(function: Node) -> Found:
    """Find new values of a loop's variable that are lost when the next round begins."""
    for loop in inside(function, ast.For):
        names = {name_of(each) for each in ast.walk(loop.target)} - {""}
        for line in inside(loop.body, ast.Assign, ast.AugAssign):
            target = targets(line)[0]
            name = target.id if isinstance(target, ast.Name) and target.id in names else None
            rounds = [each for each in inside(loop.body, ast.For, ast.While) if line in each.body]
            again, loads = loaded(rounds), {*loaded(function)} - {*loaded(line)}
            used = [n.id for n in loads if n.lineno > line.lineno or n in again]
            if name and name not in used:
                yield "new-value-lost", line


def _prints(function: Node) -> Found:
    """Find a value that is printed at the end of a block, and should be returned."""
    for block in blocks(function):
        last = block[-1] if block else None
        gives_a_name = isinstance(last, ast.Return) and isinstance(last.value, ast.Name)
        lines = block[:-1] if gives_a_name else block
        call: Node = getattr(lines[-1], "value", None) if lines else None
        is_print = called(call)[0] == "print" and len(call.args) == 1 and not call.keywords
        if is_print and type(getattr(call.args[0], "value", None)) is not str:
            yield "prints-instead", lines[-1]


def _digits(function: Node) -> Found:
    """Find numbers in quotes, but not in a function with an f-string, which makes a text."""
    for node in [] if inside(function, ast.JoinedStr) else inside(function, ast.Constant):
        if type(node.value) is str and _DIGITS.fullmatch(node.value):
            yield "number-in-quotes", node


_FINDERS: tuple[Callable[[Node], Found], ...] = (
    _stubs,
    _values_alone,
    like("plus-behind-equals", ast.Assign, r".* = \+.*"),  # as `total =+ gained`
    *of_names.FINDERS,
    _changed_lists,
    _early_ends,
    _value_indices,
    _odd_indices,
    like("never-equal", ast.Compare, r"(.+) == \1 [-+] [1-9]\d*|(.+) [-+] [1-9]\d* == \2"),
    _fixed_counts,
    _drawn_once,
    _old_returned,
    _sets,
    _shallow_copies,
    _resets,
    _two_things,
    _lost_values,
    _prints,
    _digits,
    *of_names.LAST,
)
