"""The catalogue: known ways to be wrong, as the files in `course/exercises/` tell them.

`python -m autograder.misconceptions` makes `course/hints/digests.json` from them, by calling the
reference and every specimen on the probes.
"""

from dataclasses import dataclass
from functools import cache

from autograder.course import lesson


@dataclass(frozen=True)
class Misconception:
    """A known way to be wrong: three hints, the smallest wrong program, the checks it loses."""

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
