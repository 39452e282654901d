"""Proxies, which a test cell gets in place of the student's functions, classes and objects.

The test may call them, read and set their attributes, read their items, iterate over them, and
use `str`, `repr`, `len`, `bool` and `isinstance`. Every answer is made of exact built-in types, or
is another proxy. Any other operation, such as `==`, `<`, `+`, `in`, setting an item, `with` or a
copy, ends the test, because the student's class could answer as it likes. A test that needs one of
these operations runs in the jail.

Python answers `type(a)`, `a.__doc__` and `a is b` without asking the proxy `a`. So these
expressions in a test cell are replaced by calls of functions, which ask the proxy.
"""

import ast
import builtins
import operator
from collections.abc import Iterator, Sequence
from functools import partialmethod
from types import UnionType
from typing import Any, TypeVar

from autograder.course_adapter import Answer, Made
from autograder.judge.remote_object import Back, Reference

Plain = TypeVar("Plain")
_LONGEST = 20_000  # characters of what `str` and `repr` of an object give
_FUNCTIONS = ("function", "class")
_BINARY = (
    *("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "divmod", "pow"),
    *("and", "or", "xor", "lshift", "rshift"),
)


class StudentProxy:
    """A proxy for one object in the jail.

    If an object comes in several answers of a test, its proxy is always the same. But each name
    that the object has in the notebook gets a proxy of its own. While the answer key is graded,
    every answer brings a new proxy.
    """

    __slots__ = ("__reference",)
    __reference: Reference
    __array_ufunc__ = None  # numpy leaves operators to the proxy

    def __init__(self, reference: Reference) -> None:
        object.__setattr__(self, "_StudentProxy__reference", reference)

    def __getattr__(self, name: str) -> Any:
        # Python and its libraries ask any object for names such as `__array__`. The student's
        # object is not asked for them.
        if name in ("__bases__", "__dict__"):  # for `issubclass` and `vars`
            reference_of(self).refuse(name)
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return reference_of(self).attribute(name)

    def __take_steps__(self, steps: list[Any]) -> tuple[list[Any], Exception | None]:
        """Take steps, which `course/function_calls.py` defines; see `Reference.take_steps`."""
        return reference_of(self).take_steps(steps)

    def __setattr__(self, name: str, value: Any) -> None:
        reference_of(self).operate("set", name, value)

    def __getitem__(self, key: Any) -> Any:
        return reference_of(self).operate("item", key)

    def __str__(self) -> str:
        return _text(reference_of(self).operate("text"))

    def __repr__(self) -> str:
        """Return a text for messages. The object is not asked: a list may hold many objects."""
        reference = reference_of(self)
        noun = reference.kind if reference.kind in _FUNCTIONS else "object"
        return f"<{reference.type_name or reference.label} {noun}>"

    def __len__(self) -> int:
        return _checked(reference_of(self).operate("len"), int)

    def __bool__(self) -> bool:
        return _checked(reference_of(self).operate("bool"), bool)

    def __iter__(self) -> Iterator[Any]:
        found = reference_of(self).operate("iter")
        if isinstance(found, IteratorStudentProxy):
            return found
        return _checked(found, type(iter([])))  # all its values came at once


# Without these, Python would answer by itself, or raise a `TypeError` that a test may expect.
for _name in (
    *("eq", "ne", "lt", "le", "gt", "ge", "hash", "contains", "setitem", "delitem"),
    *("delattr", "enter", "exit", "reversed", "format", "dir", "reduce_ex", "neg", "pos", "abs"),
    *("invert", "round", "int", "float", "complex", "index"),
    *(f"{side}{name}" for name in _BINARY for side in ("", "r", "i")),
):
    _refuse = partialmethod(lambda self, sign, *_: reference_of(self).refuse(sign), f"__{_name}__")
    setattr(StudentProxy, f"__{_name}__", _refuse)


class IteratorStudentProxy(StudentProxy):
    """A proxy for a generator or another iterator: each `next` asks for one more value."""

    __slots__ = ()
    __len__ = None  # type: ignore[assignment] # so `list` does not ask for its length

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return reference_of(self).operate("next")


class CallableStudentProxy(StudentProxy):
    """A proxy for a function, a method, a class, or another object that can be called."""

    __slots__ = ()
    __name__ = property(lambda self: reference_of(self).name)

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return reference_of(self).call(arguments, options)

    def call_many(
        self, calls: list[list[Any]], steps: Sequence[Any] = (), back: Back = "arguments"
    ) -> list[Answer]:
        """Call the function or class for each list of arguments; see `Reference.call_many`."""
        return reference_of(self).call_many(calls, steps, back)

    # As `call_many`, but the answers of `values_many` have no arguments, and those of `chance_many`
    # have each `Random` as the call left it.
    values_many = partialmethod(call_many, back="values")
    chance_many = partialmethod(call_many, back="chance")

    def __made_many__(self, plans: list[list[Any]]) -> list[Made]:
        """Make many objects and take steps with each, in one message; see `Reference.made_many`."""
        return reference_of(self).made_many(plans)

    def __instancecheck__(self, instance: object) -> bool:
        if not isinstance(instance, StudentProxy):
            return False
        return _checked(reference_of(self).operate("is instance", instance), bool)


def shown(value: Any) -> str:
    """Return the `repr` of a value; for a proxy, return the `repr` of its object in the jail."""
    if isinstance(value, StudentProxy):
        return _text(reference_of(value).operate("repr"))
    return repr(value)


def reference_of(proxy: StudentProxy) -> Reference:
    """Return the `Reference` of a proxy, which asks questions about the object in the jail."""
    reference: Reference = object.__getattribute__(proxy, "_StudentProxy__reference")
    return reference


# Classes of proxies by the kind of the object; objects of all other kinds can be called.
PROXIES: dict[str, Any] = {"instance": StudentProxy, "iterator": IteratorStudentProxy}


def _checked(value: Any, kind: type[Plain]) -> Plain:
    if type(value) is not kind:
        raise TypeError(f"the answer is not a {kind.__name__}")
    return value


def _text(value: Any) -> str:
    if len(text := _checked(value, str)) > _LONGEST:
        raise ValueError(f"a text of {len(text):,} characters is too long")
    return text


def rewritten(tree: ast.Module) -> ast.Module:
    """Return a test cell that calls functions of `NAMES` in place of `type(a)` and the like."""
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

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        [sign, *more], sides = node.ops, (node.left, node.comparators[0])
        is_fixed = any(isinstance(side, ast.Constant) for side in sides)
        if more or is_fixed or not isinstance(sign, ast.Is | ast.IsNot):
            return node
        asked = _call("is_same", *sides)
        is_not = isinstance(sign, ast.IsNot)
        return ast.copy_location(ast.UnaryOp(ast.Not(), asked) if is_not else asked, node)

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        self.generic_visit(node)
        if node.conversion == ord("r"):
            node.value, node.conversion = _call("shown", node.value), -1
        return node


def _call(function: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(f"__{function}__", ast.Load()), list(arguments), [])


def type_of(value: Any) -> type:
    """Return the type of a value. For a proxy, end the test: the object's class is in the jail."""
    return reference_of(value).refuse("type") if isinstance(value, StudentProxy) else type(value)


def attribute(value: Any, name: str, *default: Any) -> Any:
    """Return an attribute as `getattr` does; for a proxy, the attribute of its object."""
    if not isinstance(value, StudentProxy):
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
    """Return what `hasattr` returns; for a proxy, the jail answers about its object."""
    if not isinstance(value, StudentProxy):
        return builtins.hasattr(value, name)
    reference = reference_of(value)
    return _checked(reference.operate("has", name, label=f"{reference.label}.{name}"), bool)


def is_instance(value: Any, kinds: Any) -> bool:
    """Return what `isinstance` returns; for a proxy, the jail answers about its object."""
    if isinstance(kinds, tuple | UnionType):
        every = kinds if isinstance(kinds, tuple) else kinds.__args__
        return any(is_instance(value, kind) for kind in every)
    if isinstance(value, StudentProxy):
        return reference_of(value).operate("is instance of", kinds) is True
    return isinstance(value, kinds)


NAMES = {
    "__is_same__": operator.is_,  # in a test, `Process.is_same`
    "__type_of__": type_of,
    "__attribute__": attribute,
    "__shown__": shown,
    "getattr": attribute,
    "hasattr": has_attribute,
    "isinstance": is_instance,
    "repr": shown,
}
