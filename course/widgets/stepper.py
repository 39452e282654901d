"""`watch(merge, [2, 0, 2, 4])`: a run of the learner's own code, shown line by line."""

import inspect
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import traitlets

from course import rules
from course.answer_comparison import same
from course.function_calls import copied
from course.mine.load_own_file import kept_file
from course.plain_errors import plainly
from course.playing.motion import Motion, differing, group_words, line_groups
from course.playing.pieces import WANTED, Pieces, is_right
from course.refusal import Refusal
from course.rules import Line
from course.rules.board import is_board
from course.rules.line import is_line
from course.steps.record_call import code_of, record
from course.steps.recorder import HOME, Recording
from course.steps.values import Plain, rows_of, snapshot, text
from course.widgets.live_widget import LiveWidget
from course.widgets.static_html import as_board, board_html, call_motion, read, show

EXAMPLE = "Write the function first, then what it is given: watch(merge, [2, 0, 2, 4])."
QUARTERS = ("turned once", "turned twice", "turned three times", "turned four times")


class Stepper(LiveWidget):
    """A recorded call of a function, to be stepped through with back, forward, play and a slider.

    `run` is the recording as plain data, and `note` is a remark beside it, or `None`.
    """

    _esm = read("stepper.js")
    _css = read("stepper.css")
    run: Any = traitlets.Dict().tag(sync=True)
    note: Any = traitlets.Dict(allow_none=True).tag(sync=True)

    def __init__(self, run: Plain, note: Plain | None, picture: str) -> None:
        super().__init__(run=run, note=note)
        self.picture = picture

    def __repr__(self) -> str:
        return f"<{self.run['call']}: {self.run['steps'][-1]['words']}>"

    def _ipython_display_(self) -> None:
        last = self.run["steps"][-1]["words"]
        show(self, self.picture, f"{last} Run this cell to watch it line by line.")


@plainly
def watch(function: Callable[..., Any], *arguments: Any) -> Stepper:
    """Call a function once, on copies of its arguments, and show every line that it runs.

    Pass your own function or method, and then its arguments. For a function of the course, you see
    only the result, or how each tile of a line moves. Raise `Refusal` if the function cannot be
    called with these arguments.
    """
    if not callable(function):
        raise Refusal(f"watch() needs a function, and {text(function)} is none. {EXAMPLE}")
    name = getattr(function, "__name__", "this function")
    try:
        inspect.signature(function).bind(*arguments)
    except ValueError:  # a built-in function whose signature is not known
        pass
    except TypeError as error:
        raise Refusal(f"{name} cannot be called so: {error}. {EXAMPLE}") from None
    code = code_of(function)
    is_own = code is None or not code.co_filename.startswith(HOME)
    recording = record(function, arguments, {str(kept_file())} if is_own else ())
    run = _plain(function, arguments, recording)
    if is_own:
        note = verdict(function, arguments, recording)
    else:
        if name in ("merge", "close_gaps") and is_line(arguments[0]):
            _step_by_tiles(run, arguments[0], recording.answer)
        later = f"Once you have written {name}, you see your own lines."
        lines = [f"It shows what comes of it. {later}"]
        note = {"kind": "printed", "title": f"This is the course's {name}.", "lines": lines}
    values = [*arguments, *([recording.answer] if recording.end == "returned" else [])]
    picture = "".join(board_html(board) for value in values if (board := as_board(value)))
    return Stepper(run, note, picture)


def _plain(function: Any, arguments: tuple[Any, ...], recording: Recording) -> Plain:
    """Return a recording as a dictionary; its `result` is `None` if the call did not return.

    If the call returned, `result` has the board before it, the motion of the tiles, and for a call
    of `rotate` the boards after up to four turns.
    """
    names = ("call", "steps", "states", "blocks", "printed")
    plain: Plain = {name: getattr(recording, name) for name in names}
    if recording.end != "returned":
        return {**plain, "result": None}
    answer, before = recording.answer, None
    motion = call_motion(arguments, answer)
    if motion is not None:
        before = arguments[0] if is_board(arguments[0]) else [arguments[0]]
    is_turn = getattr(function, "__name__", "") == "rotate" and is_board(answer)
    again = _turned(function, answer) if is_turn else []
    return {**plain, "result": {"before": before, "motion": motion, "again": again}}


def _turned(rotate: Any, once: Any) -> list[Plain]:
    """Return `once`, a board turned once, and boards after up to three more turns, with names."""
    boards = [once]
    while len(boards) < len(QUARTERS) and is_board(boards[-1]):
        recording = record(rotate, (boards[-1],))
        if recording.end != "returned":
            break
        boards.append(recording.answer)
    named = zip(QUARTERS, boards, strict=False)
    return [{"name": name, "value": snapshot(board)} for name, board in named]


def _step_by_tiles(run: Plain, before: Line, after: Line) -> None:
    steps = [(before, None, f"The line {before}."), *line_steps(before, after)]
    last = run["steps"][-1]
    run["states"] = [
        {
            "name": "",
            "block": -1,
            "lines": [0, 0],
            "variables": [{"name": "line", "value": snapshot(line), "motion": motion}],
        }
        for line, motion, _ in steps
    ]
    run["steps"] = [
        last | {"kind": "tiles", "words": words, "stack": [index], "gave": None}
        for index, (_, _, words) in enumerate(steps)
    ]
    run["result"] = None


def line_steps(before: Line, after: Line) -> list[tuple[Line, Plain, str]]:
    """Return the steps from one line to another; in each step, one tile or one pair moves.

    Each step is (the line after it, the motion of its tiles, words that describe it).

    >>> [line for line, _, _ in line_steps([2, 0, 2, 4], [4, 4, 0, 0])]
    [[4, 0, 0, 4], [4, 4, 0, 0]]
    """
    steps: list[tuple[Line, Plain, str]] = []
    now = before
    for group in line_groups(before, after):
        here = now
        now = [0 if index in group.sources else tile for index, tile in enumerate(now)]
        if group.target is not None:
            now[group.target] = after[group.target]
        if here != now:
            motion = Motion()
            motion.add([group], [(0, index) for index in range(len(before))], before)
            steps.append((now, motion.as_json(), group_words(group, before, after)))
    return steps or [(after, Motion().as_json(), "Nothing moves.")]


def verdict(function: Any, arguments: tuple[Any, ...], recording: Recording) -> Plain | None:
    """Return a note if a function gave another answer than the rules, or changed an argument.

    Only functions with a name in `WANTED` are judged; methods are not. The answer of a function
    that uses chance is not compared, because more than one is right. The `marks` of the note are
    the wrong squares of the answer.
    """
    name = getattr(function, "__name__", "")
    if recording.end != "returned" or name not in WANTED or hasattr(function, "__self__"):
        return None
    lines, right = [], recording.answer
    piece = getattr(rules, name)
    if "rng" not in inspect.signature(piece).parameters:
        with suppress(Exception):  # the rules' function does not take these arguments
            right = piece(*copied(arguments))
    if right is not recording.answer and not is_right(name, recording.answer, right):
        gave = f"{recording.call} gave {text(recording.answer)}."
        lines.append(f"{gave} The rules give {text(right)}.")
    pairs = zip(arguments, recording.arguments, strict=True)
    if any(type(given) is list and not same(given, now) for given, now in pairs):
        lines.append(f"Your {name} changed the list that it was given.")
    if not lines:
        return None
    diagnosis = Pieces({name: function}).diagnose(function)
    hint = diagnosis.nudge if diagnosis else ""
    first, second = rows_of(recording.answer), rows_of(right)
    marks = []
    if first is not None and second is not None and len(first) == len(second):
        marks = [list(square) for square in differing(first, second)]
    told = {"kind": "wrong", "title": "Not by the rules", "lines": lines}
    return {**told, "hint": hint, "marks": marks}
