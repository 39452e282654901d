"""The catalogue: for each lesson, right programs in several styles and known ways to be wrong.

There is one TOML file for each lesson. `python -m autograder.misconceptions` makes the tables in
`course/hints/tables/` from it, by calling the reference and every specimen on the probes.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from autograder.course import lesson

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Right:
    """A right program: it replaces the solution cell of its exercise."""

    title: str
    exercise: str
    program: str


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
    right: tuple[Right, ...]
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
    path = FOLDER / f"{lesson(lesson_id).id}.toml"
    entries = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return Catalogue(
        lesson_id,
        tuple(Right(**entry) for entry in entries.get("right", [])),
        tuple(
            Misconception(**{**entry, "loses": tuple(entry["loses"])})
            for entry in entries.get("misconception", [])
        ),
        entries.get("probes", {}),
        entries.get("observers", {}),
    )
