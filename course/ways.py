"""Other ways to write an exercise: right programs, each with a sentence on what it does well."""

from dataclasses import dataclass
from functools import cache

from course.lessons import exercise


@dataclass(frozen=True)
class Way:
    """Another right program for an exercise, and a sentence that says what is good about it.

    `program` replaces the whole cell in which the exercise is solved.
    """

    sentence: str
    program: str


@cache
def ways(exercise_name: str) -> tuple[Way, ...]:
    """Return other right programs for an exercise, in the order in which they are to be shown.

    The strip below an exercise shows them beside the learner's own program, as soon as all its
    checks hold. An exercise that has none gives an empty tuple. Only the file of that exercise in
    `exercises/` is read, when it is first asked for.

    Raises `ValueError`, listing all exercises, if there is none with that name.

    >>> found = ways("has_won")[0]
    >>> print(found.program)
    def has_won(board, goal=2048):
        return max(max(row) for row in board) >= goal
    >>> found.sentence.partition(",")[0]
    'Only the largest tile matters'
    >>> ways("winning_tile")
    ()
    """
    written = exercise(exercise_name).details.get("way", [])
    return tuple(Way(way["sentence"], way["program"].strip("\n")) for way in written)
