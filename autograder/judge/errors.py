"""Errors: the student's, rebuilt outside as the nearest known ones, and what any error says."""

import builtins
import sys
from collections.abc import Callable, Container
from typing import Any, NamedTuple

from autograder.wire import WireError

MAX_MESSAGE = 2000


class Place(NamedTuple):
    """Where in the notebook the student's code raised: a cell's id, and a line of it from 1 up."""

    cell: str
    line: int


class StudentError(Exception):
    """The student's code raised something that no built-in `Exception` is near to."""


def make_error(parts: Any, more: Callable[[Any], "More"] | None = None) -> Exception:
    """The exception of what the jail says about one; it has its `Place`, or `None`, as `place`.

    `more` reads what is said beyond that: see `More`. Raises `WireError` if the parts are not those
    of an error. What would end the judge itself, such as `SystemExit`, becomes `StudentError`.
    """
    if type(parts) is list and len(parts) == 5 and more is not None:
        error = make_error(parts[:4])
        return _with_more(error, more(parts[4]))
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


class More(NamedTuple):
    """Of an exception: its class outside, where there is one, its arguments, and who knows it."""

    kind: type[Exception] | None
    arguments: tuple[Any, ...] | None
    stand_in: Any


class Own:
    """What exceptions have that stand for the student's own: attributes that are asked."""

    _said = ""
    _stand_in: Any = None

    def __getattr__(self, name: str) -> Any:
        stand_in = vars(self).get("_stand_in")
        if stand_in is None or name.startswith("__"):
            raise AttributeError(name)
        return getattr(stand_in, name)

    def __str__(self) -> str:
        return self._said


def make_kind(name: str, bases: tuple[type[Exception], ...]) -> type[Exception]:
    """A class outside for one of the student's own exceptions, so that a test can catch it."""
    own: tuple[type, ...] = (
        (Own, *bases) if not any(issubclass(base, Own) for base in bases) else bases
    )
    names = {"__module__": "__main__", "__init__": _take}
    try:
        return type(name[:100], own, names)
    except TypeError:  # these bases do not go together
        return type(name[:100], (Own, bases[0]), names)


def _take(self: Any, *arguments: Any, **options: Any) -> None:
    """Takes any arguments, as the student's own class may."""
    self.args = arguments
    self._said = str(arguments[0] if len(arguments) == 1 else arguments or "")


def library_kind(kinds: list[Any], words: Container[str]) -> type[Exception] | None:
    """The nearest exception of a library that is loaded here, if the test has a word for it.

    So no other class takes part in a test than those that it names: `numpy.linalg.LinAlgError`.
    """
    for kind in kinds[:100]:
        home, _, name = kind.rpartition(".") if type(kind) is str else ("", "", "")
        if home.partition(".")[0] in ("autograder", "course") or name not in words:
            continue
        found = getattr(sys.modules.get(home), name, None) if home else None
        if isinstance(found, type) and issubclass(found, Exception):
            return found
    return None


def _with_more(error: Exception, more: More) -> Exception:
    if more.kind is not None and not isinstance(error, StudentError):
        said, place = said_by(error), error.place  # type: ignore[attr-defined]
        error = more.kind.__new__(more.kind)
        error.args = (said,)
        error.place = place  # type: ignore[attr-defined]
        if isinstance(error, Own):
            error._said, error._stand_in = said, more.stand_in
    if more.arguments is not None and not isinstance(error, StudentError):
        error.args = more.arguments
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


def line_of(error: BaseException, test: str) -> int:
    """The line of a test cell at which an error came up; 0 if it was none of its lines."""
    if isinstance(error, SyntaxError):
        return error.lineno or 0
    line, entry = 0, error.__traceback__
    while entry is not None:
        if entry.tb_frame.f_code.co_filename == test:
            line = entry.tb_lineno
        entry = entry.tb_next
    return line


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
