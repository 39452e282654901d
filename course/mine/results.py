"""Results: which ideas of each lesson hold, as the checks in the notebooks have shown."""

import ast
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from course.lessons import Exercise

FILE = "my_2048_results.json"


@dataclass
class Results:
    """The checks of one lesson that hold, and a digest of the answer that each exercise now has.

    `again` holds the checks that held for an answer that has changed since.
    """

    holds: set[str] = field(default_factory=set)
    answers: dict[str, str] = field(default_factory=dict)
    again: set[str] = field(default_factory=set)

    def note_check(self, check: str, holds: bool) -> None:
        """Note that a check was run, and if it holds."""
        (self.holds.add if holds else self.holds.discard)(check)
        self.again.discard(check)

    def note_answer(self, exercise: Exercise, source: str) -> None:
        """Note that an answer was run. If it has changed, it has to be checked again."""
        program = source.strip()
        with suppress(SyntaxError, ValueError, RecursionError):  # what only IPython understands
            program = ast.dump(ast.parse(source))  # comments and blanks make no difference
        digest = sha256(program.encode()).hexdigest()[:16]
        if self.answers.get(exercise.name, digest) != digest:
            self.again |= self.holds & set(exercise.checks)
            self.holds -= self.again
        self.answers[exercise.name] = digest


def note(place: Path, lesson: str, change: Callable[[Results], None]) -> Results:
    """Change the results of a lesson and return them; changes by another notebook are not lost."""
    with _alone(place):
        every = read(place)
        own = every.setdefault(lesson, Results())
        change(own)
        write(place, every)
    return own


@contextmanager
def _alone(place: Path) -> Iterator[None]:
    """Lock the folder, if the system can, so that nobody else changes its results meanwhile."""
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
    """Return the results of each lesson, by its id. What cannot be read counts as nothing."""
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
    """Replace the file as a whole. If nothing can be written, nothing is kept."""
    kept = {
        name: {"holds": sorted(own.holds), "answers": own.answers, "again": sorted(own.again)}
        for name, own in sorted(results.items())
    }
    new = place / f".{FILE}.{os.getpid()}"
    with suppress(OSError):
        new.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
        os.replace(new, place / FILE)
