"""Calls to functions under test, and steps (calls, reads, settings) with objects under test.

The function or object may be in another process; then many calls or steps are sent in one message.
If a function prints much, only the first lines are shown.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from copy import deepcopy
from dataclasses import dataclass
from io import StringIO, TextIOBase
from random import Random
from typing import Any, NamedTuple, TextIO

Tested = Callable[..., Any]  # a function or class under test
SHOWN = 5  # lines that are shown, if a function prints more of them


class NoAnswer(BaseException):
    """The error raised if a function under test is too slow, or if its process has died.

    It is not an `Exception`, so that no test can mistake it for an error of the function. `is_late`
    is true if the function was too slow. `given` are the arguments of the call, and `diagnosis` is
    the function's mistake; both are `None` if they are not known.
    """

    diagnosis: Any = None
    is_late = True
    given: tuple[Any, ...] | None = None


class ProblemFound(Exception):  # noqa: N818 — it is no error of the course
    """The error raised if something under test is wrong; checks turn it into a `CheckFailed`."""


# One thing that is done with an object: ("set", attribute, value), ("call", method, *arguments),
# ("get", attribute), or ("text",).
Step = tuple[Any, ...]


@dataclass(frozen=True)
class Seeded:
    """A placeholder for an argument: each call under test gets a new `Random(seed)` instead."""

    seed: int


class Answer(NamedTuple):
    """The outcome of one call: a value or an exception, and the arguments as the call left them.

    `printed` is true if the call is known to have printed something. `is_shared` is true if the
    value is a list that is not new: it was passed in, an earlier call of the same `call_many`
    returned it, or one and the same row object stands in it twice.
    """

    value: Any
    error: BaseException | None
    arguments: tuple[Any, ...]
    printed: bool = False
    is_shared: bool = False


@dataclass(frozen=True)
class Failure:
    """A call that a check has found to be wrong.

    `given` holds the arguments before the call, and `got` is the outcome of the call. `is_change`
    is true if the call is wrong because it has changed an argument.
    """

    given: tuple[Any, ...]
    got: Answer
    is_change: bool = False


def call_many(
    function: Tested,
    calls: Sequence[tuple[Any, ...]],
    steps: Sequence[Step] = (),
    only_values: bool = False,
    with_chance: bool = False,
) -> list[Answer]:
    """Call a function with copies of each tuple of arguments; return an `Answer` for each call.

    If there are `steps`, they are taken with the object that each call returns. The `value` of the
    answer is then a list of what the `"get"` steps have read. In the `arguments` of an answer, each
    `Random` or `Seeded` is as it was passed in; with `with_chance`, it is a `Random` in the state
    in which the call left it. With `only_values`, a function in another process need not send the
    arguments back.

    >>> from course.rules import Game
    >>> steps = [("set", "board", [[2, 2]]), ("call", "move", "left"), ("get", "score")]
    >>> call_many(Game, [(1, 2)], steps)[0].value
    [4]
    """
    way = "values_many" if only_values else "chance_many" if with_chance else ""
    batch = getattr(function, way, None) if way else None
    batch = batch or getattr(function, "call_many", None)
    if batch is not None:
        listed = [list(arguments) for arguments in calls]
        return list(batch(listed, steps) if steps else batch(listed))
    answers: list[Answer] = []
    returned: set[int] = set()  # ids of lists; as `answers` keeps the lists, no id is used again
    with first_lines():
        for given, arguments in zip(calls, map(copied, calls), strict=True):
            before, value, error = _printed(), None, None
            try:
                value = function(*arguments)
                if steps:
                    thing, value = value, []
                    for step in steps:
                        got = _taken(thing, *step)
                        value += [deepcopy(got)] if step[0] == "get" else []
            except (Exception, SystemExit) as raised:
                value, error = None, raised
            except NoAnswer as lost:
                lost.given = tuple(given)
                raise
            is_shared = type(value) is list and (
                id(value) in returned or any(value is one for one in arguments) or has_twice(value)
            )
            if type(value) is list:
                returned.add(id(value))
            after = arguments if with_chance else without_chance(given, arguments)
            answers.append(Answer(value, error, after, _printed() > before, is_shared))
    return answers


def has_twice(board: list[Any]) -> bool:
    """Return true if one and the same row object stands twice in a board.

    >>> has_twice([[0, 0]] * 2), has_twice([[0, 0], [0, 0]])
    (True, False)
    """
    rows = [id(row) for row in board if type(row) is list]
    return len(set(rows)) < len(rows)


def without_chance(given: Sequence[Any], after: Sequence[Any]) -> tuple[Any, ...]:
    """Return the arguments `after` a call, but with each `Random` or `Seeded` as in `given`."""
    pairs = zip(given, after, strict=True)
    return tuple(one if type(one) in (Random, Seeded) else used for one, used in pairs)


def take_steps(thing: Any, steps: Sequence[Step]) -> tuple[list[Any], BaseException | None]:
    """Take steps with an object; return a list of their results, and the error that ended them.

    The error is `None` if all steps were taken. A result that is a list or a `Random` is a copy.

    >>> take_steps([2], [("call", "append", 4), ("call", "copy"), ("text",), ("get", "tile")])
    ([None, [2, 4], '[2, 4]'], AttributeError("'list' object has no attribute 'tile'"))
    """
    elsewhere = getattr(type(thing), "__take_steps__", None)
    if elsewhere is not None:
        answers, error = elsewhere(thing, [list(step) for step in steps])
        return answers, error
    answers = []
    for step in steps:
        try:
            answer = _taken(thing, *step)
        except (Exception, SystemExit) as error:
            return answers, error
        answers.append(deepcopy(answer) if type(answer) in (list, Random) else answer)
    return answers, None


class Made(NamedTuple):
    """A new object, the results of steps taken with it, and the error that ended them, or `None`.

    If the object itself could not be made, `thing` and `answers` are `None`.
    """

    thing: Any
    answers: list[Any] | None
    error: BaseException | None


def made_many(make: Tested, plans: Sequence[tuple[Sequence[Any], Sequence[Step]]]) -> list[Made]:
    """For each plan (arguments, steps), make an object and take the steps; return a list of `Made`.

    A class in another process gets all plans in one message. But if an argument is a `Random`, the
    objects are made one by one: they may share this `Random`, and draw from it one after the other.
    """
    elsewhere = getattr(type(make), "__made_many__", None)
    shared = any(isinstance(one, Random) for arguments, _ in plans for one in arguments)
    if elsewhere is not None and not shared:
        told = [[list(arguments), [list(step) for step in steps]] for arguments, steps in plans]
        return list(elsewhere(make, told))
    made = []
    for arguments, steps in plans:
        try:
            thing = make(*(Random(one.seed) if type(one) is Seeded else one for one in arguments))
        except (Exception, SystemExit) as error:
            made.append(Made(None, None, error))
        else:
            made.append(Made(thing, *take_steps(thing, steps)))
    return made


def _taken(thing: Any, kind: str, name: str = "", *given: Any) -> Any:
    if kind == "text":
        return str(thing)
    if kind == "get":
        return getattr(thing, name)
    if kind == "set":
        return setattr(thing, name, *copied(given))
    return getattr(thing, name)(*copied(given))


def copied(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return copies of the arguments of a call, in which each number is an object of its own.

    In one cell, Python may use one object for two equal numbers. A function that compares them with
    `is` then passes its checks, but fails in a real game, where they are two objects. So they are
    two objects in the copies, too. A `Seeded` becomes a new `Random`.

    >>> line = copied(([512, 512],))[0]
    >>> line[0] == line[1], line[0] is line[1]
    (True, False)
    """
    copies: dict[int, Any] = {}
    return tuple(_twin(argument, copies) for argument in arguments)


def _twin(value: Any, copies: dict[int, Any]) -> Any:
    """Return a deep copy of a value; `copies` maps the ids of originals to the copies so far."""
    kind = type(value)
    if kind is int:
        return value + 1 - 1  # an object of its own
    if kind is Seeded:
        return Random(value.seed)
    if kind is not list and kind is not Random:
        return deepcopy(value, copies)
    if (twin := copies.get(id(value))) is not None:
        return twin
    if kind is Random:  # ten times as fast as `deepcopy`
        twin = copies[id(value)] = Random()
        twin.setstate(value.getstate())
    else:
        twin = copies[id(value)] = []
        twin += [_twin(one, copies) for one in value]
    return twin


def _printed() -> int:
    """Return how many characters were printed so far; 0 if standard output does not count them."""
    if isinstance(sys.stdout, FirstLines):
        return sys.stdout.count
    return sys.stdout.tell() if isinstance(sys.stdout, StringIO) else 0


@contextmanager
def first_lines() -> Iterator[None]:
    """Show only the first `SHOWN` lines that a `with` block prints; then print how many follow.

    Do nothing if standard output is a `StringIO`, or if the block is inside another such block.
    """
    if isinstance(sys.stdout, StringIO | FirstLines):
        yield
        return
    lines = FirstLines(sys.stdout)
    try:
        with redirect_stdout(lines):
            yield
    finally:
        if lines.lines > SHOWN:
            lines.shown.write(f"… and {lines.lines - SHOWN} more lines were printed.\n")


class FirstLines(TextIOBase):
    """A standard output that passes on only the first lines; `count` counts all characters."""

    def __init__(self, shown: TextIO) -> None:
        self.shown = shown
        self.count = self.lines = 0

    def write(self, text: str) -> int:
        self.count += len(text)
        for part in text.splitlines(keepends=True):
            if self.lines < SHOWN:
                self.shown.write(part)
            self.lines += part.endswith("\n")
        return len(text)

    def flush(self) -> None:
        self.shown.flush()
