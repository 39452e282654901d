"""Mutations: small changes to a program, like those that people make by mistake.

`changed_sources` replaces one piece in the text of a cell; all other text stays as it was written.
"""

import ast
from collections.abc import Collection, Iterator
from copy import copy
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

# Python 3.11 does not know the place of a node inside of an f-string.
SKIPPED_NODES = ast.JoinedStr | ast.Assert | ast.Import | ast.ImportFrom
SKIPPED_FIELDS = {"annotation", "returns", "decorator_list", "type_params"}


def changed_sources(source: str, lines: Collection[int]) -> Iterator[tuple[int, str]]:
    """Yield each mutant of a cell once, as a pair: the number of the changed line, the whole text.

    Only code in `lines`, a collection of line numbers, is changed. A cell that is no plain Python
    has no mutants. If several lines change, the number is that of the first.

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
        for changed in (*variants(node), *_neighbours(node)):
            old, new = piece(node, changed)
            if not {*range(old.lineno, old.end_lineno + 1)} <= {*lines}:
                continue
            start = starts[old.lineno - 1] + old.col_offset
            end = starts[old.end_lineno - 1] + old.end_col_offset
            text = ast.unparse(ast.fix_missing_locations(new))
            forms = (f"({text})", text) if isinstance(new, ast.expr) else (text, text)
            safe, short = ((data[:start] + form.encode() + data[end:]).decode() for form in forms)
            meant = _dump(safe)
            if meant and meant not in seen:
                seen.add(meant)
                yield old.lineno, short if _dump(short) == meant else safe


def _dump(source: str) -> str:
    """Return a program's syntax tree as a text, to compare programs; "" if it is no Python."""
    try:
        compile(source, "mutant", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        return ast.dump(ast.parse(source))
    except (SyntaxError, ValueError):
        return ""


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield those nodes of a tree that may be changed."""
    if isinstance(node, SKIPPED_NODES):
        return
    yield node
    for name, value in ast.iter_fields(node):
        if name not in SKIPPED_FIELDS:
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _nodes(child)


def piece(node: Any, changed: Any) -> tuple[Any, Any]:
    """Return a pair: the part of `node` that differs in `changed`, and the new form of this part.

    If both nodes are an `if`, a `while` or a conditional expression, this part is the condition. In
    a comprehension, it is the first condition, which becomes `True`. Else it is the whole node.
    """
    if isinstance(node, ast.comprehension):
        return node.ifs[0], ast.Constant(True)
    is_condition = isinstance(node, ast.If | ast.While | ast.IfExp) and type(changed) is type(node)
    return (node.test, changed.test) if is_condition else (node, changed)


def variants(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that a person may write by mistake in place of a node."""
    match node:
        case ast.Expr(ast.Constant()):  # a docstring
            return
        case ast.FunctionDef() | ast.ClassDef() | ast.Import() | ast.ImportFrom() | ast.Pass():
            return
        case ast.stmt():
            yield ast.Pass()
    match node:
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Break()
        case ast.Return(ast.expr() as value):
            yield ast.Return(ast.Constant(None))
            if isinstance(value, ast.Name | ast.List | ast.ListComp | ast.BinOp | ast.Call):
                yield ast.Return(ast.List([], ast.Load()))
        case ast.Raise(ast.expr() as error):
            yield ast.Return(error)
        case ast.If(test) | ast.While(test) | ast.IfExp(test):
            for other in (ast.UnaryOp(ast.Not(), test), ast.Constant(True), ast.Constant(False)):
                changed = copy(node)
                vars(changed)["test"] = other
                yield changed
        case ast.comprehension(target, source, [_, *_], is_async):
            yield ast.comprehension(target, source, [], is_async)
        case ast.Compare(left, [operator], right):
            for compared in COMPARED[type(operator)]:
                yield ast.Compare(left, [compared()], right)
        case ast.BinOp(left, operator, right):
            for computed in COMPUTED.get(type(operator), ()):
                yield ast.BinOp(left, computed(), right)
        case ast.AugAssign(target, operator, value):
            yield ast.Assign([target], value, lineno=0)
            for computed in COMPUTED.get(type(operator), ()):
                yield ast.AugAssign(target, computed(), value)
        case ast.BoolOp(operator, values):
            yield ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
            yield from values
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield operand
        case ast.Constant(value):
            yield from map(ast.Constant, _constants(value))
        case ast.Call():
            yield from _calls(node)
        case ast.Tuple([first, second], context):
            yield ast.Tuple([second, first], context)
        case ast.Subscript(ast.Subscript(table, row, inner), column, outer):
            yield ast.Subscript(ast.Subscript(table, column, inner), row, outer)
    if isinstance(node, ast.Subscript) and isinstance(part := node.slice, ast.Slice):
        for slice_ in (
            ast.Slice(None, part.upper, part.step),
            ast.Slice(part.lower, None, part.step),
            ast.Slice(part.lower, part.upper, None),
        ):
            yield ast.Subscript(node.value, slice_, node.ctx)
        if isinstance(node.ctx, ast.Load):
            yield node.value


def _constants(value: Any) -> Iterator[Any]:
    """Yield other constants: one more, one less, half, the opposite, another probability."""
    if type(value) is int:
        yield from (value + 1, value - 1)
        if value > 2:
            yield value // 2
    elif type(value) is bool:
        yield not value
    elif type(value) is float:
        yield from (0.5, 1 - value)
    elif value in TURNED:
        yield TURNED[value]


def _calls(node: ast.Call) -> Iterator[ast.AST]:
    """Yield the nodes that a person may write by mistake in place of a call.

    They are: only the argument, if the call copies or sorts it; the call without one of its
    arguments, or with the first two exchanged; a `range` with other ends.
    """
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


def _neighbours(node: ast.AST) -> Iterator[ast.AST]:
    """For a node such as `line[i]`, yield `line[i + 1]` and `line[i - 1]`; for others, nothing."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name | ast.BinOp):
        for operator in (ast.Add(), ast.Sub()):
            index = ast.BinOp(node.slice, operator, ast.Constant(1))
            yield ast.Subscript(node.value, index, node.ctx)
