"""Results: the checks of each lesson that the learner's answers pass, saved in a file.

An answer is the source of the cell in which the learner solves an exercise.
"""

import ast
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path

from course.lessons import Exercise

FILE = "my_2048_results.json"


@dataclass
class Results:
    """The results of one lesson.

    `holds` are the checks that the present answers pass. `again` are checks that an earlier answer
    passed, and that have not been run since. `answers` is a dictionary from names of exercises to
    hashes of the present answers.
    """

    holds: set[str] = field(default_factory=set)
    answers: dict[str, str] = field(default_factory=dict)
    again: set[str] = field(default_factory=set)

    def note_check(self, check: str, holds: bool) -> None:
        """Note that a check was run; `holds` is true if the learner's answer has passed it."""
        (self.holds.add if holds else self.holds.discard)(check)
        self.again.discard(check)

    def note_answer(self, exercise: Exercise, source: str, others: Iterable[str] = ()) -> bool:
        """Note that the cell of an answer was run; return true if the answer has changed.

        If it has, the checks that the earlier answer passed must be run again. So must `others`,
        the checks of answers that use this one.
        """
        program = source.strip()
        with suppress(SyntaxError, ValueError, RecursionError):  # text that is not plain Python
            program = ast.dump(ast.parse(source))  # comments and blanks make no difference
        digest = sha256(program.encode()).hexdigest()[:16]
        is_changed = self.answers.get(exercise.name, digest) != digest
        if is_changed:
            self.again |= self.holds & {*exercise.checks, *others}
            self.holds -= self.again
        self.answers[exercise.name] = digest
        return is_changed


@contextmanager
def noting(place: Path, lesson: str) -> Iterator[Results]:
    """Yield a lesson's results, to be changed in a `with` block; then save them in `place`."""
    with _alone(place):
        every = read(place)
        yield every.setdefault(lesson, Results())
        write(place, every)


@contextmanager
def _alone(place: Path) -> Iterator[None]:
    """Keep other notebooks from changing results in a `with` block; without locks, do nothing."""
    folder = None
    with suppress(ImportError, AttributeError, OSError):  # a browser has no locks
        import fcntl

        folder = os.open(place, os.O_RDONLY)
        fcntl.flock(folder, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if folder is not None:
            os.close(folder)


def read(place: Path) -> dict[str, Results]:
    """Return a dictionary from ids of lessons to results; `{}` if the file cannot be read."""
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
    """Replace the file of results as a whole; if that is not possible, leave the file as it is."""
    kept = {name: asdict(own) for name, own in sorted(results.items())}
    new = place / f".{FILE}.{os.getpid()}"
    with suppress(OSError):
        new.write_text(json.dumps(kept, indent=1, default=sorted) + "\n", encoding="utf-8")
        os.replace(new, place / FILE)
