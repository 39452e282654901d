"""Errors: the student's, rebuilt outside as the nearest built-in ones, and what any error says."""

import builtins
from typing import Any, NamedTuple

from autograder.wire import WireError

MAX_MESSAGE = 2000


class Place(NamedTuple):
    """Where in the notebook the student's code raised: a cell's id, and a line of it from 1 up."""

    cell: str
    line: int


class StudentError(Exception):
    """The student's code raised something that no built-in `Exception` is near to."""


def make_error(parts: Any) -> Exception:
    """The exception of what the jail says about one; it has its `Place`, or `None`, as `place`.

    Raises `WireError` if the parts are not those of an error. What would end the judge itself, such
    as `SystemExit`, becomes `StudentError`.
    """
    if type(parts) is not list or len(parts) != 4:
        raise WireError("this is no error")
    kinds, name, message, place = parts
    if type(kinds) is not list or type(name) is not str or type(message) is not str:
        raise WireError("this is no error")
    error = _nearest(kinds[:100])(message[:MAX_MESSAGE])
    if isinstance(error, StudentError):
        error.args = (f"{name[:100]}: {message[:MAX_MESSAGE]}",)
    error.place = _place(place)  # type: ignore[attr-defined]
    return error


def error_text(error: BaseException) -> str:
    """The kind of an error and what it says, whatever its class does when it is asked.

    >>> error_text(ValueError("no")), error_text(ValueError())
    ('ValueError: no', 'ValueError')
    """
    said = said_by(error)
    name = type.__getattribute__(type(error), "__name__")
    return f"{name}: {said}" if said else name


def said_by(error: BaseException) -> str:
    """What `str` of an error gives; nothing if it can not even say that."""
    try:
        return str.__str__(str(error))
    except KeyboardInterrupt:
        raise
    except BaseException:
        return ""


def place_of(error: BaseException, cells: frozenset[str]) -> Place | None:
    """Where the student's code raised an error, if it is in one of these cells."""
    place = vars(error).get("place")
    return place if isinstance(place, Place) and place.cell in cells else None


def _place(said: Any) -> Place | None:
    if type(said) is not list or len(said) != 2:
        return None
    cell, line = said
    is_place = type(cell) is str and type(line) is int and 0 < line < 10**6
    return Place(cell, line) if is_place else None


def _nearest(kinds: list[Any]) -> type[Exception]:
    for kind in kinds:
        found = getattr(builtins, kind, None) if type(kind) is str else None
        if found in (Exception, BaseException):
            break
        if isinstance(found, type) and issubclass(found, Exception) and _takes_text(found):
            return found
    return Exception if "Exception" in kinds else StudentError


def _takes_text(kind: type[Exception]) -> bool:
    try:
        kind("")
    except TypeError:
        return False
    return True
