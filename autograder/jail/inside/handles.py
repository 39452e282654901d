"""Objects that stay in the jail, and how they are told of outside."""

import sys
from itertools import count
from pathlib import Path
from typing import Any

from autograder.wire import Unfit
from autograder.wire.named import name_of

_MAX_HANDLES = 100_000
_MAX_BASES = 10
_MAX_DEPTH = 8
_PLAIN = (bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset)


class Handles:
    """Objects that stay here; outside they are known by their number.

    `given` are the classes that both sides have, by their names.
    """

    def __init__(self) -> None:
        self.given: dict[str, type] = {}
        self._objects: dict[int, Any] = {}
        self._next = count()
        self._numbers: dict[int, int] = {}

    def find(self, number: Any) -> Any:
        """The object of a number."""
        return self._objects[number]

    def describe(self, value: Any, is_known: bool = False) -> Any:
        """The number of an object, its kind, its name or that of its class, what it extends.

        An exception of the student's own is told by its bases instead. Raises `Unfit` for a value
        of a library that extends a plain type; and for any that is neither the student's own nor
        can be called, if it has to be known what it is.
        """
        if is_own_exception(value):
            return {"exception": self.exception(value)}
        kind, plain = kind_of_object(value), _extended(type(value))
        is_odd = plain or (is_known and kind in ("instance", "iterator"))
        if is_odd and not is_of_the_course(type(value)):
            raise Unfit(f"{name_of_object(type(value))} can not be handed to the tests")
        name = name_of_object(value) or name_of_object(type(value))
        return [self.number(value), kind, name, plain or _fields(value)]

    def exception(self, kind: type, depth: int = 0) -> Any:
        """A class of exceptions: its name where both sides know it, else its number and bases."""
        if self.given.get(kind.__name__) is kind:
            return kind.__name__
        if not is_own_exception(kind):
            return name_of(kind) or "builtins.Exception"
        bases = [base for base in kind.__bases__ if issubclass(base, Exception)][:_MAX_BASES]
        if depth > _MAX_DEPTH or not bases:
            return "builtins.Exception"
        told = [self.exception(base, depth + 1) for base in bases]
        return [self.number(kind), name_of_object(kind), told]

    def number(self, value: Any) -> int:
        """The number of an object, a new one for a new object."""
        number = self._numbers.get(id(value))
        if number is None:
            if len(self._objects) >= _MAX_HANDLES:
                raise Unfit("there are too many objects")
            number = next(self._next)  # so it has no other object, in another thread or later
            self._objects[number] = value
            self._numbers[id(value)] = number
        return number


def is_own_exception(value: Any) -> bool:
    """Whether a value is a class of exceptions of the student's own."""
    return isinstance(value, type) and issubclass(value, Exception) and is_of_the_course(value)


def kind_of_object(value: Any) -> str:
    """How an object is reached: as a class, as something to call, or as an instance."""
    if isinstance(value, type):
        return "class"
    if is_of_the_course(type(value)):
        return "callable instance" if callable(value) else _instance(type(value))
    if callable(value):
        return "function"
    return _instance(type(value))


def _instance(kind: type) -> str:
    return "iterator" if hasattr(kind, "__next__") else "instance"


def _extended(kind: type) -> str:
    """The plain type that a class extends."""
    return next((plain.__name__ for plain in _PLAIN if issubclass(kind, plain)), "")


def _fields(value: Any) -> list[str] | str:
    """The fields of a data class, or of an object of one; empty for anything else."""
    kind = value if isinstance(value, type) else type(value)
    fields = getattr(kind, "__dataclass_fields__", None)
    return [str(name) for name in fields] if type(fields) is dict else ""


def is_of_the_course(kind: type) -> bool:
    """Whether a class is the student's own, or one that an earlier lesson built."""
    home = kind.__module__
    if not isinstance(home, str):
        return False
    return home == "__main__" or home.startswith("course.") or is_own_file(home)


def is_own_file(home: str) -> bool:
    """Whether a module is one that the student's cells have written and imported."""
    file = getattr(sys.modules.get(home), "__file__", None)
    return isinstance(file, str) and Path(file).absolute().parent == Path.cwd()


def name_of_object(value: Any) -> str:
    """What something that can be called says that it is called."""
    name = getattr(value, "__name__", "") if callable(value) else ""
    return str(name)[:100]
