"""Mutations: small changes to a program, like those that people make by mistake.

`changed_sources` makes them in the text of a cell, so that all else of it stays as it was written.
"""

import ast
from collections.abc import Callable, Collection, Iterator
from copy import deepcopy
from typing import Any

COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq, ast.GtE, ast.LtE),
    ast.NotEq: (ast.Eq, ast.Gt),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
COMPUTED: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub, ast.Mult),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add, ast.FloorDiv),
    ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.FloorDiv,),
    ast.Div: (ast.FloorDiv, ast.Mult),
    ast.Pow: (ast.Mult,),
}
TURNED = {"left": "right", "right": "left", "up": "down", "down": "up"}
COPIES = ("list", "deepcopy", "copy", "sorted", "reversed", "tuple", "set")


Change = Callable[[ast.AST], Iterator[ast.AST | list[ast.stmt]]]

# Inside of an f-string, Python 3.11 does not know where a node is.
SKIPPED_NODES = ast.JoinedStr | ast.Assert | ast.Import | ast.ImportFrom
SKIPPED_FIELDS = {"annotation", "returns", "decorator_list", "type_params"}


def changed_sources(source: str, lines: Collection[int]) -> Iterator[tuple[int, str]]:
    """Yield each mutant of a cell once: the number of its first changed line, and its whole text.

    Only what lies in `lines`, a collection of line numbers, is changed. A cell that is no plain
    Python has no mutants.

    >>> [text for _, text in changed_sources("def f(a):  # one\\n    return a", {2})][:2]
    ['def f(a):  # one\\n    pass', 'def f(a):  # one\\n    return None']
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return
    data = source.encode()
    starts = [0]
    for row in data.split(b"\n"):
        starts.append(starts[-1] + len(row) + 1)
    seen = {ast.dump(tree)}
    for node in _nodes(tree):
        for change in (*CHANGES, _indexes):
            for changed in change(node):
                old, new = piece(node, changed)
                if not lines or not {*range(old.lineno, old.end_lineno + 1)} <= {*lines}:
                    continue
                start = starts[old.lineno - 1] + old.col_offset
                end = starts[old.end_lineno - 1] + old.end_col_offset
                text = ast.unparse(ast.fix_missing_locations(new))
                is_value = isinstance(new, ast.expr)
                forms = (f"({text})", text) if is_value else (text, text)
                safe, short = (
                    (data[:start] + form.encode() + data[end:]).decode() for form in forms
                )
                meant = _dump(safe)
                if meant and meant not in seen:
                    seen.add(meant)
                    yield old.lineno, short if _dump(short) == meant else safe


def _dump(source: str) -> str:
    """Return a text that only equal programs have in common; "" if it is no Python."""
    try:
        compile(source, "mutant", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        return ast.dump(ast.parse(source))
    except (SyntaxError, ValueError):
        return ""


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that may be changed."""
    if isinstance(node, SKIPPED_NODES):
        return
    yield node
    for name, value in ast.iter_fields(node):
        if name not in SKIPPED_FIELDS:
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _nodes(child)


def piece(node: Any, changed: Any) -> tuple[Any, Any]:
    """Return the smallest part of a node that a change replaces, and its new form.

    Of a statement or expression with branches, this part is only the condition.
    """
    if isinstance(node, ast.comprehension):
        return node.ifs[0], ast.Constant(True)
    is_condition = isinstance(node, ast.If | ast.While | ast.IfExp) and type(changed) is type(node)
    return (node.test, changed.test) if is_condition else (node, changed)


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield `pass` in place of a statement, and `break` for `continue` or the reverse."""
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    definitions = ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom | ast.Pass
    if isinstance(node, ast.stmt) and not is_text and not isinstance(node, definitions):
        yield ast.Pass()
    if isinstance(node, ast.Break):
        yield ast.Continue()
    if isinstance(node, ast.Continue):
        yield ast.Break()


def _returns(node: ast.AST) -> Iterator[ast.AST]:
    """Yield `return None`, `return []`, or the return of an error that was raised."""
    if isinstance(node, ast.Return) and node.value is not None:
        yield ast.Return(ast.Constant(None))
        if isinstance(node.value, ast.Name | ast.List | ast.ListComp | ast.BinOp | ast.Call):
            yield ast.Return(ast.List([], ast.Load()))
    if isinstance(node, ast.Raise) and node.exc is not None:
        yield ast.Return(node.exc)


def _tests(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a copy whose condition is the opposite, always true, always false, or left out."""
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        for test in (ast.UnaryOp(ast.Not(), node.test), ast.Constant(True), ast.Constant(False)):
            copy = deepcopy(node)
            copy.test = test
            yield copy
    if isinstance(node, ast.comprehension) and node.ifs:
        without = deepcopy(node)
        without.ifs = []
        yield without


def _operators(node: ast.AST) -> Iterator[ast.AST]:
    """Yield another comparison, another operator, or only one of several conditions."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        for kind in COMPARED[type(node.ops[0])]:
            yield ast.Compare(node.left, [kind()], node.comparators)
    if isinstance(node, ast.BinOp):
        for operator in COMPUTED.get(type(node.op), ()):
            yield ast.BinOp(node.left, operator(), node.right)
    if isinstance(node, ast.AugAssign):
        yield ast.Assign([node.target], node.value, lineno=0)
        for operator in COMPUTED.get(type(node.op), ()):
            yield ast.AugAssign(node.target, operator(), node.value)
    if isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        yield from node.values
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield node.operand


def _constants(node: ast.AST) -> Iterator[ast.AST]:
    """Yield another constant: one more, one less, another direction, another probability."""
    if not isinstance(node, ast.Constant):
        return
    if type(node.value) is int:
        yield ast.Constant(node.value + 1)
        yield ast.Constant(node.value - 1)
        if node.value > 2:
            yield ast.Constant(node.value // 2)
    elif type(node.value) is bool:
        yield ast.Constant(not node.value)
    elif type(node.value) is float:
        yield ast.Constant(0.5)
        yield ast.Constant(1 - node.value)
    elif node.value in TURNED:
        yield ast.Constant(TURNED[node.value])


def _calls(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a call without its effect, such as a copy, or with other arguments.

    An argument is left out, two are exchanged, or a `range` has other ends.
    """
    if not isinstance(node, ast.Call):
        return
    name = getattr(node.func, "id", getattr(node.func, "attr", ""))
    if name in COPIES and len(node.args) == 1:
        yield node.args[0]
    if name == "copy" and isinstance(node.func, ast.Attribute) and not node.args:
        yield node.func.value
    if name == "range":
        *before, stop = node.args[:2]
        for end in (ast.Add(), ast.Sub()):
            last = ast.BinOp(stop, end, ast.Constant(1))
            yield ast.Call(node.func, [*before, last, *node.args[2:]], [])
        if not before:
            yield ast.Call(node.func, [ast.Constant(1), stop], [])
    if len(node.args) >= 2:
        first, second, *rest = node.args
        yield ast.Call(node.func, [second, first, *rest], node.keywords)
        yield ast.Call(node.func, node.args[:-1], node.keywords)
    for index in range(len(node.keywords)):
        others = node.keywords[:index] + node.keywords[index + 1 :]
        yield ast.Call(node.func, node.args, others)


def _places(node: ast.AST) -> Iterator[ast.AST]:
    """Yield row and column exchanged, a slice without one of its parts, or no slice at all."""
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Subscript):
        inner = ast.Subscript(node.value.value, node.slice, node.value.ctx)
        yield ast.Subscript(inner, node.value.slice, node.ctx)
    if isinstance(node, ast.Tuple) and len(node.elts) == 2:
        yield ast.Tuple(node.elts[::-1], node.ctx)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        part = node.slice
        if part == ast.Slice():
            return
        yield ast.Subscript(node.value, ast.Slice(None, part.upper, part.step), node.ctx)
        yield ast.Subscript(node.value, ast.Slice(part.lower, None, part.step), node.ctx)
        yield ast.Subscript(node.value, ast.Slice(part.lower, part.upper, None), node.ctx)
        if isinstance(node.ctx, ast.Load):
            yield node.value


def _indexes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the item before and the item after the one that is taken by a variable index."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name | ast.BinOp):
        for operator in (ast.Add(), ast.Sub()):
            index = ast.BinOp(node.slice, operator, ast.Constant(1))
            yield ast.Subscript(node.value, index, node.ctx)


CHANGES: tuple[Change, ...] = (
    statements, _returns, _tests, _operators, _constants, _calls, _places,
)  # fmt: skip
