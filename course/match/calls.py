"""Calls of a learner's function: never trusted to answer, to be quick, silent, or to come back."""

import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from copy import deepcopy
from io import TextIOBase
from random import Random
from typing import Any, cast

from course.answers import MISSING, place_of

KEPT_CHARACTERS = 2000
SHOWN_CHARACTERS = 160


class Stuck(Exception):  # noqa: N818 — not an error of ours: the learner's code gave no good answer
    """There is no answer to go on with. `title` says what happened, `text` the details.

    `code` is the line of the learner's program it happened in, if there is one; `stopped` is
    whether somebody stopped it; `suspect` is the piece that gave nonsense, if one did.
    """

    def __init__(
        self, title: str, text: str, code: str = "", stopped: bool = False, suspect: str = ""
    ) -> None:
        super().__init__(f"{title} {text}")
        self.title = title
        self.text = text
        self.code = code
        self.stopped = stopped
        self.suspect = suspect

    def and_so(self, sentence: str) -> "Stuck":
        """The same, with a sentence more on what comes of it."""
        text = f"{self.text} {sentence}".strip()
        return Stuck(self.title, text, self.code, self.stopped, self.suspect)


class Tail(TextIOBase):
    """What was printed, the end of it: an endless loop that prints fills no memory.

    >>> tail = Tail()
    >>> _ = tail.write("moving\\n"), tail.write("merging")
    >>> tail.lines()
    ['moving', 'merging']
    """

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        """The end of everything written is kept."""
        self.text = (self.text + text)[-KEPT_CHARACTERS:]
        return len(text)

    def lines(self, count: int = 6) -> list[str]:
        """The last lines, at most `count`."""
        return [cut(line) for line in self.text.splitlines() if line.strip()][-count:]


def call(
    name: str,
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    printed: Tail,
    source: str | None = None,
) -> Any:
    """A learner's function is called; returns a copy of its answer.

    What it prints goes to `printed`. `source` is the file of the learner's code, where it is not
    the function's own. Raises `Stuck` where it raises, and when it is interrupted.
    """
    try:
        with redirect_stdout(printed):
            return deepcopy(function(*arguments))
    except KeyboardInterrupt:
        raise Stuck(
            f"Your {name} was stopped.",
            "It had not answered yet. Does one of its loops never end?",
            stopped=True,
        ) from None
    except BaseException as error:  # whatever it is, it is the learner's
        source = source or getattr(getattr(function, "__code__", None), "co_filename", None)
        raise stuck_by(error, name, source) from None


def stuck_by(error: BaseException, name: str, source: str | None) -> Stuck:
    """A learner's exception, told in a sentence, with the line of the cell it comes from."""
    kind = type(error).__name__
    place = place_of(error, source)
    where = ""
    if place is not None:
        inside = f" ({place.function})" if place.function != name else ""
        where = f" in line {place.number}{inside}"
    message = message_of(error)
    if not message and isinstance(error, NotImplementedError):
        message = MISSING
    text = f"{kind}{where}" + (f": {message}" if message else "") + "."
    return Stuck(f"Your {name} raised an error.", text, place.code if place else "")


def message_of(error: BaseException) -> str:
    """The message of an exception, cut where it is long, without a final full stop."""
    try:
        return cut(str(error)).rstrip(".")
    except Exception:
        return ""


def copies(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Arguments to be handed out: copies, except chance, which is there to be used."""
    return tuple(each if isinstance(each, Random) else deepcopy(each) for each in arguments)


def cut(text: str) -> str:
    """A text of a learner's program, at most as long as a board has room for."""
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"


def shown(value: Any) -> str:
    """A value as Python writes it, cut where it is long; never an error.

    >>> shown([2, 0]), shown(None)
    ('[2, 0]', 'None')
    """
    try:
        return cut(repr(value))
    except Exception:
        return f"a {type(value).__name__}"


def latest(function: Callable[..., Any]) -> Callable[[], Callable[..., Any]]:
    """A function of a notebook is followed by its name: a cell run anew changes the old board too.

    Returns a function that gives the newest one. Only what is known by its own name in the
    notebook when the board is made is followed; anything else stays what it is.
    """
    name = getattr(function, "__name__", "")
    if notebook_names().get(name) is not function:
        return lambda: function

    def newest() -> Callable[..., Any]:
        found = notebook_names().get(name)
        return cast(Callable[..., Any], found) if callable(found) else function

    return newest


def notebook_names() -> dict[str, Any]:
    """The names that the learner's cells define; empty where there is no notebook."""
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module is not None else None
    return shell.user_ns if shell is not None else {}
