"""Named tuples: they cross by their names and values, and are made anew as named tuples."""

from collections import namedtuple
from functools import lru_cache
from typing import Any

from autograder.wire.frames import WireError

_MOST_FIELDS = 100
_LONGEST = 100
_OF_ALL = frozenset(vars(namedtuple("_", ()))) | {
    *("__annotations__", "__orig_bases__", "__annotate__", "__annotate_func__"),
    *("__annotations_cache__", "__firstlineno__", "__static_attributes__"),
}


def as_parts(value: tuple[Any, ...]) -> list[Any] | None:
    """The name, the names of the fields and the values; `None` if it has methods of its own."""
    kind = type(value)
    fields = getattr(kind, "_fields", None)
    if kind.__bases__ != (tuple,) or type(fields) is not tuple:
        return None
    if not set(vars(kind)) <= _OF_ALL | set(fields):
        return None
    return [kind.__name__, list(fields), list(tuple.__iter__(value))]


def from_parts(name: Any, fields: Any, values: Any) -> Any:
    """The named tuple of these parts; raises an error if they are not those of one."""
    if type(name) is not str or type(fields) is not list or type(values) is not list:
        raise WireError("this is no named tuple")
    if len(fields) > _MOST_FIELDS or len(fields) != len(values):
        raise WireError("this is no named tuple")
    if any(type(field) is not str or len(field) > _LONGEST for field in (name, *fields)):
        raise WireError("this is no named tuple")
    return made(name, tuple(fields))._make(values)


@lru_cache(maxsize=256)
def made(name: str, fields: tuple[str, ...]) -> Any:
    """The class of the named tuples of that name with these fields."""
    return namedtuple(name, fields)
