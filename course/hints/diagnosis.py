"""A function that fails is called on probes; the specimen it agrees with names its mistake."""

import json
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Any

from course.hints.digest import digests
from course.hints.facts import agrees
from course.hints.observe import observe


@dataclass(frozen=True)
class Diagnosis:
    """One entry of the catalogue: its id, its title, and its hints in three levels.

    `exercise` is what it is about: `merge`, or one method of a class, such as `Game.move`.
    """

    id: str
    title: str
    nudge: str
    explain: str
    show: str
    exercise: str


def diagnose(function: Callable[..., Any]) -> Diagnosis | None:
    """The misconception that a function (or class) shows, or `None` if it shows none that is known.

    The function is looked up by its `__name__`; the probes are a few quick calls. One that has a
    method `remembered`, which gives a dictionary, is asked them once as long as that is not empty.
    """
    known = table(getattr(function, "__name__", ""))
    if known is None:
        return None
    memory: dict[str, Any] = getattr(function, "remembered", dict)()
    if "seen" not in memory:
        observation = observe(function, known["observer"], known["probes"])
        if observation is None:
            return None
        memory["seen"] = digests(observation)
    seen = memory["seen"]
    if agrees(seen, known["right"]):
        return None
    for entry in known["known"]:
        if agrees(seen, entry["seen"]):
            return Diagnosis(*(entry[field.name] for field in fields(Diagnosis)))
    return None


@cache
def table(exercise: str) -> dict[str, Any] | None:
    """The generated table of an exercise, or `None` if there is none.

    It holds the name of its observer, the probes, the digests of what is seen of a right program,
    and the known mistakes, each with the digests of what is seen of it.
    """
    if not exercise.isidentifier():
        return None
    file = files("course.hints") / "tables" / f"{exercise}.json"
    if not file.is_file():
        return None
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found
