"""The functions of a student's own that another one uses."""

from collections.abc import Callable, Iterator
from types import CodeType, FunctionType
from typing import Any

_MOST = 100


def own_helpers(function: Any) -> dict[str, Callable[..., Any]]:
    """The functions whose names stand in the code of a function or class, by these names."""
    members = list(vars(function).values()) if isinstance(function, type) else [function]
    found: dict[str, Callable[..., Any]] = {}
    for member in (getattr(member, "fget", member) for member in members):
        known = getattr(member, "__globals__", None)
        for name in _names(getattr(member, "__code__", None)):
            value = known.get(name) if type(known) is dict else None
            if (
                type(value) is FunctionType
                and value.__module__ == "__main__"
                and len(found) < _MOST
            ):
                found[name] = value
    return found


def _names(code: Any) -> Iterator[str]:
    """All names that a piece of code asks for, in its inner functions as well."""
    if type(code) is CodeType:
        yield from code.co_names
        for constant in code.co_consts:
            yield from _names(constant)
