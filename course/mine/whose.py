"""The owner of a piece: the learner, if it was kept and holds, else the course."""

import json
import os
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

from course import rules
from course.answers import NoAnswer
from course.deadline import deadline
from course.lessons import exercises_of
from course.mine import ownfile
from course.mine.place import kept_file
from course.mine.sources import source_of, used_names

NOT_KEPT = "you have not kept one"
SECONDS = 3.0  # for all visible checks of one piece
LATE = "it did not come to its end in time"


@dataclass(frozen=True)
class Piece:
    """One piece of the game, whose it is, and, if it is the course's, the reason."""

    name: str
    value: Any
    is_own: bool
    reason: str = ""

    def __str__(self) -> str:
        because = f", because {self.reason}" if self.reason else ""
        return f"{self.name}: yours" if self.is_own else f"{self.name}: the course's{because}"


def piece(name: str) -> Piece:
    """Return the piece of that name. Raises `ValueError` if the course has none.

    While nbgrader runs a notebook, it is always the course's, so that no score depends on an
    earlier lesson.
    """
    if name not in rules.__all__:
        raise ValueError(f"the course has no piece {name!r}; it has {', '.join(rules.__all__)}")
    if "NBGRADER_EXECUTION" in os.environ:
        return Piece(name, getattr(rules, name), False)
    file = kept_file()
    when = file.stat().st_mtime_ns if file.exists() else 0
    return _piece(name, file, when)


@cache  # a file is read and checked once, until it changes
def _piece(name: str, file: Path, when: int) -> Piece:
    course = getattr(rules, name)
    try:
        own = _loaded(file, when)
    except ValueError as error:
        return Piece(name, course, False, f"{file.name} cannot be run: {error}".rstrip("."))
    if name not in own:
        return Piece(name, course, False, NOT_KEPT if own else "")
    reason = why_not(name, own)
    return Piece(name, course, False, reason) if reason else Piece(name, own[name], True)


@cache
def _loaded(file: Path, when: int) -> dict[str, Any]:
    return ownfile.load(file) if when else {}


def why_not(name: str, own: dict[str, Any]) -> str:
    """Return why one of a learner's own pieces is not used; "" if its visible checks hold.

    A piece that uses another one which does not hold is not blamed for that.
    """
    failing = failing_checks(name, own[name])
    if not failing:
        return ""
    if failing == [LATE]:
        return LATE
    used = used_names(source_of(own[name]) or "") & (own.keys() - {name})
    for other in sorted(used):
        if failing_checks(other, own[other]):
            return f"yours uses your {other}, which does not hold"
    return f"{', '.join(failing)} {'does' if len(failing) == 1 else 'do'} not hold"


def failing_checks(name: str, value: Any) -> list[str]:
    """Return the visible checks that do not hold for this function or class.

    If they do not come to their end in time, the only entry is `LATE`.
    """
    tests = {
        check: source
        for exercise in exercises_of(name)
        for check, source in visible_checks()[exercise.name].items()
    }
    try:
        with deadline(SECONDS), redirect_stdout(StringIO()):
            return [check for check, source in tests.items() if not _holds(source, name, value)]
    except NoAnswer:
        return [LATE]


def _holds(source: str, name: str, value: Any) -> bool:
    from course.checks import check  # the checks are no part of what is kept

    world = {each: getattr(rules, each) for each in rules.__all__}
    world |= {"__name__": "visible", "check": check, "Random": Random, "rules": rules, name: value}
    try:
        exec(compile(source, "<visible check>", "exec"), world)  # noqa: S102 — the course's text
    except Exception:
        return False
    return True


@cache
def visible_checks() -> dict[str, dict[str, str]]:
    """Return exercise → check → the source of its test cell, as learners have it."""
    text = files("course.mine").joinpath("visible.json").read_text(encoding="utf-8")
    table: dict[str, dict[str, str]] = json.loads(text)
    return table
