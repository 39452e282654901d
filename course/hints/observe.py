"""What a function does, as plain data that can be compared: the answers to its probes."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from random import Random
from typing import Any

from course.answers import Answer, NoAnswer, call_many, same
from course.hints.chance import spawning, starting, taking_turns
from course.hints.objects import using

Function = Callable[..., Any]

SECONDS = 1.0


def observe(function: Function, observer: str, probes: list[list[Any]]) -> list[Any] | None:
    """The answers of a function to its probes, seen by one of the `OBSERVERS`.

    What it prints is not shown. Returns a list of plain data, or `None` if the function does not
    come back.
    """
    try:
        with _time_limit(function), redirect_stdout(StringIO()):
            return OBSERVERS[observer](function, probes)
    except NoAnswer:
        return None


def answers(function: Function, probes: list[list[Any]]) -> list[Any]:
    """One call a probe: what it gives, exactly where it is made like a list, a board, a number."""
    calls = [tuple(map(_argument, probe)) for probe in probes]
    return [
        _seen(arguments, answer)
        for arguments, answer in zip(calls, call_many(function, calls), strict=True)
    ]


def game(make: Function, probes: list[list[Any]]) -> list[Any]:
    """A class `Game`, played; see `course.hints.drive` for what a probe is."""
    # Imported here, because where learners' code is graded there are no rules to import.
    from course.hints.drive import drive

    return drive(make, probes)


OBSERVERS: dict[str, Callable[[Function, list[list[Any]]], list[Any]]] = {
    "answers": answers,
    "game": game,
    "spawning": spawning,
    "starting": starting,
    "taking turns": taking_turns,
    "using": using,
}


def _argument(value: Any) -> Any:
    """A probe is JSON; `{"rng": 7}` stands for `Random(7)`."""
    return Random(value["rng"]) if isinstance(value, dict) else value


def _seen(arguments: tuple[Any, ...], answer: Answer) -> Any:
    if answer.error is not None:
        return f"raises {type(answer.error).__name__}"
    for before, after in zip(arguments, answer.arguments, strict=True):
        if not isinstance(before, Random) and not same(before, after):
            return ["changes its argument", _plain(answer.value)]
    return _plain(answer.value)


def _plain(value: Any) -> Any:
    """Numbers, lines, boards and lists of squares as they are; of anything else, only its kind."""
    kind = _kind(value)
    if kind == "list of tuple":
        return {"tuples": [list(square) for square in value]}
    return value if kind in ("bool", "int", "list", "list of int", "list of list") else kind


def _kind(value: Any) -> str:
    name = type(value).__name__
    if name == "list" and value:
        inside = {type(item).__name__ for item in value}
        return f"list of {inside.pop()}" if len(inside) == 1 else "list of this and that"
    return name


@contextmanager
def _time_limit(function: Function) -> Iterator[None]:
    """Raises `NoAnswer` in the learner's own process after `SECONDS`, where the system can."""
    remote = hasattr(function, "call_many")
    if remote or not hasattr(signal, "setitimer"):
        yield
        return
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous = signal.signal(signal.SIGALRM, _give_up)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def _give_up(*_: object) -> None:
    raise NoAnswer
