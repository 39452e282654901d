"""`watch(merge, line)`: one merge of a line, step by step."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import anywidget
import traitlets

from course.rules import Line
from course.widgets.assets import read
from course.widgets.calls import Stuck
from course.widgets.motion import Group, line_groups
from course.widgets.picture import is_line, line_html
from course.widgets.pieces import WANTED, Pieces
from course.widgets.saved import show


class LineWidget(anywidget.AnyWidget):
    """A line that is stepped through with back, forward and play."""

    _esm = read("parts.js", "tiles.js", "line.js")
    _css = read("tiles.css", "widgets.css", "line.css")
    steps: Any = traitlets.List().tag(sync=True)
    note: Any = traitlets.Dict(allow_none=True).tag(sync=True)
    saved_id = traitlets.Unicode("").tag(sync=True)

    def __init__(self, steps: list[dict[str, Any]], note: dict[str, Any] | None) -> None:
        super().__init__(steps=steps, note=note, saved_id=uuid4().hex)

    def __repr__(self) -> str:
        return f"<line {self.steps[0]['line']} becomes {self.steps[-1]['line']}>"

    def _ipython_display_(self) -> None:
        first, last = self.steps[0]["line"], self.steps[-1]["line"]
        marks = self.steps[-1]["marks"]
        show(self, line_html(first) + line_html(last, marks), "Run this cell to watch the steps.")


def watch(function: Callable[[Line], Line], line: Line) -> LineWidget:
    """What a function makes of a line, one tile at a time; a wrong answer is shown as it is.

    Takes `merge` or `close_gaps` and a line. Raises `ValueError` for anything that is no line.
    """
    if not is_line(line):
        raise ValueError(
            f"watch() needs a line, a list of numbers such as [2, 0, 2, 4], not {line!r}"
        )
    name = getattr(function, "__name__", "merge")
    name = name if name in WANTED else "merge"
    pieces = Pieces({name: function})
    note: dict[str, Any] = {"kind": "printed", "title": "Your code printed", "lines": []}
    steps = [_step(line, "", f"The line {line}.")]
    try:
        answer = pieces.play[name](line)
    except Stuck as stuck:
        note |= {"kind": "stuck", "title": stuck.title, "lines": [stuck.text], "code": stuck.code}
    else:
        steps += merge_steps(line, answer)
        right = pieces.right[name](line)
        if answer != right:
            steps[-1]["marks"] = [
                i for i, (a, b) in enumerate(zip(answer, right, strict=True)) if a != b
            ]
            note |= {"kind": "wrong", "title": "Not by the rules"}
            note["lines"] = [f"{name}({line}) gave {answer}. The rules give {right}."]
        note["lines"] += pieces.report.faults
        diagnosis = pieces.diagnose(function) if answer != right else None
        note["hint"] = diagnosis.nudge if diagnosis else ""
    note["printed"] = pieces.report.printed.lines()
    return LineWidget(steps, note if note["lines"] or note["printed"] else None)


def merge_steps(before: Line, after: Line) -> list[dict[str, Any]]:
    """The way from a line to what it became: each tile, or pair, moves to its square in turn.

    >>> [step["line"] for step in merge_steps([2, 0, 2, 4], [4, 4, 0, 0])]
    [[4, 0, 0, 4], [4, 4, 0, 0]]
    """
    steps = []
    now = before
    for group in line_groups(before, after):
        here, now = now, _moved(now, before, group, after)
        if here != now:
            steps.append(_step(now, _motion(group, before), _words(group, before, after)))
    if not steps or now != after:
        words = "Nothing moves." if before == after else f"It becomes {after}."
        whole = [motion for g in line_groups(before, after) for motion in [_motion(g, before)]]
        return [_step(after, _joined(whole), words)]
    return steps


def _moved(now: Line, before: Line, group: Group, after: Line) -> Line:
    moved = now[:]
    for source in group.sources:
        moved[source] = 0
    if group.target is not None:
        moved[group.target] = after[group.target]
    return moved


def _words(group: Group, before: Line, after: Line) -> str:
    tiles = [str(before[source]) for source in group.sources]
    if group.target is None:
        return f"The {tiles[0]} vanishes."
    if not tiles:
        return f"A {after[group.target]} appears from nowhere."
    place = f"square {group.target}"
    if len(tiles) == 1:
        return f"The {tiles[0]} slides to {place}."
    return f"{', '.join(tiles[:-1])} and {tiles[-1]} merge into {after[group.target]} on {place}."


def _motion(group: Group, before: Line) -> dict[str, Any]:
    if group.target is None:
        vanished = [[0, source, before[source]] for source in group.sources]
        return {"glides": [], "merged": [], "appeared": [], "vanished": vanished}
    target = [0, group.target]
    return {
        "glides": [[0, source, *target, before[source]] for source in group.sources],
        "merged": [target] if len(group.sources) > 1 else [],
        "appeared": [] if group.sources else [target],
        "vanished": [],
    }


def _joined(motions: list[dict[str, Any]]) -> dict[str, Any]:
    keys = ("glides", "merged", "appeared", "vanished")
    return {key: [each for motion in motions for each in motion[key]] for key in keys}


def _step(line: Line, motion: Any, words: str) -> dict[str, Any]:
    return {"line": line, "motion": motion or None, "words": words, "marks": []}
