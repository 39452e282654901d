"""All that is known of mistakes: texts about them, and digests of what wrong programs do.

The texts about known mistakes are in `course/exercises/`; those of general hints, which may apply
to any function, are in `general.toml`. `digests.json` holds hashes of facts about right programs
and programs with known mistakes. To find the facts, an *observer* calls a program on its *probes*,
test calls written as texts.
"""

import json
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from course.lessons import exercises_of, lesson

FOLDER = Path(__file__).parent
DIGESTS = FOLDER / "digests.json"
TEXTS = ("id", "title", "nudge", "explain", "show")


@dataclass(frozen=True)
class Diagnosis:
    """The texts about a mistake: its id, its title, and the hints `nudge`, `explain` and `show`.

    Each of the three hints says more than the one before. `exercise` is where the mistake is made:
    `merge`, for example, or `Game.move` for a method.
    """

    id: str
    title: str
    nudge: str
    explain: str
    show: str
    exercise: str


@dataclass(frozen=True)
class Program:
    """A program in `digests.json`; `id` names its known mistake, "" if the program is right.

    `exercise` is the exercise, or the part of a class, that is wrong. `seen` holds digests of the
    facts on the probes (test calls); `more` is the digest of the answers to the calls that the
    function `observe` adds to the probes. `prints` is true if the program prints something on the
    probes.
    """

    id: str
    exercise: str
    prints: bool
    more: str
    seen: Any

    @property
    def diagnosis(self) -> Diagnosis:
        """The texts about the known mistake of this program."""
        return next(each for each in mistakes(self.exercise) if each.id == self.id)


@dataclass(frozen=True)
class Table:
    """The probes and the observer of a function or class, and what right and wrong programs do."""

    name: str
    observer: str
    probes: tuple[str, ...]
    right: Program
    wrong: tuple[Program, ...]


@cache
def table(name: str) -> Table | None:
    """Return the `Table` of the function or class `name`, or `None` if `digests.json` has none."""
    programs = [
        Program(exercise=exercise, **program)
        for exercise, ones in _digests().items()
        if exercise.partition(".")[0] == name
        for program in ones
    ]
    if not programs:
        return None
    right, *wrong = programs
    return Table(name, *probes_of(name), right, tuple(wrong))


def probes_of(name: str) -> tuple[str, tuple[str, ...]]:
    """Return the name of the observer of a function or class, and its probes, if it has any.

    >>> probes_of("merge")[1][0]
    'merge([4, 2, 2, 0])'
    """
    said = next((one.details for one in exercises_of(name) if one.name == name), {})
    observed = said.get("observed", {})
    return observed.get("by", "answers"), tuple(observed.get("probes", ()))


@cache
def mistakes(exercise: str) -> tuple[Diagnosis, ...]:
    """Return the texts about each known mistake in an exercise."""
    own = next(one for one in exercises_of(exercise.partition(".")[0]) if one.name == exercise)
    return tuple(_texts(each, exercise) for each in own.details.get("misconception", ()))


@cache
def general_entries() -> dict[str, dict[str, Any]]:
    """Return a dictionary from ids to the entries of `general.toml`, in the order of the file.

    Each entry is a general hint.
    """
    entries = tomllib.loads((FOLDER / "general.toml").read_text(encoding="utf-8"))["general"]
    return {entry["id"]: entry for entry in entries}


@cache
def general() -> dict[str, Diagnosis]:
    """Return a dictionary from ids to the texts of general hints, in the order of `general.toml`.

    The `exercise` of each is "".
    """
    return {id: _texts(entry, "") for id, entry in general_entries().items()}


@cache
def hints_marked(what: str) -> frozenset[str]:
    """Return the ids of the general hints whose `is` in `general.toml` contains `what`."""
    return frozenset(id for id, told in general_entries().items() if what in told.get("is", ()))


@cache
def fact_hints() -> dict[str, str]:
    """Return a dictionary from labels of facts to the ids of general hints.

    The hint applies if a fact with this label is wrong.
    """
    entries = general_entries().items()
    return {label: id for id, told in entries for label in told.get("facts", ())}


def is_mistake(name: str) -> bool:
    """Return true if `name` is the id of a known mistake or of a general hint."""
    known = (program["id"] for programs in _digests().values() for program in programs)
    return bool(name) and (name in general() or name in known)


def read_all(lesson_id: str) -> None:
    """Read and cache the data for diagnoses in a lesson, so that forks of this process have it."""
    general()
    for one in lesson(lesson_id).exercises:
        mistakes(one.name)
        table(one.name.partition(".")[0])


@cache
def _digests() -> dict[str, list[dict[str, Any]]]:
    return dict(json.loads(DIGESTS.read_text(encoding="utf-8")) if DIGESTS.is_file() else {})


def _texts(entry: dict[str, Any], exercise: str) -> Diagnosis:
    return Diagnosis(**{key: entry[key] for key in TEXTS}, exercise=exercise)
