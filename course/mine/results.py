"""Results: which ideas of each lesson hold, as the checks in the notebooks have shown them."""

import ast
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from course.lessons import Exercise

FILE = "my_2048_results.json"


@dataclass
class Results:
    """The checks of one lesson that hold, and a digest of the answer that each exercise now has.

    `again` are the checks that held for an answer that has changed since.
    """

    holds: set[str] = field(default_factory=set)
    answers: dict[str, str] = field(default_factory=dict)
    again: set[str] = field(default_factory=set)

    def note_check(self, check: str, holds: bool) -> None:
        """A check was run."""
        (self.holds.add if holds else self.holds.discard)(check)
        self.again.discard(check)

    def note_answer(self, exercise: Exercise, source: str) -> None:
        """An answer was run. One that has changed has to be checked again."""
        digest = sha256(_program(source).encode()).hexdigest()[:16]
        if self.answers.get(exercise.name, digest) != digest:
            self.again |= self.holds & set(exercise.checks)
            self.holds -= self.again
        self.answers[exercise.name] = digest


def _program(source: str) -> str:
    """What a text says to Python: comments and blanks are nothing."""
    try:
        return ast.dump(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError):
        return source.strip()  # a cell may hold what only IPython understands


def note(place: Path, lesson: str, change: Callable[[Results], None]) -> Results:
    """The results of a lesson after a change; what another notebook notes meanwhile stays."""
    with _alone(place):
        every = read(place)
        own = every.setdefault(lesson, Results())
        change(own)
        write(place, every)
    return own


@contextmanager
def _alone(place: Path) -> Iterator[None]:
    """Nobody else is between reading and writing there, where the system can see to that."""
    folder = None
    with suppress(ImportError, AttributeError, OSError):  # in a browser it can do nothing
        import fcntl

        folder = os.open(place, os.O_RDONLY)
        fcntl.flock(folder, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if folder is not None:
            os.close(folder)


def read(place: Path) -> dict[str, Results]:
    """Lesson → its results. What can not be read counts as nothing."""
    with suppress(OSError, ValueError, TypeError, AttributeError):
        kept = json.loads((place / FILE).read_text(encoding="utf-8"))
        return {
            name: Results(
                set(map(str, entry["holds"])),
                dict(entry["answers"]),
                set(map(str, entry.get("again", ()))),
            )
            for name, entry in kept.items()
            if type(entry) is dict and {"holds", "answers"} <= entry.keys()
        }
    return {}


def write(place: Path, results: dict[str, Results]) -> None:
    """The file is replaced as a whole. Where nothing can be written, nothing is kept."""
    kept: dict[str, Any] = {
        name: {
            "holds": sorted(entry.holds),
            "answers": entry.answers,
            "again": sorted(entry.again),
        }
        for name, entry in sorted(results.items())
    }
    new = place / f".{FILE}.{os.getpid()}"
    with suppress(OSError):
        new.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
        os.replace(new, place / FILE)
