"""Errors of the student's code, rebuilt outside as the built-in exceptions nearest to them."""

import builtins
from typing import Any

from autograder.wire import WireError

MAX_MESSAGE = 2000


class StudentError(Exception):
    """The student's code raised something that no built-in `Exception` is near to."""


def make_error(parts: Any) -> Exception:
    """The exception of what the jail says about one; it has the learner's line as `line`.

    Raises `WireError` if the parts are not those of an error. What would end the judge itself, such
    as `SystemExit`, becomes `StudentError`.
    """
    if type(parts) is not list or len(parts) != 4:
        raise WireError("this is no error")
    kinds, name, message, line = parts
    if type(kinds) is not list or type(name) is not str or type(message) is not str:
        raise WireError("this is no error")
    error = _nearest(kinds)(message[:MAX_MESSAGE])
    if isinstance(error, StudentError):
        error.args = (f"{name[:100]}: {message[:MAX_MESSAGE]}",)
    is_line = type(line) is int and 0 < line < 10**6
    error.line = line if is_line else None  # type: ignore[attr-defined]
    return error


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
