"""The owner of a function or class of the game: the learner if theirs works, or else the course."""

import json
import os
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cache
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

from course import rules
from course.deadline import deadline
from course.function_calls import NoAnswer
from course.lessons import exercises_of
from course.mine.load_own_file import kept_file, load
from course.mine.notebook_source import source_of
from course.mine.source_statements import Block

NOT_KEPT = "you have not kept one"
SECONDS = 3.0  # for all visible checks of one piece
LATE = "it did not come to its end in time"


@dataclass(frozen=True)
class Piece:
    """A function or class of the game; `reason` may say why it is not the learner's own."""

    name: str
    value: Any
    is_own: bool
    reason: str = ""

    def __str__(self) -> str:
        because = f", because {self.reason}" if self.reason else ""
        return f"{self.name}: yours" if self.is_own else f"{self.name}: the course's{because}"


def piece(name: str) -> Piece:
    """Return the `Piece` of that name: the learner's own if it works, or else the course's.

    While nbgrader runs a notebook, always return the course's piece, so that no score depends on an
    earlier lesson. Raise `ValueError` if the course has no piece of that name.
    """
    if name not in rules.__all__:
        raise ValueError(f"the course has no piece {name!r}; it has {', '.join(rules.__all__)}")
    if "NBGRADER_EXECUTION" in os.environ:
        return Piece(name, getattr(rules, name), False)
    file = kept_file()
    when = file.stat().st_mtime_ns if file.exists() else 0
    return _piece(name, file, when)


@cache  # each version of a file is read and checked once
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
    return load(file) if when else {}


def why_not(name: str, own: dict[str, Any]) -> str:
    """Return the reason why a learner's own piece is not used; "" if it passes its visible checks.

    `own` is a dictionary from names to all pieces of the learner. If the piece uses another piece
    of the learner that fails its checks, the reason names the other piece.
    """
    failing = failing_checks(name, own[name])
    if not failing:
        return ""
    if failing == [LATE]:
        return LATE
    used = Block(source_of(own[name]) or "").uses & own.keys()
    for other in sorted(used):
        if failing_checks(other, own[other]):
            return f"yours uses your {other}, which does not hold"
    return f"{', '.join(failing)} {'does' if len(failing) == 1 else 'do'} not hold"


def failing_checks(name: str, value: Any) -> list[str]:
    """Return the ids of the visible checks that a piece fails; `[LATE]` if it is too slow."""
    from course.checks import check  # loaded only if something is checked

    world = {each: getattr(rules, each) for each in rules.__all__}
    world |= {"__name__": "visible", "check": check, "Random": Random, "rules": rules, name: value}
    failing = []
    try:
        with deadline(SECONDS), redirect_stdout(StringIO()):
            for exercise in exercises_of(name):
                for check_id, test in released()[exercise.name]["checks"].items():
                    try:
                        exec(compile(test, "<visible check>", "exec"), dict(world))  # noqa: S102 — the course's text
                    except (Exception, SystemExit):
                        failing.append(check_id)
    except NoAnswer:
        return [LATE]
    return failing


@cache
def released() -> dict[str, dict[str, Any]]:
    """Return a dictionary from names of exercises to what learners are given for them.

    Each value has two entries: `stub`, the text of the exercise's cell, and `checks`, a dictionary
    from the ids of its visible checks to their sources. All is read from `released.json`.
    """
    text = Path(__file__).with_name("released.json").read_text(encoding="utf-8")
    return dict(json.loads(text))
