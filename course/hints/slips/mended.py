"""Tests of suspicious lines: a line is harmless if mending it makes the program no better."""

import ast
import inspect
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from course.function_calls import NoAnswer
from course.hints.fact_comparison import agrees, digests
from course.hints.mistakes import Table, hints_marked
from course.hints.observe import TOLD, observe
from course.hints.slips.of_code import CodeSlip
from course.hints.slips.syntax_tree import Node, inside, name_of, targets

Function = Callable[..., Any]

# Code that replaces a loop: the loop's body takes the place of `pass`, with the last line below it.
_STORED = """
for at, {name} in enumerate({walked}):
    pass
{walked}[at] = {name}
"""
_COUNTED = """
rounds = {walked}
{name} = rounds.start
while {name} < rounds.stop:
    pass
{name} = {name} + 1
"""


def is_harmless(function: Function, known: Table, seen: Any, slip: CodeSlip) -> bool:
    """Return true if a function gets no better when the line of `slip` is mended or left out.

    `seen` are the digests of the facts about the function. The result is false if no way to mend
    the line is known, and always false for a class, and for a function that draws random numbers,
    about which there are too few facts.
    """
    if known.observer not in TOLD or not inspect.isfunction(function) or function.__closure__:
        return False
    right, is_known = sum(map(agrees, seen, known.right.seen)), False
    for old, new in _changes(slip.tree, slip.id, slip.node):
        own, old, new = deepcopy((slip.tree, old, new))
        own.decorator_list = []
        module = ast.fix_missing_locations(ast.Module([_Swap(old, new).visit(own)], []))
        names = dict(function.__globals__)
        try:
            exec(compile(module, "<mended>", "exec"), names)  # noqa: S102 — the learner's own code
        except Exception:
            continue
        is_known = True
        try:
            facts = observe(names[own.name], known.observer, known.probes).facts
        except NoAnswer:
            continue
        if sum(map(agrees, digests(facts), known.right.seen)) > right:
            return False
    return is_known


class _Swap(ast.NodeTransformer):
    """A transformer that replaces one part of a tree by statements or by another value."""

    def __init__(self, old: Node, new: Any) -> None:
        self.old, self.new = old, new

    def visit(self, node: Node) -> Any:
        return self.new if node is self.old else self.generic_visit(node)


def _changes(tree: Node, slip: str, node: Node) -> Iterator[tuple[Node, Any]]:
    """Yield ways to mend a line, each a pair: a part of the tree, and what to put in its place."""
    if slip == "number-in-quotes":
        yield node, ast.Constant(int(node.value))
    elif slip == "same-list":
        copy = f"[each[:] if type(each) is list else each for each in {name_of(node.value)}]"
        yield node, _statements(f"{name_of(node.targets[0])} = {copy}")
    elif slip == "error-caught":
        for each in inside(tree, ast.Try):
            if node in each.handlers:
                yield each, each.body
    elif slip == "new-value-lost":
        yield from _with_own_count(tree, node)
    elif slip in hints_marked("value alone"):
        value = node.value.args[0] if slip == "prints-instead" else node.value
        text = ast.unparse(value)
        loops = [name_of(n) for each in inside(tree, ast.For) for n in ast.walk(each.target)]
        places = inside(value, ast.Name, ast.Attribute, ast.Subscript)
        if slip == "answer-thrown-away" and {*map(name_of, places)} & {*loops} - {""}:
            return  # as `merge(row)` in a loop over rows: the new row must be stored elsewhere
        meant = [f"return {text}", *(f"{ast.unparse(place)} = {text}" for place in places)]
        if isinstance(value, ast.Compare):
            meant.append(text.replace("==", "=", 1))
        for each in ["pass", *meant]:
            yield node, _statements(each)


def _with_own_count(tree: Node, node: Node) -> Iterator[tuple[Node, Any]]:
    """For each loop whose variable `node` sets, yield the loop, and code that keeps the new value.

    This code is to take the place of the loop.
    """
    for loop in inside(tree, ast.For):
        name, walked = name_of(loop.target), ast.unparse(loop.iter)
        if name != name_of(targets(node)[0]) or node not in inside(loop.body, type(node)):
            continue
        if isinstance(loop.iter, ast.Name):  # the new value may be meant for the list
            head, stored = _statements(_STORED.format(name=name, walked=walked))
            head.body = [*loop.body, stored]
            yield loop, [head]
        if walked.startswith("range("):
            if inside(loop.body, ast.Continue) or walked.count(",") > 1:
                return
            *first, head, after = _statements(_COUNTED.format(name=name, walked=walked))
            head.body = [*loop.body, after]
            yield loop, [*first, head]


def _statements(text: str) -> list[Any]:
    try:
        return ast.parse(text).body
    except SyntaxError:  # as in `slide(...) = ...`
        return [ast.Pass()]
