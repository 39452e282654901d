"""The `course` that graded code gets: checks work, functions that show something do nothing."""

from typing import Any

from course.checks import CheckFailed, check
from course.mine.add_to_class import add_to

__all__ = [
    "CheckFailed",
    "add_to",
    "check",
    "compare",
    "hand_in",
    "hint",
    "keep",
    "kept",
    "pieces",
    "play",
    "play_duel",
    "predict",
    "progress",
    "replay",
    "second_chances",
    "tally",
    "tournament",
    "watch",
]


def _nothing(*_arguments: Any, **_options: Any) -> None:
    """Show nothing, because nobody would see it here."""


play = watch = replay = predict = hint = keep = tally = progress = compare = pieces = _nothing
second_chances = play_duel = tournament = hand_in = _nothing


def kept(name: str) -> Any:
    """Return the course's version of a function or class of an earlier lesson, or `None`."""
    import course.rules

    found = getattr(course.rules, name, None)
    return found if callable(found) else None  # no module: it would lead to other modules
