"""The part of a class that is asked about: a check is about one method, and so is its hint."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from course.lessons import lessons

_about: ContextVar[str] = ContextVar("about", default="")


def exercise_of(check: str) -> str:
    """Return the name of the exercise that a check is about; empty if there is no such check.

    >>> exercise_of("merge-once"), exercise_of("game-score"), exercise_of("none")
    ('merge', 'Game.move', '')
    """
    every = (exercise for lesson in lessons() for exercise in lesson.exercises)
    return next((exercise.name for exercise in every if check in exercise.checks), "")


def note_check(check: str) -> None:
    """Take what is asked from now on as asked in this check, or in none if it does not exist."""
    _about.set(exercise_of(check))


@contextmanager
def in_check(check: str) -> Iterator[None]:
    """Take what is asked in the `with` block as asked in this check."""
    token = _about.set(exercise_of(check))
    try:
        yield
    finally:
        _about.reset(token)


def parts_of(name: str) -> tuple[str, ...]:
    """Return the parts of a class to look at, one after the other; an empty name stands for all.

    In a check of one part, they are that part, and then the class itself, which all parts build on.

    >>> with in_check("game-score"):
    ...     parts_of("Game"), parts_of("merge")
    (('Game.move', 'Game'), ('',))
    """
    about = _about.get()
    if about.partition(".")[0] != name:
        return ("",)
    return (about,) if about == name else (about, name)
