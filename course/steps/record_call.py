"""Recording one call of a function: each line of the learner's own code becomes a step."""

import inspect
import sys
from collections.abc import Callable, Collection
from contextlib import redirect_stdout, suppress
from copy import deepcopy
from itertools import islice
from types import GeneratorType
from typing import Any

from course.function_calls import copied
from course.steps.recorder import Printed, Recorder, Recording, TooLong
from course.steps.step_sentences import said
from course.steps.values import argument_text, error_text, snapshot

MOST_HANDED_OUT = 100  # values of a generator that are recorded, at most
HEADROOM = 60  # nested calls that are added to the limit of Python, for the recording itself


def record(
    function: Callable[..., Any], arguments: tuple[Any, ...], files: Collection[str] = ()
) -> Recording:
    """Call a function once, on copies of its arguments, and return a recording of its steps.

    Steps are lines of the learner's own code: of cells, of `files`, and of the file that the
    function comes from. An error that the function raises is only stored in the recording.
    A trace function that was set before, such as a debugger's, is set again at the end.
    """
    function, arguments = _copied(function, arguments)
    name = getattr(function, "__qualname__", type(function).__name__).rpartition("<locals>.")[2]
    given = ", ".join(argument_text("rng", each) for each in arguments)
    recording = Recording(f"{name}({given})", arguments)
    own = {code.co_filename for code in [code_of(function)] if code is not None}
    recorder = Recorder(recording, {*files, *own})
    limit, before = sys.getrecursionlimit(), sys.gettrace()
    sys.setrecursionlimit(limit + HEADROOM)
    try:
        with redirect_stdout(Printed(recording)):
            try:
                sys.settrace(recorder.trace)
                answer = function(*arguments)
                is_generator = type(answer) is GeneratorType
                # For a generator, the recorded answer is a list of its first values.
                recording.answer = list(islice(answer, MOST_HANDED_OUT)) if is_generator else answer
            finally:
                recorder.is_over = True
                sys.settrace(before)
    except TooLong:
        recording.end = "too long"
    except KeyboardInterrupt as error:
        recording.end, recording.error = "stopped", error
    except BaseException as error:
        recording.end, recording.error = "raised", error
    finally:
        sys.setrecursionlimit(limit)
    last = recording.steps[-1]["kind"] if recording.steps else ""
    if recorder.is_full or recording.end == "too long":
        shown = f"Only the first {len(recording.steps):,} steps are shown."
        recorder.add("bound", f"{shown} {_end(recording, 'In the end, it')}")
    elif recording.end in ("stopped", "raised") and last != "error":
        recorder.add("error", _end(recording, "It"))
    elif recording.end == "returned" and last != "return":
        recorder.add("return", _end(recording, "It"), gave=snapshot(recording.answer))
    return recording


def _end(recording: Recording, it: str) -> str:
    """Return sentences on how a call ended; a sentence on its answer begins with the word `it`."""
    if recording.end == "too long":
        return "After very many more, it still had not ended. Does one of its loops never end?"
    if recording.end == "stopped":
        return "It was stopped before it ended. Does one of its loops never end?"
    if recording.error is None:
        return f"{it} gives back {said(snapshot(recording.answer))}."
    words = f"It ends with an error. {error_text(recording.error)}."
    if isinstance(recording.error, RecursionError):
        words += " A function that calls itself must stop doing so at some time."
    return words


def _copied(
    function: Callable[..., Any], arguments: tuple[Any, ...]
) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return a function and copies of its arguments; a method is bound to a copy of its object.

    An object or argument that cannot be copied stays as it is.
    """
    owner = getattr(function, "__self__", None)
    is_method = hasattr(function, "__func__") and not isinstance(owner, type)
    values = [owner, *arguments] if is_method else [*arguments]
    try:
        values = [*copied(tuple(values))]
    except Exception:  # one of them cannot be copied
        for number, value in enumerate(values):
            with suppress(Exception):
                values[number] = deepcopy(value)
    if is_method:
        function = function.__func__.__get__(values.pop(0))  # type: ignore[attr-defined]
    return function, tuple(values)


def code_of(function: Any) -> Any:
    """Return the code object that a call of a function, class or object runs first, or `None`."""
    with suppress(ValueError):  # functions that wrap each other
        function = inspect.unwrap(function)
    if isinstance(function, type):
        function = vars(function).get("__init__", function)
    elif not hasattr(function, "__code__") and hasattr(function, "func"):
        function = function.func
    function = getattr(function, "__func__", function)
    if not hasattr(function, "__code__"):
        function = vars(type(function)).get("__call__")
    return getattr(function, "__code__", None)
