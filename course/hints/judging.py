"""Judging a program that was put together from the lines of a puzzle."""

from collections.abc import Iterator
from dataclasses import dataclass

from course.hints.composed import works
from course.hints.puzzles import Puzzle, Row

Rows = tuple[Row, ...]

DEEPEST = 4  # indents that a line may have more than the least indented one

RIGHT = "Right, your program works. Now write it in your cell."
EMPTY = "There is no line in your program. Take the lines that you need out of the bin."


@dataclass(frozen=True)
class Finding:
    """A verdict on a program, and the number of the line that it is about, counted from 1."""

    is_right: bool
    sentence: str
    line: int | None = None


def judge(puzzle: Puzzle, rows: Rows) -> Finding:
    """Judge a program: it is right, or it lacks lines, or its first wrong line is named.

    Every order that works is right, if all lines that belong are there and no others.
    """
    if not rows:
        return Finding(False, EMPTY)
    for number, row in enumerate(rows, 1):
        why = next((stray.why for stray in puzzle.strays if stray.line == row.text), None)
        if why is not None:
            return Finding(False, f"Line {number} does not belong to the program. {why}", number)
        above = rows[: number - 1]
        if not _can_go_on(puzzle, (*above, row)):
            return Finding(False, _out_of_place(puzzle, above, row, number), number)
    missing = len(puzzle.lines) - len(rows)
    if missing:
        lines = "One line is" if missing == 1 else f"{missing} lines are"
        return Finding(False, f"What stands here is right. {lines} still missing: look in the bin.")
    return Finding(True, RIGHT)


def _out_of_place(puzzle: Puzzle, above: Rows, row: Row, number: int) -> str:
    """Return a sentence that says what is wrong with a line; all lines above it are right."""
    others = range(puzzle.base, puzzle.base + DEEPEST + 1)
    if any(_can_go_on(puzzle, (*above, Row(row.text, indent))) for indent in others):
        return f"Line {number} stands in the right place, but its indentation is not right yet."
    praise = " The lines above it are right." if above else ""
    return f"Line {number} is the first that is out of place.{praise}"


def _can_go_on(puzzle: Puzzle, start: Rows) -> bool:
    """Return true if a program that begins with these lines can still become right."""
    return any(works(puzzle, rows) for rows in _endings(puzzle, start))


def _endings(puzzle: Puzzle, start: Rows) -> Iterator[Rows]:
    """Yield the whole programs to try: the lines at the start, and then all missing lines.

    First come some of the lines that follow the last one in the known order, so that a block that
    was begun is ended; then the others in that order. If one of the lines at the start does not
    belong to the program, there is nothing to try.
    """
    rest = list(puzzle.lines)
    follows = 0
    for row in start:
        found = row if row in rest else next((r for r in rest if r.text == row.text), None)
        if found is None:
            return
        follows = rest.index(found)
        rest.remove(found)
    for count in range(len(rest) - follows + 1):
        behind = rest[follows : follows + count]
        yield (*start, *behind, *rest[:follows], *rest[follows + count :])
