"""Puzzles: the lines of a right program, shuffled, with a few lines that do not belong to it.

A program that a learner has put together from lines, or has only begun, is judged by running it.
"""

import ast
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from io import StringIO
from random import Random
from types import FrameType
from typing import Any
from zlib import crc32

from course import rules
from course.answer_comparison import same
from course.function_calls import NoAnswer
from course.lessons import lessons

STEP = 4  # spaces
LINES = 50_000  # lines that a program may run before it counts as endless
DEEPEST = 4  # a line may have this many more indents than the least indented one

TASK = "Below {head} put these lines in order, and indent them. {strays} not belong to the program."
RIGHT = "Right, your program works. Now write it in your cell."
EMPTY = "There is no line in your program. Take the lines that you need out of the bin."


@dataclass(frozen=True)
class Row:
    """A line of a program: its text, and the number of indents before it."""

    text: str
    indent: int

    def __str__(self) -> str:
        return " " * STEP * self.indent + self.text


Rows = tuple[Row, ...]


@dataclass(frozen=True)
class Puzzle:
    """The puzzle of one exercise.

    `given` is code that stands above the lines; the learner does not move it. `lines` are in one
    right order; another order is right, too, if all calls in `cases` then give the same results.
    `strays` maps each line that does not belong to the program to the reason why not.
    `defined` is the code of all that the notebook defines above the exercise. `shown["call"]` is a
    call that shows what the finished program does. `shown` may also have `setup`, code to run
    first, and `before` and `after`, expressions for the board before and after the call.
    """

    exercise: str
    given: str
    lines: Rows
    strays: dict[str, str]
    cases: tuple[str, ...]
    shown: dict[str, str]
    defined: str = ""

    @property
    def base(self) -> int:
        """The smallest indent of the right lines: that of the lines directly below `given`."""
        return min(line.indent for line in self.lines)

    @property
    def task(self) -> str:
        """The instruction: a sentence that says what to do with the lines."""
        some = "One of them does" if len(self.strays) == 1 else "Two of them do"
        return TASK.format(head=f"`{self.given.splitlines()[-1].strip()}`", strays=some)

    def pile(self) -> tuple[str, ...]:
        """Return all lines, with the strays, in the shuffled order that every learner sees first.

        >>> sorted(puzzle("Game.is_over").pile())[0]
        'print(is_over(self.board))'
        """
        right = [line.text for line in self.lines]
        pile = [*right, *self.strays]
        rng = Random(crc32(self.exercise.encode()))
        rng.shuffle(pile)
        while len(right) > 1 and [text for text in pile if text in right] == right:
            rng.shuffle(pile)
        return tuple(pile)

    def program(self, rows: Rows | None = None) -> str:
        """Return the text of a program: `given`, then `rows`; by default, the right lines."""
        return "\n".join([self.given, *map(str, self.lines if rows is None else rows)])

    def text(self) -> str:
        """Return the puzzle as text, for readers who cannot move its lines."""
        numbered = [f"{number:3}. {text}" for number, text in enumerate(self.pile(), 1)]
        return "\n".join([self.task, "", *numbered])


@cache
def puzzle(exercise: str) -> Puzzle | None:
    """Return the puzzle of an exercise, or `None` if it has none.

    >>> print(puzzle("merge").lines[1])
        for index in range(len(squares) - 1):
    """
    every = {one.name: one for lesson in lessons() for one in lesson.exercises}
    said = every[exercise].details.get("puzzle") if exercise in every else None
    if said is None:
        return None
    rows = []
    for line in filter(str.strip, said["lines"].splitlines()):
        text = line.strip()
        rows.append(Row(text, (len(line.rstrip()) - len(text)) // STEP))
    return Puzzle(
        exercise,
        textwrap.dedent(said["given"]).strip("\n"),
        tuple(rows),
        {stray["line"]: stray["why"] for stray in said["stray"]},
        tuple(said["cases"]),
        said["shown"],
        said.get("defined", ""),
    )


def works(puzzle: Puzzle, rows: Rows) -> bool:
    """Return true if a program of `rows` gives the same results as the right program in all cases.

    >>> merge = puzzle("merge")
    >>> works(merge, merge.lines), works(merge, merge.lines[::-1])
    (True, False)
    """
    return same(_outcomes(puzzle, rows), _outcomes(puzzle, puzzle.lines))


def call_shown(puzzle: Puzzle, rows: Rows) -> tuple[list[Any], Any, Any, Any]:
    """Run a program that works, then the call that the puzzle shows.

    Return the arguments of the call, up to the first that is no plain value; the result of the
    call; the board before it; and the board after it. If the puzzle does not say where the board
    is, the first argument is the board before, and the result is the board after.
    """
    shown, names = puzzle.shown, _names(puzzle)
    with _limited():
        exec(puzzle.program(rows), names)  # noqa: S102 — lines of our own
        exec(shown.get("setup", ""), names)  # noqa: S102
        before = deepcopy(eval(shown.get("before", "None"), names))
        gives = eval(shown["call"], names)
        after = eval(shown["after"], names) if "after" in shown else gives
    call: Any = ast.parse(shown["call"], mode="eval").body
    arguments = []
    with suppress(ValueError):  # an argument that is not a plain value
        for argument in getattr(call, "args", []):
            arguments.append(ast.literal_eval(argument))
    if before is None and arguments:
        before = arguments[0]
    return arguments, gives, before, after


def _names(puzzle: Puzzle) -> dict[str, Any]:
    """Return a dictionary from names that a program may use to their values.

    The names come from the rules of the game, and from the code that stands above the exercise. The
    classes of games and agents are new subclasses, so that a program may add methods to them.
    """
    names: dict[str, Any] = {name: getattr(rules, name) for name in rules.__all__}
    names["Random"] = Random
    for grown in (rules.Game, rules.SpecialGame, rules.Agent):
        names[grown.__name__] = type(grown.__name__, (grown,), {})
    exec(puzzle.defined, names)  # noqa: S102 — lines of our own
    return names


def is_untouched(puzzle: Puzzle, mine: Any) -> bool:
    """Return true if the learner has not yet begun to write the function or the method."""
    name, _, method = puzzle.exercise.partition(".")
    if mine is None or (method and not hasattr(mine, method)):
        return True
    outcome = _outcome(puzzle.cases[0], {**_names(puzzle), name: mine})
    return same(outcome, "raises NotImplementedError")


def answers_alike(puzzle: Puzzle, call: str, mine: Any) -> bool:
    """Return true if the learner's function or class, `mine`, answers `call` as the right one does.

    >>> answers_alike(puzzle("close_gaps"), "len(close_gaps([0, 2]))", lambda line: line)
    True
    """
    own = {**_names(puzzle), puzzle.exercise.partition(".")[0]: mine}
    return mine is not None and same(_outcome(call, _names(puzzle)), _outcome(call, own))


def _outcomes(puzzle: Puzzle, rows: Rows) -> list[Any]:
    """Return the outcomes of a program of `rows`: of running it and, if it runs, of each case."""
    names = _names(puzzle)
    program = puzzle.program(rows)
    made = _outcome(lambda: exec(program, names), names)  # noqa: S102 — lines of our own
    return [made, *(_outcome(case, names) for case in puzzle.cases)] if made is None else [made]


def _outcome(case: str | Callable[[], Any], names: dict[str, Any]) -> Any:
    """Return the result of a call; if it raises an error or does not end, a text that says so."""
    try:
        with _limited():
            return eval(case, names) if isinstance(case, str) else case()
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        return f"raises {type(error).__name__}"
    except NoAnswer:
        return "does not come to an end"


@contextmanager
def _limited() -> Iterator[None]:
    """Inside a `with` block, hide what is printed; raise `NoAnswer` after `LINES` lines of code.

    Lines are counted, not seconds, since their number is the same on every machine, in every thread
    and in a browser.
    """
    left = LINES

    def count(_frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal left
        left -= event == "line"
        if left < 0:
            raise NoAnswer
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
    """A verdict on a program; `line` is the line that the verdict is about, counted from 1."""

    is_right: bool
    sentence: str
    line: int | None = None


def judge(puzzle: Puzzle, rows: Rows) -> Finding:
    """Return a verdict on a program of `rows`: it is right, or lacks lines, or has a wrong line.

    The first wrong line is named. Every order of the lines that works is right.
    """
    if not rows:
        return Finding(False, EMPTY)
    for number, row in enumerate(rows, 1):
        why = puzzle.strays.get(row.text)
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
    """Return true if the missing lines can be added below `start` so that the program is right.

    The missing lines keep their right order, with one exception: the lines that follow the last
    line of `start` in the right program may come first, to complete its block. Every number of
    these lines is tried, from none to all.
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
