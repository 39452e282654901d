"""Helpers: the learner's own functions that a function calls; it is never blamed for them."""

from collections.abc import Callable, Iterator
from types import CodeType, FunctionType
from typing import Any

Function = Callable[..., Any]

MOST = 20  # functions; a program may come up with ever more of them


def own_helpers(function: Function) -> Iterator[Function]:
    """Yield the learner's own functions that a function or class uses, and those that these use.

    There are at most `MOST`, and the function itself is not among them.
    """
    waiting, met = [function], [function]
    while waiting and len(met) <= MOST:
        for helper in _used_by(waiting.pop(0)).values():
            if all(helper is not other and helper != other for other in met):
                met.append(helper)
                waiting.append(helper)
                yield helper


def _used_by(function: Function) -> dict[str, Function]:
    """Return the learner's functions named in the code of a function or class, by their names.

    >>> sorted(_used_by(own_helpers))
    []
    """
    members = list(vars(function).values()) if isinstance(function, type) else [function]
    found: dict[str, Function] = {}
    for member in (getattr(member, "fget", member) for member in members):
        known = getattr(member, "__globals__", {})
        for name in _names(getattr(member, "__code__", None)):
            value = known.get(name)
            if isinstance(value, FunctionType) and not value.__module__.startswith("course."):
                found[name] = value
    return found


def _names(code: CodeType | None) -> Iterator[str]:
    """Yield all names that a piece of code asks for, in its inner functions as well."""
    if code is not None:
        yield from code.co_names
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                yield from _names(constant)
