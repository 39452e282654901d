"""The process of one submission in the jail; it answers questions about the student's code."""

import os
import random
import resource
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from copy import deepcopy
from functools import partial
from pathlib import Path
from random import Random
from types import ModuleType, TracebackType
from typing import Any

from autograder.jail.inside.cell_outputs import capture
from autograder.jail.inside.fork_in_namespaces import LIBC, lower_limits
from autograder.jail.inside.game_agent import SeatedAgent
from autograder.jail.inside.handles import OPERATORS, Handles, is_own_file, name_of_object
from autograder.wire import Channel, Decoder, Encoder, Frame, WireError, encoded, pack, unpack
from autograder.wire.library_names import find, name_of

Message = dict[str, Any]
_MAX_MESSAGE = 2000
_LONGEST_MESSAGE = 20_000  # characters, for a test that runs beside the program
_MAX_NAME = 200
_SET_DUMPABLE = 4
_SEED = 2048
_LESSON = Path(__file__).parents[3]
_WORK, _BESIDE = str(_LESSON / "work"), str(_LESSON / "beside")


class Server:
    """A server in the jail that answers the judge's questions about one submission."""

    def __init__(self, shell: Any, output_limit: int) -> None:
        self._shell = shell
        self._output_limit = output_limit
        self._handles = Handles()
        agent = SeatedAgent(shell)
        self._sit, self._play = agent.sit, agent.play
        self._back = "values"  # or "arguments", "chance": then the arguments are sent back, too
        self._is_plain = False  # true: what the question holds needs no decoding
        self._runs_student_code = False  # false: the server's own code runs
        self._is_late = False  # true: the judge no longer waits for the answer
        self._returned: dict[int, list[Any]] = {}  # by id: lists that calls of one message returned
        self._has_run = False

    def interrupt(self, *_signal: Any) -> None:
        """Interrupt the student's code as a notebook would, and never the code of this server."""
        self._is_late = True
        if self._runs_student_code:
            raise KeyboardInterrupt

    def answer(self, question: Frame) -> Message:
        """Return the answer to one question; an error of the student's code is an answer, too."""
        self._shell.outputs.start(self._output_limit)
        self._is_late, self._is_plain = False, question.plain_cost is not None
        try:
            self._runs_student_code = True
            self._stop_if_late()
            answer: Message = getattr(self, "_" + question["do"])(question)
            self._runs_student_code = False
        except WireError:
            self._runs_student_code = False
            answer = {"unfit": True}
        except BaseException as error:
            self._runs_student_code = False
            answer = {"error": self._error(error)}
        return answer

    def _stop_if_late(self) -> None:
        if self._is_late:
            raise KeyboardInterrupt

    def _run(self, question: Message) -> Message:
        self._begin()
        if (diagnosis := sys.modules.get("course.hints.diagnosis")) is not None:
            diagnosis.keep_what_is_seen()
        self._shell.run(question["source"], question["name"])
        return {"outputs": self._shell.outputs.taken()}

    def _test(self, question: Message) -> Message:
        self._begin()
        name = question["name"]
        with _in_check(name):
            error = self._shell.run(question["source"], name, shows_error=False)
        answer = {"outputs": self._shell.outputs.taken()}
        return answer if error is None else {**answer, "raised": _raised(error, name)}

    def _share(self, question: Message) -> Message:
        """Run lines of a test that set names for the student's code; drop what they print."""
        self._begin()
        code = compile(question["source"], question["name"], "exec")
        exec(code, self._shell.user_ns)  # noqa: S102 — what a jail is for
        return {}

    def _begin(self) -> None:
        """Give fixed seeds to `random`, each new `Random()`, `secrets`, and `numpy.random`."""
        if self._has_run:
            return
        self._has_run = True
        chance, seed = Random(_SEED), Random.seed

        def begin(random_: Random, start: Any = None, version: int = 2) -> None:
            seed(random_, chance.getrandbits(128) if start is None else start, version)

        names: dict[str, Any] = vars(random)
        names["Random"].seed = begin
        names["seed"] = names["_inst"].seed  # `random.seed` was the old method until now
        names["_urandom"] = chance.randbytes
        random.seed(_SEED)
        # If `numpy.random` is loaded only later, it takes its seed from `secrets`.
        if (of_numpy := sys.modules.get("numpy.random")) is not None:
            of_numpy.seed(_SEED)

    def _mistake(self, question: Message) -> Message:
        function, hints = self._shell.user_ns.get(question["name"]), sys.modules.get("course.hints")
        if hints is None or not callable(function):
            return {}
        with _in_check(question["check"]):
            return {"mistake": _mistake(hints.diagnose(function))}

    def _names(self, question: Message) -> Message:
        names, known = question["names"], self._shell.user_ns
        return {"found": {name: self._named(known[name]) for name in names if name in known}}

    def _named(self, value: Any) -> Any:
        """Return JSON for the value of a name; for an object of a library, also its full name."""
        where = None if is_own_file(str(getattr(value, "__module__", ""))) else name_of(value)
        is_module = isinstance(value, ModuleType) and not is_own_file(value.__name__)
        try:
            if where is not None:
                told = None if is_module else {"handle": self._handles.describe(value)}
                return {"library": where, "else": told}
            return encoded(value, self._encoder)
        except WireError as error:
            return {"unfit": str(error)[:_MAX_MESSAGE]}

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

    def _steps(self, question: Message) -> Message:
        """Return the results of steps, such as calls of an object's methods, until one raises."""
        return {"taken": self._results(self._handles.find(question["on"]), question["steps"])}

    def _make(self, question: Message) -> Message:
        """Return the objects that some calls make, and the results of steps with each."""
        make = self._handles.find(question["on"])
        return {"made": [self._made(make, *plan) for plan in question["plans"]]}

    def _made(self, make: Callable[..., Any], given: Any, steps: list[Any]) -> list[Any]:
        """Make an object, and take steps with it; return a list [error, handle, data, results].

        The object is returned as a handle, by which the judge names it later, or as data if it is a
        plain value. The items that are not needed are `None`.
        """
        self._stop_if_late()
        try:
            thing = make(*self._read(given))
            told = encoded(thing, self._encoder)
        except WireError:
            raise
        except BaseException as error:
            self._stop_if_late()
            return [self._error(error), None, None, None]
        results = self._results(thing, steps)
        if type(told) is dict and "handle" in told:
            return [None, told["handle"], None, results]
        return [None, None, told, results]

    def _results(self, thing: Any, steps: list[Any]) -> list[Any]:
        """Return the results of steps up to the first that raises, and its error or `None`."""
        got: list[Any] = []
        for step in steps:
            operator, *operands = self._read(step)
            try:
                got.append(encoded(OPERATORS[operator](thing, *operands), self._encoder))
            except WireError:
                raise
            except BaseException as error:
                self._stop_if_late()
                return [got, self._error(error)]
        return [got, None]

    def _many(self, question: Message) -> Message:
        function = self._handles.find(question["on"])
        steps = self._read(question["steps"])

        def read(*arguments: Any) -> list[Any]:
            """Make an object, and take steps with it; return the attributes that the steps read."""
            thing, got = function(*arguments), []
            for operator, *operands in steps:
                value = OPERATORS[operator](thing, *deepcopy(operands))
                if operator == "get":
                    got.append(deepcopy(value))
            return got

        asked = read if steps else function
        self._back = question["back"]
        calls, place = list(map(self._read, question["calls"])), question["chance at"]
        if place is not None:
            chances = self._read(question["chances"])
            for call in calls:  # each gets a new `Random`, or a copy of one
                chance = chances[call[place]]
                call[place] = Random(chance if isinstance(chance, int) else 0)
                if isinstance(chance, Random):
                    call[place].setstate(chance.getstate())
        hidden = place if self._back == "arguments" else None
        self._returned.clear()
        return {"answers": [self._one(asked, call, hidden) for call in calls]}

    def _one(
        self, function: Callable[..., Any], arguments: list[Any], hidden: int | None
    ) -> list[Any]:
        """Call a function; return its error or `None`, the result of `_after`, and two flags.

        The first flag is true if the call has printed. The second is true if the call returned a
        list that is not new: it was passed in, an earlier call of this message returned it, or it
        has the same list in it twice.
        """
        self._stop_if_late()
        before = self._shell.outputs.size
        try:
            value = function(*arguments)
            is_shared = False
            if type(value) is list:
                rows = [id(row) for row in value if type(row) is list]
                is_shared = len(set(rows)) < len(rows) or id(value) in self._returned
                is_shared = is_shared or any(value is one for one in arguments)
                self._returned[id(value)] = value
            after = self._after(arguments, value, hidden)
            return [None, after, self._shell.outputs.size > before, is_shared]
        except BaseException as raised:
            self._stop_if_late()
            error = self._error(raised)
        after = self._after(arguments, None, hidden)
        return [error, after, self._shell.outputs.size > before, False]

    def _after(self, arguments: Any, value: Any, hidden: int | None) -> Any:
        """Return JSON for a list: the arguments as they are after a call, and the call's value.

        If the judge does not need the arguments, they are left out. The argument with the index
        `hidden` is `None`. If an argument cannot be sent, a fixed text replaces all of them. Raise
        `WireError` if the value cannot be compared, such as an iterator or most objects of a
        library.
        """
        if self._back == "values":
            arguments = []
        else:
            arguments = [None if at == hidden else one for at, one in enumerate(arguments)]
        encoder = partial(Encoder, partial(self._handles.describe, is_known=True))
        try:
            return encoded([arguments, value], encoder)
        except WireError:
            return encoded([["changed beyond words" for _ in arguments], value], encoder)

    def _read(self, data: Any) -> Any:
        return data if self._is_plain else self._decoder().decode(data)

    def _encoder(self, known: Any = ()) -> Encoder:
        return Encoder(self._handles.describe, known)

    def _decoder(self, originals: Any = ()) -> Decoder:
        def value_of(handle: Any) -> Any:  # a `Random` by its seed, or an object
            known = self._handles.find
            return Random(handle["seed"]) if isinstance(handle, dict) else known(handle)

        return Decoder(value_of, originals, find=find)

    def _error(self, error: BaseException) -> list[Any]:
        """Return a list that describes an error: class names, name, message, and place.

        The class names are those of its class and base classes that Python or a library defines,
        the nearest first. The name is that of its own class. The place is [cell, line] or `None`.
        """
        kinds = [
            name
            for kind in type(error).__mro__
            if (name := kind.__name__ if kind.__module__ == "builtins" else name_of(kind))
        ]
        places = list(_places(error.__traceback__))
        # The text of a KeyError has quotes around its message.
        is_key = isinstance(error, KeyError) and len(error.args) == 1
        message = _text_of(error.args[0] if is_key else error, _MAX_MESSAGE)
        return [kinds, name_of_object(type(error)), message, places[-1] if places else None]


def _raised(error: BaseException, test: str) -> Message:
    """Return what the judge needs to know of an error that a test has raised.

    "line" is the last line of the test that was running. If the error arose in another cell, "cell"
    and "in line" say where.
    """
    places = list(_places(error.__traceback__))
    lines = [line for cell, line in places if cell == test]
    said: Message = {
        "kind": type(error).__name__,
        "message": _text_of(error, _LONGEST_MESSAGE),
        "line": lines[-1] if lines else getattr(error, "lineno", None),
        "mistake": _mistake(getattr(error, "diagnosis", None)),
    }
    if places and places[-1][0] != test:
        said["cell"], said["in line"] = places[-1]
    return said


def _text_of(value: Any, most: int) -> str:
    """Return `str` of a value, or "" if even that raises."""
    try:
        return str(value)[:most]
    except BaseException:
        return ""


def _in_check(test: str) -> AbstractContextManager[None]:
    """Return a context for a `with` block, in which hints are about the exercise of this test."""
    diagnosis = sys.modules.get("course.hints.diagnosis")
    found: AbstractContextManager[None] = diagnosis.in_check(test) if diagnosis else nullcontext()
    return found


def _mistake(diagnosis: Any) -> Message | None:
    if diagnosis is None:
        return None
    return {name: getattr(diagnosis, name, "") for name in ("id", "exercise", "title", "nudge")}


def _places(traceback: TracebackType | None) -> Iterator[list[Any]]:
    """Yield pairs [cell, line] for the cells that an error passed, the outermost first."""
    while traceback is not None:
        if traceback.tb_frame.f_globals.get("__name__") == "__main__":
            yield [traceback.tb_frame.f_code.co_filename[:_MAX_NAME], traceback.tb_lineno]
        traceback = traceback.tb_next


def serve(shell: Any, wire: socket.socket, limits: dict[str, Any]) -> None:
    """Answer questions until the judge closes the connection or student's code ends the process."""
    # This allows the warm process to see how much memory this process has.
    if hasattr(LIBC, "prctl"):  # on Linux
        LIBC.prctl(_SET_DUMPABLE, 1, 0, 0, 0)
    lower_limits(
        {
            resource.RLIMIT_AS: limits["memory"],
            resource.RLIMIT_CPU: int(limits["submission"]) + 1,
            resource.RLIMIT_FSIZE: limits["file_size"],
            resource.RLIMIT_NPROC: limits["processes"],
            resource.RLIMIT_NOFILE: limits["open_files"],
            resource.RLIMIT_CORE: 0,
            resource.RLIMIT_MEMLOCK: 0,
        }
    )
    os.setsid()
    os.nice(5)  # the warm process, which watches this process, must have priority
    capture(shell.outputs)
    sys.path.insert(0, "")  # as in a kernel: cells import the modules that they have written
    if os.path.exists(_WORK):  # without a jail
        os.chdir(_WORK)
    channel = Channel(wire)
    server = Server(shell, limits["output"])
    answer: Message = {"ready": True}
    try:
        for folder, _, names in os.walk(_BESIDE):  # the files that were beside the notebook
            copy = Path(os.path.relpath(folder, _BESIDE))
            copy.mkdir(exist_ok=True)
            for name in names:
                (copy / name).write_bytes(Path(folder, name).read_bytes())
    except OSError as error:
        answer = {"unready": str(error)}
    while True:
        signal.signal(signal.SIGINT, server.interrupt)  # the student's code may have changed it
        try:
            channel.send(pack(answer))
        except (WireError, MemoryError) as error:
            why = f"the answer cannot be sent: {error}"[:200]
            channel.send(pack({"error": [[], "TooLarge", why, None]}))
        try:
            question = unpack(channel.receive())
        except EOFError:
            return
        answer = server.answer(question)
