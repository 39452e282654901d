"""Whether a test depends on nothing but what it is answered.

Such a test asks the same questions of whoever answers the same, and ends the same way. One that
looks at a clock, a file, or chance without a seed does not, nor does one that keeps something for
the next test. What is not plainly of this kind runs for each submission.
"""

import ast
from functools import lru_cache
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

_MODULES = frozenset(("math", "itertools", "collections", "fractions", "course"))
_WITH_A_SEED = "Random"
_ELSEWHERE = frozenset(
    (
        *("open", "input", "id", "hash", "globals", "locals", "vars", "eval", "exec", "compile"),
        *("setattr", "delattr", "breakpoint", "help", "exit", "quit", "memoryview", "object"),
    )
)
_FIXED = (type(None), bool, int, float, str, bytes, ModuleType, BuiltinFunctionType)


@lru_cache(maxsize=1024)
def is_repeatable(source: str) -> bool:
    """Whether a test cell depends on nothing but its answers and the names that it is given.

    >>> is_repeatable("from random import Random\\nassert merge([Random(1).choice([2, 4])])")
    True
    >>> is_repeatable("import time"), is_repeatable("from random import choice")
    (False, False)
    """
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return False
    if not all(map(_is_plain_definition, tree.body)):
        return False
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    seeded = {call.func for call in calls if _has_a_seed(call)}
    return not any(_depends_on_more(node, seeded) for node in ast.walk(tree))


def is_fixed(value: Any) -> bool:
    """Whether a value of the given cells is the same for every submission, and stays so."""
    if isinstance(value, type | FunctionType):
        return value.__module__ != "__main__"
    return type(value) in _FIXED or type(value).__module__.startswith("course.checks")


def _is_plain_definition(node: ast.stmt) -> bool:
    """Whether a definition at the top of a cell has nothing in it that is worked out at once."""
    if isinstance(node, ast.ClassDef | ast.AsyncFunctionDef):
        return False
    if isinstance(node, ast.FunctionDef):
        return not (node.decorator_list or node.args.defaults or any(node.args.kw_defaults))
    return True


def _has_a_seed(node: ast.Call) -> bool:
    match node:
        case ast.Call(func=ast.Name(id=name), args=[first, *_]):
            return name == _WITH_A_SEED and not _is_none(first)
    return False


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant | ast.Starred) and getattr(node, "value", None) is None


def _depends_on_more(node: ast.AST, seeded: set[ast.expr]) -> bool:
    match node:
        case ast.Import(names=names):
            return any(alias.name.partition(".")[0] not in _MODULES for alias in names)
        case ast.ImportFrom(module=module, names=names, level=level):
            if module == "random":
                return [(alias.name, alias.asname) for alias in names] != [(_WITH_A_SEED, None)]
            return bool(level) or (module or "").partition(".")[0] not in _MODULES
        case ast.Name(id=name):
            is_own = name.startswith("__")
            return is_own or name in _ELSEWHERE or (name == _WITH_A_SEED and node not in seeded)
        case ast.Attribute(attr=name, ctx=context):
            is_changed = not isinstance(context, ast.Load)
            return is_changed or name.startswith("__") or name == "seed"
    return isinstance(node, ast.Global | ast.Nonlocal | ast.Await | ast.AsyncFor | ast.AsyncWith)
