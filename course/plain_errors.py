"""Errors in plain words: a notebook shows a sentence, and no traceback of the course's files."""

import sys
from codeop import PyCF_ALLOW_INCOMPLETE_INPUT  # type: ignore[attr-defined]
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from course.error_words import error_text, place_of
from course.function_calls import NoAnswer

P = ParamSpec("P")
T = TypeVar("T")

ENDLESS = "It had not answered yet. Does one of its loops never end?"


def plainly(function: Callable[P, T]) -> Callable[P, T]:
    """Wrap a function that learners call, so that a notebook shows its errors as sentences.

    The wrapper raises the same errors as the function. If an error already has a method
    `_render_traceback_`, as `Refusal` has, the notebook shows it in the error's own way.
    """

    @wraps(function)
    def asked(*arguments: P.args, **options: P.kwargs) -> T:
        try:
            return function(*arguments, **options)
        except (Exception, KeyboardInterrupt) as error:
            _tell(error)
            raise

    return asked


def ipython_shell() -> Any:
    """Return the shell of IPython that runs the learner's cells; `None` outside of IPython."""
    module = sys.modules.get("IPython")
    return module.get_ipython() if module is not None else None


def say_what_is_missing(shell: Any) -> None:
    """Make a shell show Python's own message for an unfinished cell, from now on.

    Without this, IPython shows only "incomplete input" if a bracket is never closed, or if a
    function has no line of code.
    """
    shell.compile.flags &= ~PyCF_ALLOW_INCOMPLETE_INPUT


def _tell(error: BaseException) -> None:
    """Add to an error the lines that IPython shows in place of its traceback."""
    if not hasattr(error, "_render_traceback_"):
        lines = told(error)
        with suppress(Exception):  # a learner's error may refuse to be changed
            error._render_traceback_ = lambda: lines  # type: ignore[attr-defined]


def told(error: BaseException) -> list[str]:
    """Return an error as lines: a sentence, and the learner's line it comes from, if there is one.

    >>> told(KeyboardInterrupt()), told(TypeError("tally() needs a function"))
    (['Stopped.'], ['TypeError: tally() needs a function'])
    """
    place = place_of(error)
    is_stopped = isinstance(error, KeyboardInterrupt | NoAnswer)
    if place is None:
        said = "Stopped." if is_stopped else text_of(error)
    elif is_stopped:
        said = (
            f"Your {_name(error)} was stopped. {ENDLESS}\n    in line {place.number}: {place.code}"
        )
    else:
        said = f"Your {_name(error)} raised an error. {text_of(error)}"
    return said.splitlines()


def text_of(error: BaseException) -> str:
    """Return an error in words, as `error_text` does, even if its own text cannot be made."""
    try:
        return error_text(error)  # type: ignore[arg-type]
    except Exception:  # a learner's own error whose text cannot even be made
        return type(error).__name__


def _name(error: BaseException) -> str:
    """Return the name of the outermost learner's function in the traceback of an error.

    Return "code" if there is no such function.
    """
    entry = error.__traceback__
    while entry is not None:
        code = entry.tb_frame.f_code
        if entry.tb_frame.f_globals.get("__name__") == "__main__":
            return code.co_name if code.co_name.isidentifier() else "code"
        entry = entry.tb_next
    return "code"
