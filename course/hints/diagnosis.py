"""A function that fails is called on probes; the specimen it agrees with names its mistake."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from course.hints.facts import agrees
from course.hints.observe import observe


@dataclass(frozen=True)
class Diagnosis:
    """One entry of the catalogue: its id, its title, and its hints in three levels."""

    id: str
    title: str
    nudge: str
    explain: str
    show: str


def diagnose(function: Callable[..., Any]) -> Diagnosis | None:
    """The misconception that a function (or class) shows, or `None` if it shows none that is known.

    The function is looked up by its `__name__`; the probes are a few quick calls.
    """
    entry = tables().get(getattr(function, "__name__", ""))
    if entry is None:
        return None
    seen = observe(function, entry["observer"], entry["probes"])
    if seen is None or agrees(seen, entry["right"]):
        return None
    for known in entry["known"]:
        if agrees(seen, known["seen"]):
            return Diagnosis(*(known[key] for key in ("id", "title", "nudge", "explain", "show")))
    return None


def exercise_of(mistake: str) -> str | None:
    """The exercise that a misconception is about, by its id; `None` for an unknown one.

    >>> exercise_of("cascade"), exercise_of("game-win-ends")
    ('merge', 'Game.move')
    """
    known = (entry for table in tables().values() for entry in table["known"])
    return next((entry["exercise"] for entry in known if entry["id"] == mistake), None)


@cache
def tables() -> dict[str, Any]:
    """The generated tables: exercise name → its probes, the right answers, the known wrong ones."""
    merged: dict[str, Any] = {}
    for file in sorted(files("course.hints").iterdir(), key=lambda file: file.name):
        if file.name.endswith(".json"):
            merged |= json.loads(file.read_text(encoding="utf-8"))
    return merged
