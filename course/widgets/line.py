"""`watch(merge, line)`: one merge of a line, step by step."""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import uuid4

import anywidget
import traitlets

from course.match.calls import Stuck
from course.match.motion import Group, Motion, groups_motion, line_groups
from course.match.pieces import Pieces
from course.match.why import group_words
from course.plainly import plainly
from course.refusal import Refusal
from course.rules import Line
from course.rules.shape import is_board, is_line
from course.widgets.assets import read
from course.widgets.picture import line_html
from course.widgets.saved import show
from course.widgets.turns import Turns

WATCHED = ("merge", "close_gaps")


class LineWidget(anywidget.AnyWidget):
    """A line that is stepped through with back, forward and play."""

    _esm = read("line.js")
    _css = read("line.css")
    steps: Any = traitlets.List().tag(sync=True)
    note: Any = traitlets.Dict(allow_none=True).tag(sync=True)
    saved_id = traitlets.Unicode("").tag(sync=True)

    def __init__(self, steps: list[dict[str, Any]], note: dict[str, Any] | None) -> None:
        super().__init__(steps=steps, note=note, saved_id=uuid4().hex)

    def __repr__(self) -> str:
        return f"<line {self.steps[0]['line']} becomes {self.steps[-1]['line']}>"

    def _ipython_display_(self) -> None:
        first, last = self.steps[0], self.steps[-1]
        picture = line_html(first["line"]) + line_html(last["line"], last["marks"])
        show(self, picture, "Run this cell to watch the steps.")


@plainly
def watch(function: Callable[[Any], Any], line: Any) -> LineWidget | Turns:
    """What a function makes of a line, one tile at a time; a wrong answer is shown as it is.

    Takes `merge` or `close_gaps` and a line; or `rotate` and a board, which is then turned four
    times. Raises `Refusal` for anything else.
    """
    if is_board(line) and getattr(function, "__name__", "") == "rotate":
        return Turns(function, line)
    if not is_line(line):
        raise Refusal(f"watch() needs a line, a list such as [2, 0, 2, 4], and not {line!r}")
    name = getattr(function, "__name__", "")
    pieces = Pieces({name if name in WATCHED else "merge": function})
    steps = [_step(line, Motion(), f"The line {line}.")]
    note: dict[str, Any] = {"kind": "printed", "title": "Your code printed", "lines": []}
    try:
        steps += _watched(pieces, line, note)
    except Stuck as stuck:
        note |= {"kind": "stuck", "title": stuck.title, "lines": [stuck.text], "code": stuck.code}
    note["printed"] = pieces.report.printed.lines()
    return LineWidget(steps, note if note["lines"] or note["printed"] else None)


def _watched(pieces: Pieces, line: Line, note: dict[str, Any]) -> list[dict[str, Any]]:
    """The steps to what the function gives; what is wrong with it goes to the note."""
    [(name, newest)] = pieces.given.items()
    answer, right = pieces[name](line), pieces.right[name](line)
    steps = line_steps(line, answer)
    lines = list(pieces.report.faults)
    if answer != right:
        steps[-1]["marks"] = [i for i, tile in enumerate(answer) if tile != right[i]]
        lines.insert(0, f"{name}({line}) gave {answer}. The rules give {right}.")
        diagnosis = pieces.diagnose(newest())
        note["hint"] = diagnosis.nudge if diagnosis else ""
    if lines:
        note |= {"kind": "wrong", "title": "Not by the rules", "lines": lines}
    return steps


def line_steps(before: Line, after: Line) -> list[dict[str, Any]]:
    """The way from a line to what it became: each tile, or pair, moves to its square in turn.

    >>> [step["line"] for step in line_steps([2, 0, 2, 4], [4, 4, 0, 0])]
    [[4, 0, 0, 4], [4, 4, 0, 0]]
    """
    groups = line_groups(before, after)
    steps = []
    now = before
    for group in groups:
        here, now = now, _moved(now, group, after)
        if here != now:
            motion = _motion([group], before)
            steps.append(_step(now, motion, group_words(group, before, after)))
    if steps and now == after:
        return steps
    words = "Nothing moves." if before == after else f"It becomes {after}."
    return [_step(after, _motion(groups, before), words)]


def _moved(now: Line, group: Group, after: Line) -> Line:
    moved = [0 if index in group.sources else tile for index, tile in enumerate(now)]
    if group.target is not None:
        moved[group.target] = after[group.target]
    return moved


def _motion(groups: Sequence[Group], before: Line) -> Motion:
    return groups_motion(groups, [(0, column) for column in range(len(before))], before)


def _step(line: Line, motion: Motion, words: str) -> dict[str, Any]:
    return {"line": line, "motion": motion.as_json(), "words": words, "marks": []}
