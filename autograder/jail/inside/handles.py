"""Handles, by which the judge names objects that stay in the jail, and asks them questions."""

import sys
from collections.abc import Callable
from itertools import count, islice
from pathlib import Path
from typing import Any

from autograder.jail.inside.held_values import held
from autograder.wire import Unfit

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
        """Return the object with that number."""
        return self._objects[number]

    def describe(self, value: Any, is_known: bool = False) -> list[Any]:
        """Return the handle of an object: its number, its kind, and its name or its class's.

        Raises `Unfit` for a class of exceptions, and for an object whose class is a plain type, or
        extends one and is not the student's; with `is_known`, also for an instance or iterator of
        a class that is neither the student's nor the course's.
        """
        home = type(value)
        is_own = is_of_the_course(home)
        kind = "iterator" if hasattr(home, "__next__") else "instance"
        if isinstance(value, type):
            kind = "class"
        elif callable(value):
            kind = "callable instance" if is_own else "function"
        if (issubclass(home, _PLAIN) and not is_own) or (
            kind == "class" and issubclass(value, BaseException)
        ):
            raise Unfit(f"{name_of_object(home)} cannot be handed to the tests")
        if is_known and kind in ("instance", "iterator") and not is_own:
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


# All questions to an object, other than calls. None of them reveals what a test expects.
OPERATORS: dict[str, Callable[..., Any]] = {
    "get": getattr,
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
