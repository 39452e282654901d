"""Running a program that a learner has put together from lines, or has only begun."""

import ast
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from copy import deepcopy
from io import StringIO
from random import Random
from types import FrameType
from typing import Any

from course import rules
from course.answers import same
from course.hints.puzzles import Puzzle, Row

LINES = 50_000  # lines that a program may run before it counts as endless


class Endless(BaseException):
    """A program has run so many lines that it counts as endless."""


def works(puzzle: Puzzle, rows: tuple[Row, ...]) -> bool:
    """Return true if a program of these lines gives what the right one gives, in all cases.

    The cases are those of the puzzle.

    >>> from course.hints.puzzles import puzzle
    >>> merge = puzzle("merge")
    >>> works(merge, merge.lines), works(merge, merge.lines[::-1])
    (True, False)
    """
    return same(_outcomes(puzzle, rows), _outcomes(puzzle, puzzle.lines))


def show(puzzle: Puzzle, rows: tuple[Row, ...]) -> dict[str, Any]:
    """Run the call of the puzzle with a program that works, and return what happens, by name.

    `call` is the call as text, `arguments` are its first arguments that are plain values, and
    `gives` is what it gives. `before` and `after` are the board before and after the call, if the
    puzzle says where the board is; if not, they are `None` and what the call gives.
    """
    shown = puzzle.shown
    names = world(puzzle)
    with _limited():
        exec(puzzle.program(rows), names)  # noqa: S102 — lines of our own
        exec(shown.setup, names)  # noqa: S102
        before = deepcopy(eval(shown.before, names)) if shown.before else None
        gives = eval(shown.call, names)
        after = eval(shown.after, names) if shown.after else gives
    arguments = _plain_arguments(shown.call)
    return {
        "call": shown.call,
        "arguments": arguments,
        "gives": gives,
        "before": before,
        "after": after,
    }


def _plain_arguments(call: str) -> list[Any]:
    """Return the first arguments of a call, up to one that is not written as a plain value."""
    node = ast.parse(call, mode="eval").body
    found: list[Any] = []
    for argument in node.args if isinstance(node, ast.Call) else []:
        try:
            found.append(ast.literal_eval(argument))
        except ValueError:
            break
    return found


def world(puzzle: Puzzle) -> dict[str, Any]:
    """Return the names that a program may use, with their values.

    They are the rules, `Random`, what the notebook defines before, and new subclasses of the games
    and of the agent, to which a program may add methods.
    """
    names: dict[str, Any] = {name: getattr(rules, name) for name in rules.__all__}
    names["Random"] = Random
    for grown in (rules.Game, rules.SpecialGame, rules.Agent):
        names[grown.__name__] = type(grown.__name__, (grown,), {})
    exec(puzzle.known, names)  # noqa: S102 — lines of our own
    return names


def is_untouched(puzzle: Puzzle, mine: Any) -> bool:
    """Return true if the learner has not written anything yet of what the puzzle is about.

    `mine` is the value that the name of the exercise (for a method, of its class) has in the
    notebook.
    """
    name, _, method = puzzle.exercise.partition(".")
    if mine is None or (method and not hasattr(mine, method)):
        return True
    outcome = _outcome(puzzle.cases[0], {**world(puzzle), name: mine})
    return same(outcome, "raises NotImplementedError")


def _outcomes(puzzle: Puzzle, rows: tuple[Row, ...]) -> list[Any]:
    """Return the outcome of a program of these lines, and those of the cases if it runs."""
    names = world(puzzle)
    program = puzzle.program(rows)
    made = _outcome(lambda: exec(program, names), names)  # noqa: S102 — lines of our own
    return [made, *(_outcome(case, names) for case in puzzle.cases)] if made is None else [made]


def _outcome(case: str | Callable[[], Any], names: dict[str, Any]) -> Any:
    """Return what one call gives, or say in words what it raises, or that it does not end."""
    try:
        with _limited():
            return eval(case, names) if isinstance(case, str) else case()
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        return f"raises {type(error).__name__}"
    except Endless:
        return "does not come to an end"


@contextmanager
def _limited() -> Iterator[None]:
    """Raise `Endless` in the code inside after so many `LINES`, and hide what it prints.

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
