"""The time of one run of `autograder grade`, shared out among the rooms of the grader."""

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from autograder.bench.programs import graded
from autograder.bench.running import begun_course, measured, sample_class
from autograder.bench.sampled import LOADING, WAITING
from autograder.bench.started import SCRATCH
from autograder.scratch import scratch_folder

JAILS = "students' code, and starting Python"
_WORDS = {
    LOADING: "loading modules",
    WAITING: "waiting for work, or for workers",
    "jail": "starting jails, waiting for what is in them",
    "wire": "encoding and decoding, waiting for frames",
    "judge": "the tests",
    "notebook": "reading, repairing, writing notebooks",
    "pipeline": "reading, repairing, writing notebooks",
    "gradebook": "the gradebook, autograded/",
    "classroom": "the gradebook, autograded/",
}
_REST = "the rest"


@dataclass(frozen=True)
class Part:
    """Part of the time: seconds and processor seconds of the first process, and of all workers."""

    name: str
    first: float
    first_cpu: float
    workers: float
    workers_cpu: float


@dataclass(frozen=True)
class Profile:
    """One run over a class: how long it took, and its parts."""

    students: int
    workers: int
    seconds: float
    cpu: float
    parts: tuple[Part, ...]

    def as_json(self) -> dict[str, Any]:
        """Return all of it as plain data."""
        return asdict(self)


def profiles(root: Path, lesson: str, sizes: Sequence[int], workers: int) -> Iterator[Profile]:
    """Grade a class of each size once, and yield its profile. Raise `Trouble` if that fails."""
    for size in sizes:
        yield _profile(root, lesson, size, workers)


def _profile(root: Path, lesson: str, size: int, workers: int) -> Profile:
    program = graded(lesson, workers)
    with (
        sample_class(root, lesson, size) as folder,
        begun_course(program, folder, lesson, size) as course,
        scratch_folder(SCRATCH) as place,
    ):
        command = (
            sys.executable,
            "-m",
            "autograder.bench.sampled",
            str(place),
            *program.command[1:],
        )
        took = measured(course, *command)
        notes = [json.loads(path.read_text("utf-8")) for path in place.glob("*.json")]
    parts = parts_of(notes)
    seen = sum(part.first_cpu + part.workers_cpu for part in parts)
    parts.append(Part(JAILS, 0.0, 0.0, 0.0, max(0.0, took["cpu"] - seen)))
    return Profile(size, workers, took["seconds"], took["cpu"], tuple(parts))


def parts_of(notes: Iterable[dict[str, Any]]) -> list[Part]:
    """Return the parts that the processes of a run noted, by processor time, the longest first."""
    sums: dict[str, dict[str, list[float]]] = {}
    for one in notes:
        for room, (seconds, cpu) in one["rooms"].items():
            name = _WORDS.get(room, _REST)
            found = sums.setdefault(name, {"first": [0.0, 0.0], "worker": [0.0, 0.0]})[one["role"]]
            found[0] += seconds
            found[1] += cpu
    parts = [Part(name, *both["first"], *both["worker"]) for name, both in sums.items()]
    return sorted(parts, key=lambda part: -(part.first_cpu + part.workers_cpu))
