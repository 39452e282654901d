"""The catalogue of known mistakes, which is read from the files in `course/exercises/`.

A specimen is the smallest program that makes a known mistake. `python -m autograder.misconceptions`
makes test calls of the right programs and of all specimens, and writes digests of the results to
`course/hints/digests.json`.
"""

from dataclasses import dataclass
from functools import cache

from autograder.course_adapter import lesson


@dataclass(frozen=True)
class Misconception:
    """A known mistake in an exercise.

    `nudge`, `explain` and `show` are three hints, and each says more than the hint before.
    `specimen` is the smallest program that makes the mistake. `loses` are the ids of the checks
    that the specimen does not pass.
    """

    id: str
    exercise: str
    title: str
    nudge: str
    explain: str
    show: str
    specimen: str
    loses: tuple[str, ...]


@dataclass(frozen=True)
class Catalogue:
    """All known mistakes of one lesson."""

    lesson: str
    misconceptions: tuple[Misconception, ...]


@cache
def catalogue(lesson_id: str) -> Catalogue:
    """Return the catalogue of a lesson; raise `ValueError` if there is no such lesson."""
    return Catalogue(
        lesson_id,
        tuple(
            Misconception(exercise=one.name, **{**entry, "loses": tuple(entry.get("loses", ()))})
            for one in lesson(lesson_id).exercises
            for entry in one.details.get("misconception", ())
        ),
    )
