"""The process of one submission: answers the judge's questions about the student's code."""

import ctypes
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable
from copy import deepcopy
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any

from autograder.jail.inside.helpers import own_helpers
from autograder.jail.inside.seat import Seat
from autograder.jail.inside.shell import Shell, capture
from autograder.wire import Decoder, Encoder, Unfit, WireError, receive, send

Message = dict[str, Any]
_MAX_HANDLES = 100_000
_MAX_ITEMS = 10_000
_MAX_MESSAGE = 2000
_MAX_NAME = 200
_MAX_TEXT = 20_000
_SET_DUMPABLE = 4


class Handles:
    """Objects that stay here; outside they are known by their number."""

    def __init__(self) -> None:
        self._objects: list[Any] = []
        self._numbers: dict[int, int] = {}

    def find(self, number: Any) -> Any:
        """The object of a number."""
        return self._objects[number]

    def describe(self, value: Any) -> list[Any]:
        """The number of an object, its kind, and its name or that of its class.

        Raises `Unfit` for an odd object.
        """
        kind = _kind(value)
        if kind is None:
            raise Unfit(f"{_name(type(value))} can not be handed to the tests")
        number = self._numbers.get(id(value))
        if number is None:
            if len(self._objects) >= _MAX_HANDLES:
                raise Unfit("there are too many objects")
            number = self._numbers[id(value)] = len(self._objects)
            self._objects.append(value)
        return [number, kind, _name(value) or _name(type(value))]


class Server:
    """Serves the questions of one judge about one submission."""

    def __init__(self, shell: Shell, output_limit: int) -> None:
        self._shell = shell
        self._output_limit = output_limit
        self._handles = Handles()
        self._seat = Seat(shell)

    def answer(self, question: Message) -> Message:
        """The answer to one question; whatever the student's code raises is an answer, too."""
        self._shell.outputs.start(self._output_limit)
        try:
            return getattr(self, "_" + question["do"])(question)  # type: ignore[no-any-return]
        except BaseException as error:
            return {"error": self._error(error)}

    def _run(self, question: Message) -> Message:
        self._shell.run(question["source"], question["name"])
        return {"outputs": self._shell.outputs.taken()}

    def _sit(self, question: Message) -> Message:
        return self._seat.sit(question)

    def _play(self, question: Message) -> Message:
        return self._seat.play(question)

    def _names(self, question: Message) -> Message:
        found = {}
        for name in question["names"]:
            if name in self._shell.user_ns:
                try:
                    found[name] = self._encoder().encode(self._shell.user_ns[name])
                except WireError as error:
                    found[name] = {"unfit": str(error)[:_MAX_MESSAGE]}
        return {"found": found}

    def _call(self, question: Message) -> Message:
        decoder = self._decoder()
        arguments, options = decoder.decode(question["with"])
        function = self._handles.find(question["on"])
        try:
            value = function(*arguments, **options)
        except BaseException as error:
            after = self._encoder(decoder.mutable).encode([list(arguments), options])
            return {"error": self._error(error), "after": after}
        encoder = self._encoder(decoder.mutable)
        return {"after": encoder.encode([list(arguments), options]), "value": encoder.encode(value)}

    def _many(self, question: Message) -> Message:
        function = self._handles.find(question["on"])
        steps = self._decoder().decode(question["steps"])
        asked = partial(_asked, function, steps) if steps else function
        return {"answers": [self._one(asked, call) for call in question["calls"]]}

    def _one(self, function: Callable[..., Any], call: Any) -> list[Any]:
        """An error or `None`, the arguments after the call with the value, and if it printed."""
        arguments = self._decoder().decode(call)
        before = self._shell.outputs.size
        try:
            value = function(*arguments)
            after = self._after(arguments, value)
            return [None, after, self._shell.outputs.size > before]
        except BaseException as raised:
            error = self._error(raised)
        return [error, self._after(arguments, None), self._shell.outputs.size > before]

    def _after(self, arguments: Any, value: Any) -> Any:
        """The arguments after a call, or a word for each if one can not cross, and the value."""
        try:
            return self._encoder().encode([list(arguments), value])
        except WireError:
            return self._encoder().encode([["changed beyond words" for _ in arguments], value])

    def _operate(self, question: Message) -> Message:
        """One of the operators that an object may have."""
        decoder = self._decoder()
        operands = decoder.decode(question["with"])
        value = _OPERATORS[question["operator"]](self._handles.find(question["on"]), *operands)
        return {"value": self._encoder().encode(value)}

    def _encoder(self, known: Any = ()) -> Encoder:
        return Encoder(self._handles.describe, known)

    def _decoder(self) -> Decoder:
        return Decoder(lambda handle: self._handles.find(handle[0]))

    def _error(self, error: BaseException) -> list[Any]:
        """The built-in exceptions it is, nearest first, its name, its message, and its place."""
        kinds = [kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins"]
        try:
            # A KeyError would quote its message once more.
            is_key = isinstance(error, KeyError) and len(error.args) == 1
            message = str(error.args[0] if is_key else error)[:_MAX_MESSAGE]
        except BaseException:
            message = ""
        return [kinds, _name(type(error)), message, _place(error.__traceback__)]


def _asked(function: Callable[..., Any], steps: list[Any], *arguments: Any) -> list[Any]:
    """What the object that a call gives is asked then; see `course.answers`."""
    thing, got = function(*arguments), []
    for kind, name, *given in steps:
        if kind == "set":
            setattr(thing, name, *deepcopy(given))
        elif kind == "call":
            getattr(thing, name)(*deepcopy(given))
        else:
            got.append(deepcopy(getattr(thing, name)))
    return got


def _short(text: str) -> str:
    if len(text) > _MAX_TEXT:
        raise ValueError(f"a text of {len(text):,} characters is too long for a test")
    return text


_OPERATORS: dict[str, Callable[..., Any]] = {
    "get": getattr,
    "set": setattr,
    "delete": delattr,
    "str": lambda value: _short(str(value)),
    "repr": lambda value: _short(repr(value)),
    "len": len,
    "bool": bool,
    "item": lambda value, key: value[key],
    "set item": lambda value, key, item: value.__setitem__(key, item),
    "delete item": lambda value, key: value.__delitem__(key),
    "contains": lambda value, item: item in value,
    "items": lambda value: [item for item, _ in zip(value, range(_MAX_ITEMS), strict=False)],
    "is instance": lambda kind, value: isinstance(value, kind),
    "own helpers": own_helpers,
}


def _kind(value: Any) -> str | None:
    """How an object is reached: as a class, as something to call, or as an instance."""
    if isinstance(value, type):
        return "class"
    if _is_of_the_course(type(value)):
        return "callable instance" if callable(value) else "instance"
    return "function" if callable(value) else None


def _is_of_the_course(kind: type) -> bool:
    """Whether a class is the student's own, or one that an earlier lesson built."""
    home = kind.__module__
    if not isinstance(home, str):
        return False
    return home == "__main__" or home.startswith("course.") or _is_own_file(home)


def _is_own_file(home: str) -> bool:
    """Whether a module is one that the student's cells have written and imported."""
    file = getattr(sys.modules.get(home), "__file__", None)
    return isinstance(file, str) and Path(file).absolute().parent == Path.cwd()


def _name(value: Any) -> str:
    name = getattr(value, "__name__", "") if callable(value) else ""
    return str(name)[:100]


def _place(traceback: TracebackType | None) -> list[Any] | None:
    """The cell of the learner's in which it happened, and the line."""
    place = None
    while traceback is not None:
        if traceback.tb_frame.f_globals.get("__name__") == "__main__":
            place = [traceback.tb_frame.f_code.co_filename[:_MAX_NAME], traceback.tb_lineno]
        traceback = traceback.tb_next
    return place


def serve(shell: Shell, wire: socket.socket, limits: dict[str, Any]) -> None:
    """Answers until the judge closes the wire, or the student's code ends this process."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # The warm process may see how much memory this one has.
    ctypes.CDLL(None).prctl(_SET_DUMPABLE, 1, 0, 0, 0)
    _limit(limits)
    capture(shell)
    sys.path.insert(0, "")  # as in a kernel: cells import the modules that they have written
    server = Server(shell, limits["output"])
    while True:
        try:
            question = receive(wire)
        except EOFError:
            return
        _reply(wire, server.answer(question))


def _reply(wire: socket.socket, answer: Message) -> None:
    try:
        send(wire, answer)
    except (WireError, MemoryError) as error:
        why = f"the answer can not be sent: {error}"[:200]
        send(wire, {"error": [[], "TooLarge", why, None]})


def _limit(limits: dict[str, Any]) -> None:
    """What this process and all that it starts may use."""
    for kind, most in (
        (resource.RLIMIT_AS, limits["memory"]),
        (resource.RLIMIT_CPU, int(limits["submission"]) + 1),
        (resource.RLIMIT_FSIZE, limits["file_size"]),
        (resource.RLIMIT_NPROC, limits["processes"]),
        (resource.RLIMIT_NOFILE, limits["open_files"]),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
    ):
        _, hardest = resource.getrlimit(kind)
        most = most if hardest == resource.RLIM_INFINITY else min(most, hardest)
        resource.setrlimit(kind, (most, most))
    os.setsid()
    # Whoever watches must come first.
    os.nice(5)
