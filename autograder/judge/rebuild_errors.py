"""Errors of students' code, rebuilt outside of the jail, and the text of any error."""

import builtins
import sys
from collections.abc import Container
from contextlib import suppress
from typing import Any, NamedTuple

from autograder.wire import WireError

MAX_MESSAGE = 2000


class CellLine(NamedTuple):
    """The place where the student's code raised an error: a cell's id and a line counted from 1."""

    cell: str
    line: int


class StudentError(Exception):
    """An error in place of a student's error, such as `SystemExit`, that would end the judge."""


def make_error(parts: Any, words: Container[str] = ()) -> Exception:
    """Return the exception that the jail describes; its `place` is a `CellLine` or `None`.

    Its class is that of the student's error, or the nearest base class that is known here: a
    built-in class, or the class of a loaded library, such as `numpy.linalg.LinAlgError`, whose name
    is among the `words` of the test. An error that would end the judge itself, such as
    `SystemExit`, becomes a `StudentError`. Raise `WireError` if `parts` describe no error.
    """
    is_error = type(parts) is list and len(parts) == 4
    if not is_error or [type(part) for part in parts[:3]] != [list, str, str]:
        raise WireError("this is no error")
    kinds, name, message, place = parts
    error: Exception | None = None
    for one in kinds[:100]:
        home, _, known = one.rpartition(".") if type(one) is str else ("", "", "")
        is_ours = home.partition(".")[0] in ("autograder", "course")
        is_known = not home or (known in words and not is_ours)
        module = sys.modules.get(home) if home else builtins
        found: Any = getattr(module, known, None) if is_known else None
        if found in (Exception, BaseException):
            break
        if isinstance(found, type) and issubclass(found, Exception):
            with suppress(TypeError):  # the class needs more than a text
                error = found.__new__(found) if home else found(message[:MAX_MESSAGE])
                break
    if error is None:
        is_usual = "Exception" in kinds[:100]
        error = Exception() if is_usual else StudentError()
        message = message if is_usual else f"{name[:100]}: {message}"
    error.args = (message[:MAX_MESSAGE],)
    cell, line = place if type(place) is list and len(place) == 2 else ("", 0)
    is_place = type(cell) is str and type(line) is int and 0 < line < 10**6
    error.place = CellLine(cell, line) if is_place else None  # type: ignore[attr-defined]
    return error


def error_text(error: BaseException) -> str:
    """Return the name of an error's class, and its message if it has one; never raise.

    >>> error_text(ValueError("no")), error_text(ValueError())
    ('ValueError: no', 'ValueError')
    """
    said = said_by(error)
    name = type.__getattribute__(type(error), "__name__")
    return f"{name}: {said}" if said else name


def said_by(error: BaseException) -> str:
    """Return `str` of an error, or an empty text if even that raises."""
    try:
        return str.__str__(str(error))
    except BaseException:
        return ""


def place_of(error: BaseException, cells: frozenset[str]) -> CellLine | None:
    """Return where the student's code raised an error, or `None` if not in one of the `cells`."""
    place = vars(error).get("place")
    return place if isinstance(place, CellLine) and place.cell in cells else None


def line_of(error: BaseException, test: str) -> int:
    """Return the line of a test cell at which an error arose, or 0 if no such line is known."""
    if isinstance(error, SyntaxError):
        return error.lineno or 0
    line, entry = 0, error.__traceback__
    while entry is not None:
        if entry.tb_frame.f_code.co_filename == test:
            line = entry.tb_lineno
        entry = entry.tb_next
    return line
