"""Results: which ideas of each lesson hold, as the checks in the notebooks have shown them."""

import json
import os
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from course.lessons import Exercise

FILE = "my_2048_results.json"


@dataclass
class Results:
    """The checks of one lesson that hold, and a digest of the answer that each exercise now has."""

    holds: set[str] = field(default_factory=set)
    answers: dict[str, str] = field(default_factory=dict)

    def note_check(self, check: str, holds: bool) -> None:
        """A check was run."""
        (self.holds.add if holds else self.holds.discard)(check)

    def note_answer(self, exercise: Exercise, source: str) -> None:
        """An answer was run. One that has changed has still to be checked."""
        digest = sha256(source.strip().encode()).hexdigest()[:16]
        if self.answers.get(exercise.name, digest) != digest:
            self.holds -= set(exercise.checks)
        self.answers[exercise.name] = digest


def read(place: Path) -> dict[str, Results]:
    """Lesson → its results. What can not be read counts as nothing."""
    with suppress(OSError, ValueError, TypeError, AttributeError):
        kept = json.loads((place / FILE).read_text(encoding="utf-8"))
        return {
            name: Results(set(map(str, entry["holds"])), dict(entry["answers"]))
            for name, entry in kept.items()
            if type(entry) is dict and {"holds", "answers"} <= entry.keys()
        }
    return {}


def write(place: Path, results: dict[str, Results]) -> None:
    """The file is replaced as a whole. Where nothing can be written, nothing is kept."""
    kept: dict[str, Any] = {
        name: {"holds": sorted(entry.holds), "answers": entry.answers}
        for name, entry in sorted(results.items())
    }
    new = place / f".{FILE}.{os.getpid()}"
    with suppress(OSError):
        new.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
        os.replace(new, place / FILE)
