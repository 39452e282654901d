"""Handles: each stands for one object in the jail, so that the judge can ask about the object."""

import re
import sys
from collections import UserDict, UserList, UserString, deque
from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import count, islice
from pathlib import Path, PurePath, PurePosixPath
from typing import Any

from autograder.wire import Unfit
from autograder.wire.library_names import name_of

_MAX_HANDLES = 100_000
_MAX_ITEMS = 200_000  # of an iterator that is read whole
_MAX_TEXT = 20_000
_PLAIN = (bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset)


class Handles:
    """The objects of a submission that stay in the jail; the judge knows each by its number."""

    def __init__(self) -> None:
        self._objects: dict[int, Any] = {}
        self._next = count()
        self._numbers: dict[int, int] = {}

    def find(self, number: Any) -> Any:
        """Return the object with this number."""
        return self._objects[number]

    def describe(self, value: Any, is_known: bool = False) -> list[Any]:
        """Return the handle of an object: its number, its kind, and its name or that of its class.

        Raise `Unfit` if there are too many objects, if `value` is a class of exceptions, or if its
        class is a plain type or a library's class that extends one. If `is_known` is true, also
        raise it for instances and iterators of classes that are not the student's or the course's.
        """
        home = type(value)
        is_own = is_of_the_course(home)
        kind = "iterator" if hasattr(home, "__next__") else "instance"
        if isinstance(value, type):
            kind = "class"
        elif callable(value):
            kind = "callable instance" if is_own else "function"
        is_odd = issubclass(home, _PLAIN) or (is_known and kind in ("instance", "iterator"))
        if (is_odd and not is_own) or (kind == "class" and issubclass(value, BaseException)):
            raise Unfit(f"{name_of_object(home)} cannot be handed to the tests")
        number = self._numbers.get(id(value))
        if number is None:
            if len(self._objects) >= _MAX_HANDLES:
                raise Unfit("there are too many objects")
            number = next(self._next)  # unique, even if another thread asks at this moment
            self._objects[number] = value
            self._numbers[id(value)] = number
        return [number, kind, name_of_object(value) or name_of_object(home)]


def is_of_the_course(kind: type) -> bool:
    """Return true if a class is the student's own, or one that an earlier lesson built."""
    home = kind.__module__
    if not isinstance(home, str):
        return False
    return home == "__main__" or home.startswith("course.") or is_own_file(home)


def is_own_file(home: str) -> bool:
    """Return true if the module of this name was imported from the working folder."""
    file = getattr(sys.modules.get(home), "__file__", None)
    return isinstance(file, str) and Path(file).absolute().parent == Path.cwd()


def name_of_object(value: Any) -> str:
    """Return the `__name__` of an object that can be called, or "" for any other object."""
    name = getattr(value, "__name__", "") if callable(value) else ""
    return str(name)[:100]


def _short(text: str) -> str:
    if len(text) > _MAX_TEXT:
        raise ValueError(f"a text of {len(text):,} characters is too long for a test")
    return text


def _items(iterator: Any) -> list[Any]:
    items = list(islice(iterator, _MAX_ITEMS + 1))
    if len(items) > _MAX_ITEMS:
        raise ValueError(f"it gives more than {_MAX_ITEMS:,} values")
    return items


def held(value: Any) -> Any:
    """Return the plain value that an object holds; raise `TypeError` if it holds none.

    An object holds one if its class is, or extends, one of those in `_BY_TYPE` and `_BY_NAME`. The
    value is read only by methods of the listed class, not by methods that the student overrides.

    >>> class Day(date):
    ...     year = 1
    >>> held(Day(2024, 2, 29)), held(re.search("b(.)", "abc"))
    (datetime.date(2024, 2, 29), ('bc', 'c'))
    """
    for base in type.mro(type(value)):
        read = _BY_TYPE.get(base) or _BY_NAME.get(name_of(base) or "")
        if read is not None:
            return read(value, base)
    raise TypeError(f"a {type(value).__name__} holds no plain value")


def _content(value: Any, kind: type) -> Any:
    if type(content := object.__getattribute__(value, "__dict__")["data"]) is not kind:
        raise TypeError("its content is of a class of its own")
    return content


def _unmasked(value: Any, kind: Any) -> Any:
    if object.__getattribute__(value, "__dict__")["_mask"].any():
        raise TypeError("values are masked")
    return kind.__base__.view(value, kind.__base__)


_OF_FRACTION = ("_numerator", "_denominator")
# Each function takes a value, and the listed class that the value's class is or extends.
_BY_TYPE: dict[type, Callable[[Any, Any], Any]] = {
    datetime: lambda it, kind: kind(*kind.__reduce_ex__(it, 3)[1]),
    date: lambda it, kind: kind(*kind.__reduce__(it)[1]),
    timedelta: lambda it, kind: kind(*kind.__reduce__(it)[1]),
    Decimal: lambda it, kind: kind(it),
    Fraction: lambda it, kind: kind(*(vars(kind)[name].__get__(it) for name in _OF_FRACTION)),
    bytearray: lambda it, kind: kind.__getitem__(it, slice(None)),
    deque: lambda it, kind: kind(kind.__iter__(it), vars(kind)["maxlen"].__get__(it)),
    UserDict: lambda it, kind: kind(_content(it, dict)),
    UserList: lambda it, kind: kind(_content(it, list)),
    UserString: lambda it, kind: kind(_content(it, str)),
    PurePath: lambda it, kind: PurePosixPath(kind.__str__(it)),
    re.Match: lambda it, _: (it.group(), *it.groups()),  # truthy, and equal to no other answer
}
_BY_NAME: dict[str, Callable[[Any, Any], Any]] = {
    "numpy.ma.MaskedArray": _unmasked,
    "numpy.ndarray": lambda it, kind: kind.view(it, kind),
    "pandas.DataFrame": lambda it, kind: kind(it),
    "pandas.Series": lambda it, kind: kind(it),
}

# All that a test can do with an object, except to call it. None reveals what a test expects.
OPERATORS: dict[str, Callable[..., Any]] = {
    "get": getattr,
    "has": hasattr,
    "set": setattr,
    "call": lambda value, name, *given: getattr(value, name)(*given),
    "item": lambda value, key: value[key],
    "text": lambda value: _short(str(value)),
    "repr": lambda value: _short(repr(value)),
    "len": len,
    "bool": bool,
    "iter": lambda value: iter(value),
    "next": lambda value: next(value),
    "items": _items,
    "held": held,
    "is instance": lambda kind, value: isinstance(value, kind),
    "is instance of": isinstance,
}
