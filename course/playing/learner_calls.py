"""Calls of a learner's function, which may raise an error, print, or run until it is stopped."""

from collections.abc import Callable
from contextlib import redirect_stdout
from copy import deepcopy
from dataclasses import dataclass, replace
from io import TextIOBase
from typing import Any

from course.plain_errors import ENDLESS, MISSING, ipython_shell, place_of

KEPT_CHARACTERS = 2000
SHOWN_CHARACTERS = 160


@dataclass(eq=False)
class Stuck(Exception):  # noqa: N818 — no error of the course: the learner's code gave no answer
    """The error raised if a learner's code gave no answer with which the game can go on.

    `title` says what happened, and `text` the details. `code` is the line of the learner's program
    that raised an error, `suspect` the name of the function or class that gave an unusable answer;
    both may be "". `stopped` is true if the learner has stopped the call.
    """

    title: str
    text: str
    code: str = ""
    stopped: bool = False
    suspect: str = ""

    def __str__(self) -> str:
        return f"{self.title} {self.text}"

    def and_so(self, sentence: str) -> "Stuck":
        """Return a copy of this error with one more sentence in `text`."""
        return replace(self, text=f"{self.text} {sentence}".strip())


class Tail(TextIOBase):
    """A text file that keeps only its end, so that a loop that prints does not fill the memory."""

    text = ""

    def write(self, text: str) -> int:
        self.text = (self.text + text)[-KEPT_CHARACTERS:]
        return len(text)

    def lines(self) -> list[str]:
        """Return the last lines that are not blank, at most six; long lines are cut."""
        return [cut(line) for line in self.text.splitlines() if line.strip()][-6:]


def call(
    name: str,
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    printed: Tail,
    source: str | None = None,
) -> Any:
    """Call a learner's function, and return a copy of its answer; raise `Stuck` if the call fails.

    The error calls the function `name`, and shows the line at which it failed in the file `source`,
    by default the file of `function`. The text that the function prints is written to `printed`.
    """
    try:
        with redirect_stdout(printed):
            return deepcopy(function(*arguments))
    except KeyboardInterrupt:
        raise Stuck(f"Your {name} was stopped.", ENDLESS, stopped=True) from None
    except BaseException as error:  # any error comes from the learner's code
        code = getattr(getattr(function, "func", function), "__code__", None)  # also in a `partial`
        raise stuck_by(error, name, source or getattr(code, "co_filename", None)) from None


def stuck_by(error: BaseException, name: str, source: str | None) -> Stuck:
    """Return a `Stuck` that describes an exception that the learner's function `name` has raised.

    `source` is the file of the learner's code; if it is `None`, only lines of cells are named.
    """
    place = place_of(error, source)
    where = f" in line {place.number}" if place else ""
    if place and place.function != name:
        where += f" ({place.function})"
    message = message_of(error)
    if not message and isinstance(error, NotImplementedError):
        message = MISSING
    text = f"{type(error).__name__}{where}" + (f": {message}" if message else "") + "."
    return Stuck(f"Your {name} raised an error.", text, place.code if place else "")


def message_of(error: BaseException) -> str:
    """Return the message of an exception, shortened, and without a full stop at its end."""
    try:
        return cut(str(error)).rstrip(".")
    except Exception:
        return ""


def cut(text: str, longest: int = SHOWN_CHARACTERS) -> str:
    """Return a text of at most `longest` characters; if it was longer, it ends with "…"."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def shown(value: Any) -> str:
    """Return a value as Python writes it, cut if it is long; never raises an error.

    >>> shown([2, 0]), shown(None)
    ('[2, 0]', 'None')
    """
    try:
        return cut(repr(value))
    except Exception:
        return f"a {type(value).__name__}"


def latest(function: Callable[..., Any]) -> Callable[[], Callable[..., Any]]:
    """Return a function without arguments that returns the newest version of `function`.

    So a board plays with the new function once the learner has run its cell again. If the notebook
    does not have `function` under its own name, the newest version is always `function` itself.
    """
    name = getattr(function, "__name__", "")
    is_named = notebook_names().get(name) is function

    def newest() -> Any:
        found = notebook_names().get(name) if is_named else None
        return found if callable(found) else function

    return newest


def notebook_names() -> dict[str, Any]:
    """Return the names that the learner's cells define; empty if there is no notebook."""
    shell = ipython_shell()
    return shell.user_ns if shell is not None else {}
