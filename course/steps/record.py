"""Recording: a function runs once, and each line of the learner's own code becomes a step."""

import sys
from collections.abc import Callable, Collection
from contextlib import redirect_stdout
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import islice
from types import GeneratorType
from typing import Any

from course.answers import copied
from course.steps.changes import said
from course.steps.frames import argument_text
from course.steps.printed import Printed
from course.steps.recorder import Recorder, TooLong
from course.steps.source import Sources
from course.steps.values import Plain, error_text, snapshot

MOST_HANDED_OUT = 100
HEADROOM = 60  # calls deep, added for the recording itself, so that the function keeps its depth


@dataclass
class Recording:
    """A call, step by step, as plain data; with its answer or error as it is.

    `steps` name `states` by their indices, and states name `blocks` of source; `printed` is all
    that was printed, and each step knows how much of it there was. `end` is "returned", "raised",
    "stopped" or "too long".
    """

    call: str
    arguments: tuple[Any, ...]
    steps: list[Plain] = field(default_factory=list)
    states: list[Plain] = field(default_factory=list)
    blocks: list[Plain] = field(default_factory=list)
    printed: str = ""
    end: str = "returned"
    answer: Any = None
    error: BaseException | None = None

    @property
    def words(self) -> list[str]:
        """The words of the steps, one sentence for each."""
        return [
            f"Line {step['line']}: {step['words']}" if step["line"] else step["words"]
            for step in self.steps
        ]


def record(
    function: Callable[..., Any], arguments: tuple[Any, ...], files: Collection[str] = ()
) -> Recording:
    """Call a function once, on copies of its arguments, and write down its steps.

    Steps are lines of the learner's own code: of cells, of `files`, and of the file that the
    function comes from. If a method is called, its object is copied, too. Nothing that the function
    raises comes out of here, and the tracing that was on before is on again afterwards.

    >>> def double(number):
    ...     return 2 * number
    >>> record(double, (4,)).answer
    8
    """
    function, arguments = _copied(function, arguments)
    name = getattr(function, "__qualname__", type(function).__name__).rpartition("<locals>.")[2]
    given = ", ".join(argument_text("rng", each) for each in arguments)
    recording = Recording(f"{name}({given})", arguments)
    printed = Printed()
    own = {code.co_filename for code in [code_of(function)] if code is not None}
    recorder = Recorder(Sources(), {*files, *own}, printed)
    _run(function, arguments, recorder, recording)
    _finish(recording, recorder)
    recording.steps, recording.states = recorder.steps, recorder.states
    recording.blocks, recording.printed = recorder.blocks, printed.text
    return recording


def _run(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    recorder: Recorder,
    recording: Recording,
) -> None:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + HEADROOM)
    try:
        with redirect_stdout(recorder.printed):
            recording.answer = _traced(function, arguments, recorder)
    except TooLong:
        recording.end = "too long"
    except KeyboardInterrupt as error:
        recording.end, recording.error = "stopped", error
    except BaseException as error:
        recording.end, recording.error = "raised", error
    finally:
        sys.setrecursionlimit(limit)


def _traced(function: Callable[..., Any], arguments: tuple[Any, ...], recorder: Recorder) -> Any:
    """Return the answer of the function; of a generator, the first values that it yields."""
    before = sys.gettrace()
    try:
        sys.settrace(recorder.trace)
        answer = function(*arguments)
        is_generator = type(answer) is GeneratorType
        return list(islice(answer, MOST_HANDED_OUT)) if is_generator else answer
    finally:
        recorder.is_over = True
        sys.settrace(before)


def _finish(recording: Recording, recorder: Recorder) -> None:
    """Add a last step that says how the call ended, if the steps before do not say it."""
    last = recorder.steps[-1]["kind"] if recorder.steps else ""
    if recorder.is_full or recording.end == "too long":
        recorder.add("bound", f"{_first_steps(recorder)} {_end(recording, 'In the end, ')}")
    elif recording.end in ("stopped", "raised") and last != "error":
        recorder.add("error", _end(recording))
    elif recording.end == "returned" and last != "return":
        recorder.add("return", _end(recording), gave=snapshot(recording.answer))


def _first_steps(recorder: Recorder) -> str:
    return f"Only the first {len(recorder.steps):,} steps are shown."


def _end(recording: Recording, soon: str = "") -> str:
    if recording.end == "too long":
        return "After very many more, it still had not ended. Does one of its loops never end?"
    if recording.end == "stopped":
        return "It was stopped before it ended. Does one of its loops never end?"
    error = recording.error
    if error is not None:
        words = f"It ends with an error. {error_text(error)}."
        never = " A function that calls itself must stop doing so at some time."
        return words + (never if isinstance(error, RecursionError) else "")
    start = f"{soon}it" if soon else "It"
    return f"{start} gives back {said(snapshot(recording.answer))}."


def _copied(
    function: Callable[..., Any], arguments: tuple[Any, ...]
) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return the function and copies of its arguments; a method gets a copy of its object."""
    owner = getattr(function, "__self__", None)
    if hasattr(function, "__func__") and not isinstance(owner, type):
        owner, *rest = _copies((owner, *arguments))
        return function.__func__.__get__(owner), tuple(rest)
    return function, _copies(arguments)


def _copies(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return copies of values; a value that cannot be copied is returned itself."""
    try:
        return copied(values)
    except Exception:
        return tuple(_copy(value) for value in values)


def _copy(value: Any) -> Any:
    try:
        return deepcopy(value)
    except Exception:
        return value


def code_of(function: Any) -> Any:
    """Return the code that runs first if something is called; `None` if it is not Python."""
    seen = 0
    while hasattr(function, "__wrapped__") and seen < 20:
        function, seen = function.__wrapped__, seen + 1
    if isinstance(function, type):
        function = vars(function).get("__init__", function)
    elif not hasattr(function, "__code__") and hasattr(function, "func"):
        function = function.func
    function = getattr(function, "__func__", function)
    if not hasattr(function, "__code__"):
        function = vars(type(function)).get("__call__")
    return getattr(function, "__code__", None)
