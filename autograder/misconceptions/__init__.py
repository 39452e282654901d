"""The catalogue: known ways to be wrong, as the files in `course/exercises/` tell them.

`python -m autograder.misconceptions` makes the tables in `course/hints/tables/` from them, by
calling the reference and every specimen on the probes.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from autograder.course import lesson

FOLDER = Path(__file__).parent


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
    """All that is known of one lesson.

    `probes`: exercise → calls, each as it would be typed; `observers`: exercise → name of an
    observer.
    """

    lesson: str
    misconceptions: tuple[Misconception, ...]
    probes: dict[str, list[str]]
    observers: dict[str, str]


@dataclass(frozen=True)
class General:
    """A statement that may be true of wrong answers, whatever their cause.

    `specimen` is a program, for an exercise of a lesson, that gets this name. There is none if all
    programs known to get it have a more exact name.
    """

    id: str
    title: str
    nudge: str
    explain: str
    show: str
    lesson: str = ""
    exercise: str = ""
    specimen: str = ""


@cache
def general() -> tuple[General, ...]:
    """Return the general entries, the closer ones first."""
    entries = tomllib.loads((FOLDER / "general.toml").read_text(encoding="utf-8"))["general"]
    return tuple(General(**entry) for entry in entries)


@cache
def catalogue(lesson_id: str) -> Catalogue:
    """Return the catalogue of a lesson; raise `ValueError` if there is no such lesson."""
    exercises = lesson(lesson_id).exercises
    observed = {one.name: one.details.get("observed", {}) for one in exercises}
    return Catalogue(
        lesson_id,
        tuple(
            Misconception(exercise=one.name, **{**entry, "loses": tuple(entry.get("loses", ()))})
            for one in exercises
            for entry in one.details.get("misconception", ())
        ),
        {name: said["probes"] for name, said in observed.items() if "probes" in said},
        {name: said["by"] for name, said in observed.items() if "by" in said},
    )
