"""Puzzles: the lines of a right program, shuffled, with a few lines that do not belong to it."""

import textwrap
from dataclasses import dataclass
from functools import cache
from random import Random
from zlib import crc32

from course.lessons import lessons

STEP = 4  # spaces

TASK = "Below {head} put these lines in order, and indent them. {strays} not belong to the program."


@dataclass(frozen=True)
class Row:
    """A line of a program: its text, and the number of indents before it."""

    text: str
    indent: int

    def __str__(self) -> str:
        return " " * STEP * self.indent + self.text


@dataclass(frozen=True)
class Stray:
    """A line that does not belong to the program, why not, and the known mistake it comes from."""

    line: str
    why: str
    mistake: str


@dataclass(frozen=True)
class Shown:
    """A call that shows what the finished program does.

    `setup` is code to run before the call. `before` and `after` are expressions that give the board
    before and after the call. If they are empty, the board before is the first argument, and the
    board after is the answer.
    """

    call: str
    setup: str = ""
    before: str = ""
    after: str = ""


@dataclass(frozen=True)
class Puzzle:
    """The puzzle of one exercise.

    `given` is code that stands above the lines; the learner does not move it. `lines` are in a
    right order; another order is right, too, if all calls in `cases` give the same with it.
    `defined` is the code of all that the notebook defines above the exercise.
    """

    exercise: str
    given: str
    lines: tuple[Row, ...]
    strays: tuple[Stray, ...]
    cases: tuple[str, ...]
    shown: Shown
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
        """Return all lines, strays too, in the shuffled order that is first shown.

        This order is always the same.

        >>> sorted(puzzle("Game.is_over").pile())[0]
        'print(is_over(self.board))'
        """
        right = [line.text for line in self.lines]
        pile = [*right, *(stray.line for stray in self.strays)]
        rng = Random(crc32(self.exercise.encode()))
        rng.shuffle(pile)
        while len(right) > 1 and [text for text in pile if text in right] == right:
            rng.shuffle(pile)
        return tuple(pile)

    def program(self, rows: tuple[Row, ...] | None = None) -> str:
        """Return the text of the program: the code in `given`, and `rows` below it.

        If `rows` is `None`, return the right program.
        """
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
        tuple(Stray(**each) for each in said["stray"]),
        tuple(said["cases"]),
        Shown(**said["shown"]),
        said.get("defined", ""),
    )


def puzzles() -> dict[str, Puzzle]:
    """Return all puzzles as a dictionary by the name of their exercise."""
    names = [one.name for lesson in lessons() for one in lesson.exercises]
    return {name: found for name in names if (found := puzzle(name)) is not None}
