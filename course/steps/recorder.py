"""The recorder: it makes steps of the events that Python reports while a function runs.

A step is one line that has run, or the start, call, return or error of a function.
"""

import dis
import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from inspect import CO_GENERATOR, CO_NEWLOCALS
from io import TextIOBase
from types import CodeType, FrameType
from typing import Any

from course import __file__ as home
from course.steps.function_source import FunctionText, Header, block_of, called_names, span
from course.steps.step_sentences import (
    compared,
    end_words,
    error_words,
    line_words,
    round_words,
    said,
)
from course.steps.values import Plain, call_text, error_text, snapshot, variables_of

MOST_STEPS = 1000
MOST_EVENTS = 100_000  # events, such as lines and calls, after which the function is ended
MOST_PRINTED = 10_000  # characters
OUTERMOST, INNERMOST = 1, 4  # nested calls that are shown; those between are hidden

BRACKETS = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"}
# Exceptions that are not recorded as errors: they end a loop, or the learner stops a run.
QUIET = (StopIteration, StopAsyncIteration, GeneratorExit, KeyboardInterrupt)
HOME = home.rpartition("__init__")[0]

Trace = Callable[[FrameType, str, Any], Any]


@dataclass
class Recording:
    """The recording of a call: its steps as plain data, and its answer or error as it is.

    Each step has a `stack`: an index in `states` for each call that is shown. A state has the
    variables of a call, and the index of its source in `blocks`. `printed` is the text that was
    printed, cut if it is long; each step has the number of characters that were printed by then.
    `end` is "returned", "raised", "stopped" or "too long".
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


class Printed(TextIOBase):
    """A text file that keeps only its beginning, so that an endless loop cannot fill the memory."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording

    def write(self, words: str) -> int:
        self.recording.printed += words[: MOST_PRINTED - len(self.recording.printed)]
        return len(words)


class TooLong(BaseException):
    """The exception that the recorder raises in a function that does not end by itself.

    When a trace function raises an exception, Python switches tracing off. A function that catches
    every exception inside an endless loop would then run for ever. So this exception switches
    tracing on again when it is deleted, which happens as soon as the function has dealt with it.
    """

    def __init__(self, recorder: "Recorder") -> None:
        super().__init__()
        self.recorder = recorder

    def __del__(self) -> None:
        if self.recorder.is_over:
            return
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            if self.recorder.block_of(frame):
                frame.f_trace = self.recorder.local
            frame = frame.f_back
        sys.settrace(self.recorder.trace)


@dataclass(eq=False)
class Level:
    """A call of the learner's own code, or a comprehension in it, that has not ended yet.

    `is_bracket` is true for a comprehension. `node` is the statement that runs; `has_called` is
    true if this statement has made a call that became a step. `variables` are as the recorder last
    saw them. `state` is the last recorded state of this call, and `index` its index in `states`.
    """

    frame: FrameType
    block: FunctionText
    name: str
    is_bracket: bool = False
    has_called: bool = False
    node: Header | None = None
    line: int = 0
    variables: list[Plain] = field(default_factory=list)
    state: Plain = field(default_factory=dict)
    index: int = -1


class Recorder:
    """A recorder of one run: Python calls `trace`, and lines of cells and `files` become steps.

    `is_full` is true if no more steps are recorded, `is_over` once the recorded function has ended.
    """

    def __init__(self, recording: Recording, files: Collection[str]) -> None:
        self.recording = recording
        self.files = files
        self.is_full = False
        self.is_over = False
        self._found: dict[CodeType, FunctionText | None] = {}
        self._numbers_of: dict[FunctionText, int] = {}
        self._levels: list[Level] = []
        self._asleep: dict[FrameType, Level] = {}
        self._error: BaseException | None = None
        self._left = MOST_EVENTS
        self._said = 0
        self._shown: list[int] = []
        self._hidden = 0

    # Python calls `trace` and `local`.

    def trace(self, frame: FrameType, event: str, arg: Any) -> Trace | None:
        """Handle the start of a call; return the trace function for its events, or `None`.

        After too many events, raise `TooLong`, but only in a call of the learner's own code:
        Python ignores exceptions in calls that it makes to clean up.
        """
        self._left -= 1
        if self._left < 0 and not self.is_over and self.block_of(frame):
            raise TooLong(self)
        return self._safely(self._called, frame)

    def local(self, frame: FrameType, event: str, arg: Any) -> Trace | None:
        """Handle a line, a return or an exception in a call of the learner's own code."""
        self._left -= 1
        if self._left < 0 and not self.is_over:
            raise TooLong(self)
        if not self.is_full:
            self._safely(self._happened, frame, event, arg)
        return self.local

    def _safely(self, listen: Callable[..., Trace | None], *event: Any) -> Trace | None:
        """Return `listen(*event)`; if it fails, record no more, but let the function go on."""
        try:
            return listen(*event)
        except Exception:
            self.is_full = True
            return self.local

    def _called(self, frame: FrameType) -> Trace | None:
        if frame in self._asleep:
            self._levels.append(self._asleep.pop(frame))
            return self.local
        block = self.block_of(frame)
        if block is not None:
            if not self.is_full:
                self._enter(frame, block)
            return self.local
        if self.is_full or not self._levels or frame.f_back is not self._levels[-1].frame:
            return None
        return self._outside(frame)

    def block_of(self, frame: FrameType) -> FunctionText | None:
        """Return the source of the learner's function in a frame; `None` for any other code."""
        code = frame.f_code
        is_cell = frame.f_globals.get("__name__") == "__main__"
        if not code.co_flags & CO_NEWLOCALS or not (is_cell or code.co_filename in self.files):
            return None
        if code not in self._found:
            self._found[code] = None if code.co_filename.startswith(HOME) else block_of(code)
        return self._found[code]

    def _happened(self, frame: FrameType, event: str, arg: Any) -> None:
        while self._levels and self._levels[-1].frame is not frame:
            self._levels.pop()
        if not self._levels:
            return
        level = self._levels[-1]
        if event == "line":
            self._line(level, frame.f_lineno)
        elif event == "exception":
            self._raised(level, arg[1])
        elif event == "return":
            self._left_by(level, _way_out(frame), arg)

    # These methods turn events into steps.

    def _enter(self, frame: FrameType, block: FunctionText) -> None:
        code = frame.f_code
        name = code.co_qualname.rpartition("<locals>.")[2].replace("<lambda>", "the lambda")
        level = Level(frame, block, name, is_bracket=code.co_name in BRACKETS)
        caller = self._levels[-1] if self._levels else None
        self._levels.append(level)
        if level.is_bracket:
            return
        if caller is not None:
            caller.has_called = True
        level.node, level.line = block.headers.get(code.co_firstlineno), code.co_firstlineno
        call = call_text(frame, level.name)
        self._look()
        if caller is None:
            self.add("start", f"{call} starts.")
        else:
            is_by_line = frame.f_back is caller.frame
            self.add("call", f"{call} is called.", caller if is_by_line else None)
        level.node = None

    def _line(self, level: Level, line: int) -> None:
        node = level.block.headers.get(line)
        if level.node is not None:
            first, last = span(level.node)
            if level.node is node and last > first:  # one statement, written over several lines
                return
            self._ran(level, line)
        level.node, level.has_called = node, False
        level.line = span(node)[0] if node else line

    def _ran(self, level: Level, after: int) -> None:
        """Add the step of a line that has run; `after` is the number of the next line, or 0."""
        told = self._look()
        printed = self.recording.printed[self._said :]
        if not level.is_bracket:
            words = line_words(level.node, told, level.variables, after, printed)
            nothing = "This line is done." if level.has_called else "No variable changed."
            self.add("line", words or nothing, level)
        elif told or not level.has_called:
            self.add("line", round_words(told, level.variables), level)

    def _raised(self, level: Level, error: BaseException) -> None:
        if isinstance(error, QUIET):
            return
        if error is not self._error:
            self._error, level.line = error, level.frame.f_lineno
            self._look()
            self.add("error", error_words(type(error), error_text(error)), level)
        level.node = None

    def _left_by(self, level: Level, way: str, gave: Any) -> None:
        """Handle the end of a call, or its pause at a `yield`; `_way_out` has returned `way`."""
        if way == "RETURN" and not level.is_bracket:
            is_lambda = level.frame.f_code.co_name == "<lambda>"
            has_return = is_lambda or level.line in level.block.returns
            if level.node is not None and not has_return:
                self._ran(level, 0)
            self._look()
            value = snapshot(gave)
            is_done = bool(level.frame.f_code.co_flags & CO_GENERATOR)
            words = end_words(level.name, value, has_return, is_done)
            self.add("return", words, level, gave=value)
        elif way == "YIELD":
            if level.is_bracket and level.node is not None:
                self._ran(level, 0)
            elif not level.is_bracket:
                self._look()
                value = snapshot(gave)
                self.add("return", f"{level.name} hands out {said(value)}.", level, gave=value)
            level.node = None
            self._asleep[level.frame] = level
        if self._levels:
            self._levels.pop()

    def _outside(self, frame: FrameType) -> Trace | None:
        """Record a call of other code as one step, if the learner's line names the function."""
        level, name = self._levels[-1], frame.f_code.co_name
        written = called_names(level.node).get(name) if level.node else None
        if written is None:
            return None
        call = call_text(frame, written)
        frame.f_trace_lines = False

        def finish(gave: Any) -> None:
            level.has_called = True
            self._look()
            value = snapshot(gave)
            self.add("outside", f"{call} gives back {said(value)}.", level, gave=value)

        def came_back(frame: FrameType, event: str, arg: Any) -> Trace:
            if event == "return" and not self.is_full and _way_out(frame) == "RETURN":
                self._safely(finish, arg)
            return came_back

        return came_back

    # These methods write down steps and states.

    def add(self, kind: str, words: str, level: Level | None = None, **more: Any) -> None:
        """Add one more step; `level` is the call whose line the step is about, if there is one."""
        self._said = len(self.recording.printed)
        step = {
            "kind": kind,
            "line": level.line if level else 0,
            "code": level.block.code(level.line) if level else "",
            "words": words,
            "stack": self._shown,
            "hidden": self._hidden,
            "printed": self._said,
        }
        self.recording.steps.append(step | more)
        self.is_full = self.is_full or len(self.recording.steps) >= MOST_STEPS

    def _look(self) -> list[str]:
        """Record the state of each call that is shown, and return texts on changed variables.

        The texts on the innermost call come first.
        """
        calls: list[list[Level]] = []  # each call that runs, and its unfinished comprehensions
        for level in self._levels:
            if level.is_bracket and calls and calls[-1][0].block == level.block:
                calls[-1].append(level)
            else:
                calls.append([level])
        self._hidden = max(0, len(calls) - OUTERMOST - INNERMOST)
        if self._hidden:
            calls = calls[:OUTERMOST] + calls[-INNERMOST:]
        looks = [self._look_at(call) for call in calls]
        self._shown = [index for index, _ in looks]
        return list(dict.fromkeys(each for _, told in reversed(looks) for each in told))

    def _look_at(self, call: list[Level]) -> tuple[int, list[str]]:
        told: list[str] = []
        variables: list[Plain] = []
        for level in reversed(call):
            now = variables_of(level.frame, level.is_bracket)
            if level.is_bracket or call[0].index >= 0:  # arguments of a new call have not changed
                told += compared(level.variables, now)
            level.variables = now
            variables = now + variables
        level, inner = call[0], call[-1]
        node = inner.node or level.node
        lines = list(span(node)) if node else [level.line, level.line]
        number = self._numbers_of.setdefault(level.block, len(self._numbers_of))
        if number == len(self.recording.blocks):
            self.recording.blocks.append(level.block.as_json())
        state = {"name": level.name, "block": number, "lines": lines, "variables": variables}
        if state != level.state:
            level.state, level.index = state, len(self.recording.states)
            self.recording.states.append(state)
        return level.index, told


def _way_out(frame: FrameType) -> str:
    """Return "RETURN" if a frame returns, "YIELD" if it yields, and another word after an error."""
    return dis.opname[frame.f_code.co_code[frame.f_lasti]].partition("_")[0]
