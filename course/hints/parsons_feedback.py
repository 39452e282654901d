"""Running and judging a program that a learner has put together from lines, or has only begun."""

import ast
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from copy import deepcopy
from dataclasses import dataclass
from io import StringIO
from random import Random
from types import FrameType
from typing import Any

from course import rules
from course.answer_comparison import same
from course.hints.parsons_puzzles import Puzzle, Row

Rows = tuple[Row, ...]

LINES = 50_000  # lines that a program may run before it counts as endless
DEEPEST = 4  # indents that a line may have more than the least indented one

RIGHT = "Right, your program works. Now write it in your cell."
EMPTY = "There is no line in your program. Take the lines that you need out of the bin."


class Endless(BaseException):
    """The error raised in a program that has run so many lines that it counts as endless."""


def works(puzzle: Puzzle, rows: Rows) -> bool:
    """Return true if a program of these lines gives what the right program gives.

    Both programs are run in all cases of the puzzle.

    >>> from course.hints.parsons_puzzles import puzzle
    >>> merge = puzzle("merge")
    >>> works(merge, merge.lines), works(merge, merge.lines[::-1])
    (True, False)
    """
    return same(_outcomes(puzzle, rows), _outcomes(puzzle, puzzle.lines))


def show(puzzle: Puzzle, rows: Rows) -> dict[str, Any]:
    """Run a program that works, then the call that the puzzle shows, and return what happens.

    The result is a dictionary. `"call"` is the call as text, and `"gives"` is what the call gives.
    `"arguments"` are the first arguments of the call, as far as they are plain values. `"before"`
    and `"after"` are the board before and after the call, if the puzzle says where the board is. If
    it does not, `"before"` is `None`, and `"after"` is what the call gives.
    """
    shown = puzzle.shown
    names = world(puzzle)
    with _limited():
        exec(puzzle.program(rows), names)  # noqa: S102 — lines of our own
        exec(shown.setup, names)  # noqa: S102
        before = deepcopy(eval(shown.before, names)) if shown.before else None
        gives = eval(shown.call, names)
        after = eval(shown.after, names) if shown.after else gives
    node = ast.parse(shown.call, mode="eval").body
    arguments = []
    with suppress(ValueError):  # an argument that is not a plain value
        for argument in node.args if isinstance(node, ast.Call) else []:
            arguments.append(ast.literal_eval(argument))
    return {
        "call": shown.call,
        "arguments": arguments,
        "gives": gives,
        "before": before,
        "after": after,
    }


def world(puzzle: Puzzle) -> dict[str, Any]:
    """Return the names that a program may use, with their values.

    They are the rules, `Random`, what the notebook defines above the exercise, and new subclasses
    of the games and of the agent, to which a program may add methods.
    """
    names: dict[str, Any] = {name: getattr(rules, name) for name in rules.__all__}
    names["Random"] = Random
    for grown in (rules.Game, rules.SpecialGame, rules.Agent):
        names[grown.__name__] = type(grown.__name__, (grown,), {})
    exec(puzzle.defined, names)  # noqa: S102 — lines of our own
    return names


def is_untouched(puzzle: Puzzle, mine: Any) -> bool:
    """Return true if the learner has not yet begun to write the program of the puzzle.

    `mine` is what the notebook defines under the name of the exercise, or `None`. If the exercise
    is a method, `mine` is its class.
    """
    name, _, method = puzzle.exercise.partition(".")
    if mine is None or (method and not hasattr(mine, method)):
        return True
    outcome = _outcome(puzzle.cases[0], {**world(puzzle), name: mine})
    return same(outcome, "raises NotImplementedError")


def answers_alike(puzzle: Puzzle, call: str, mine: Any) -> bool:
    """Return true if the learner's function or class answers a call as the right one does.

    >>> from course.hints.parsons_puzzles import puzzle
    >>> answers_alike(puzzle("close_gaps"), "len(close_gaps([0, 2]))", lambda line: line)
    True
    """
    own = {**world(puzzle), puzzle.exercise.partition(".")[0]: mine}
    return mine is not None and same(_outcome(call, world(puzzle)), _outcome(call, own))


def _outcomes(puzzle: Puzzle, rows: Rows) -> list[Any]:
    """Return the outcome of a program of these lines and, if it runs, those of all cases."""
    names = world(puzzle)
    program = puzzle.program(rows)
    made = _outcome(lambda: exec(program, names), names)  # noqa: S102 — lines of our own
    return [made, *(_outcome(case, names) for case in puzzle.cases)] if made is None else [made]


def _outcome(case: str | Callable[[], Any], names: dict[str, Any]) -> Any:
    """Return what one call gives.

    If the call raises an error or does not end, return a text that says so.
    """
    try:
        with _limited():
            return eval(case, names) if isinstance(case, str) else case()
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        return f"raises {type(error).__name__}"
    except Endless:
        return "does not come to an end"


@contextmanager
def _limited() -> Iterator[None]:
    """Raise `Endless` in the `with` block after `LINES` lines, and hide what the block prints.

    Lines are counted, not seconds, since their number is the same on every machine, in every thread
    and in a browser.
    """
    left = LINES

    def count(_frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal left
        left -= event == "line"
        if left < 0:
            raise Endless
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        with redirect_stdout(StringIO()):
            yield
    finally:
        sys.settrace(before)


@dataclass(frozen=True)
class Finding:
    """A verdict on a program, and the number of the line that it is about, counted from 1."""

    is_right: bool
    sentence: str
    line: int | None = None


def judge(puzzle: Puzzle, rows: Rows) -> Finding:
    """Return a verdict: a program is right, or it lacks lines, or its first wrong line is named.

    If all lines that belong to the program are there and no others, every order that works is
    right.
    """
    if not rows:
        return Finding(False, EMPTY)
    for number, row in enumerate(rows, 1):
        why = next((stray.why for stray in puzzle.strays if stray.line == row.text), None)
        if why is not None:
            return Finding(False, f"Line {number} does not belong to the program. {why}", number)
        above = rows[: number - 1]
        if not _can_go_on(puzzle, (*above, row)):
            others = range(puzzle.base, puzzle.base + DEEPEST + 1)
            if any(_can_go_on(puzzle, (*above, Row(row.text, indent))) for indent in others):
                said = "stands in the right place, but its indentation is not right yet."
            else:
                praise = " The lines above it are right." if above else ""
                said = f"is the first that is out of place.{praise}"
            return Finding(False, f"Line {number} {said}", number)
    missing = len(puzzle.lines) - len(rows)
    if missing:
        lines = "One line is" if missing == 1 else f"{missing} lines are"
        return Finding(False, f"What stands here is right. {lines} still missing: look in the bin.")
    return Finding(True, RIGHT)


def _can_go_on(puzzle: Puzzle, start: Rows) -> bool:
    """Return true if lines can be added below these so that the program is right.

    Some of the missing lines that stand below the last line of `start` in the right program are
    tried first, so that the block of that line is completed, and below them the other missing
    lines. Both groups are in the right order.
    """
    rest = list(puzzle.lines)
    follows = 0
    for row in start:
        found = row if row in rest else next((r for r in rest if r.text == row.text), None)
        if found is None:
            return False
        follows = rest.index(found)
        rest.remove(found)
    for count in range(len(rest) - follows + 1):
        behind = rest[follows : follows + count]
        if works(puzzle, (*start, *behind, *rest[:follows], *rest[follows + count :])):
            return True
    return False
