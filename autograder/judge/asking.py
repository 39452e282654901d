"""What Python answers by itself about any object, asked of the student's where a test means these.

Python asks nobody for `a is b`, `type(a)`, `a.__class__` or `hasattr(a, "__len__")`. In a test cell
these are written anew, as calls of functions that know stand-ins.
"""

import ast
import builtins
from types import EllipsisType, UnionType
from typing import Any

from autograder.judge.proxy import CallableStandIn, StandIn, reference_of, shown
from autograder.wire.tuples import is_made

_SINGLE = (type(None), bool, EllipsisType)


def rewritten(tree: ast.Module) -> ast.Module:
    """A test cell that asks where Python would not."""
    asking: ast.Module = _Asking().visit(tree)
    return ast.fix_missing_locations(asking)


class _Asking(ast.NodeTransformer):
    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        [operator, *more] = node.ops
        if more or not isinstance(operator, ast.Is | ast.IsNot):
            return node
        sides = (node.left, node.comparators[0])
        if any(isinstance(side, ast.Constant) and type(side.value) in _SINGLE for side in sides):
            return node
        same = _call("is_same", *sides)
        asked = same if isinstance(operator, ast.Is) else ast.UnaryOp(ast.Not(), same)
        return ast.copy_location(asked, node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        is_type = isinstance(node.func, ast.Name) and node.func.id == "type"
        if is_type and len(node.args) == 1 and not node.keywords:
            return ast.copy_location(_call("type_of", node.args[0]), node)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        is_own = node.attr.startswith("__") and node.attr.endswith("__")
        if not is_own or not isinstance(node.ctx, ast.Load):
            return node
        return ast.copy_location(_call("attribute", node.value, ast.Constant(node.attr)), node)

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        self.generic_visit(node)
        if node.conversion == ord("r"):
            node.value, node.conversion = _call("shown", node.value), -1
        return node


def _call(function: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(f"__{function}__", ast.Load()), list(arguments), [])


def is_same(one: Any, other: Any) -> bool:
    """What `is` says, of objects that stand-ins stand for."""
    if isinstance(one, StandIn) and isinstance(other, StandIn):
        return reference_of(one).is_same(reference_of(other))
    return one is other


def type_of(value: Any) -> Any:
    """What `type` says: of a student's object its class there."""
    return reference_of(value).operate("type") if isinstance(value, StandIn) else type(value)


def attribute(value: Any, name: str, *default: Any) -> Any:
    """What `getattr` says; of a student's object nothing but its own attributes."""
    if not isinstance(value, StandIn):
        return builtins.getattr(value, name, *default)
    if name in ("__name__", "__call__") and isinstance(value, CallableStandIn):
        return builtins.getattr(value, name)
    if name == "__class__":
        return type_of(value)
    try:
        return reference_of(value).attribute(name)
    except AttributeError:
        if default:
            return default[0]
        raise


def has_attribute(value: Any, name: str) -> bool:
    """What `hasattr` says."""
    try:
        attribute(value, name)
    except AttributeError:
        return False
    return True


def is_instance(value: Any, kinds: Any) -> bool:
    """What `isinstance` says; a value that has crossed is of the plain type that it shows."""
    if isinstance(kinds, tuple | UnionType):
        every = kinds if isinstance(kinds, tuple) else kinds.__args__
        return any(is_instance(value, kind) for kind in every)
    if isinstance(value, StandIn):
        return reference_of(value).is_instance(kinds)
    if isinstance(kinds, StandIn) and is_made(type(value)):
        return reference_of(kinds).makes(value)
    return isinstance(value, kinds)


def is_subclass(kind: Any, kinds: Any) -> bool:
    """What `issubclass` says."""
    if isinstance(kinds, tuple):
        return any(is_subclass(kind, one) for one in kinds)
    if isinstance(kind, StandIn):
        return bool(reference_of(kind).operate("is subclass", kinds))
    return False if isinstance(kinds, StandIn) else issubclass(kind, kinds)


def variables(*value: Any) -> Any:
    """What `vars` says of an object."""
    if value and isinstance(value[0], StandIn):
        return attribute(value[0], "__dict__")
    return builtins.vars(*value)


def directory(*value: Any) -> Any:
    """What `dir` says of an object."""
    if value and isinstance(value[0], StandIn):
        return reference_of(value[0]).operate("dir")
    return builtins.dir(*value)


NAMES = {
    "__is_same__": is_same,
    "__type_of__": type_of,
    "__attribute__": attribute,
    "__shown__": shown,
    "getattr": attribute,
    "hasattr": has_attribute,
    "isinstance": is_instance,
    "issubclass": is_subclass,
    "vars": variables,
    "dir": directory,
    "repr": shown,
}
