"""Questions that Python answers without asking the object, put to the student's objects instead.

Python asks nobody for `type(a)`, `a.__doc__` or `hasattr(a, "__len__")`. In a test cell these are
written anew, as calls of functions that know stand-ins.
"""

import ast
import builtins
from types import UnionType
from typing import Any

from autograder.judge.proxy import StandIn, reference_of, shown


def rewritten(tree: ast.Module) -> ast.Module:
    """A test cell that asks where Python would not."""
    asking: ast.Module = _Asking().visit(tree)
    return ast.fix_missing_locations(asking)


class _Asking(ast.NodeTransformer):
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


def type_of(value: Any) -> type:
    """Return the type of a value; refuse for a student's object, whose class is in the jail."""
    return reference_of(value).refuse("type") if isinstance(value, StandIn) else type(value)


def attribute(value: Any, name: str, *default: Any) -> Any:
    """Return an attribute as `getattr` does; of a student's object, one of its own."""
    if not isinstance(value, StandIn):
        return builtins.getattr(value, name, *default)
    if name == "__class__":
        return type_of(value)
    try:
        return reference_of(value).attribute(name)
    except AttributeError:
        if default:
            return default[0]
        raise


def has_attribute(value: Any, name: str) -> bool:
    """Return true if the object has the attribute, as `hasattr` does."""
    try:
        attribute(value, name)
    except AttributeError:
        return False
    return True


def is_instance(value: Any, kinds: Any) -> bool:
    """Return what `isinstance` says; for a student's object, in its own process."""
    if isinstance(kinds, tuple | UnionType):
        every = kinds if isinstance(kinds, tuple) else kinds.__args__
        return any(is_instance(value, kind) for kind in every)
    if isinstance(value, StandIn):
        return reference_of(value).operate("is instance of", kinds) is True
    return isinstance(value, kinds)


def is_subclass(kind: Any, kinds: Any) -> bool:
    """Return what `issubclass` says; refuse for a student's class."""
    every = kinds if isinstance(kinds, tuple) else (kinds,)
    for one in (kind, *every):
        if isinstance(one, StandIn):
            reference_of(one).refuse("issubclass")
    return issubclass(kind, kinds)


def variables(*value: Any) -> Any:
    """Return what `vars` says; refuse for a student's object."""
    if value and isinstance(value[0], StandIn):
        reference_of(value[0]).refuse("vars")
    return builtins.vars(*value)


NAMES = {
    "__type_of__": type_of,
    "__attribute__": attribute,
    "__shown__": shown,
    "getattr": attribute,
    "hasattr": has_attribute,
    "isinstance": is_instance,
    "issubclass": is_subclass,
    "vars": variables,
    "repr": shown,
}
