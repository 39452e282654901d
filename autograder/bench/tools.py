"""The tools around the grader with a large class: what they take here, and with nbgrader alone.

"Alone" is a copy of the course folder and its gradebook, under plain nbgrader's configuration.
"""

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from statistics import median
from time import monotonic
from typing import Any

from autograder.bench.formgrader import PAGES, Formgrader, formgrader
from autograder.bench.programs import BIN, graded
from autograder.bench.running import PLAIN, begun_course, measured, said, sample_class

_SOME = 10  # students for whom nbgrader makes its own feedback; for all it would take too long
_GRADER = str(BIN / "autograder")
_NBGRADER = str(BIN / "nbgrader")


@dataclass(frozen=True)
class Time:
    """Seconds, and processor seconds."""

    seconds: float
    cpu: float


@dataclass(frozen=True)
class Tool:
    """The times of a tool with a class: here, and with nbgrader alone.

    A page of formgrader has a size, too.
    """

    name: str
    students: int
    here: Time
    alone: Time | None = None
    kib: float | None = None

    def as_json(self) -> dict[str, Any]:
        """Return all of it as plain data."""
        return asdict(self)


def tools(root: Path, lesson: str, sizes: Sequence[int], workers: int) -> Iterator[Tool]:
    """Grade a class of each size, then use the tools. Raise `Trouble` if one fails."""
    for size in sizes:
        program = graded(lesson, workers)
        with (
            sample_class(root, lesson, size) as folder,
            begun_course(program, folder, lesson, size) as course,
        ):
            said(course, *program.command)
            plain = course / "plain"
            shutil.copytree(course, plain, ignore=shutil.ignore_patterns("plain", "nbgrader_conf*"))
            (plain / "nbgrader_config.py").write_text(PLAIN, "utf-8")
            yield from _programs(course, plain, lesson, size)
            yield from _pages(course, plain, lesson, size)


def _programs(course: Path, plain: Path, lesson: str, size: int) -> Iterator[Tool]:
    yield Tool("autograder grade, nothing new", size, _time(course, _GRADER, "grade", lesson))
    for verb in ("results", "report", "feedback"):
        here = _time(course, _GRADER, verb, lesson)
        alone = _feedback_alone(plain, lesson, size) if verb == "feedback" else None
        yield Tool(f"autograder {verb}", size, here, alone)
    export = (_NBGRADER, "export", "--to=grades.csv")
    ours = _time(course, *export, "--exporter=autograder.gradebook.lms.Canvas")
    yield Tool("nbgrader export", size, ours, _time(plain, *export))


def _feedback_alone(plain: Path, lesson: str, size: int) -> Time:
    """Return the time of `nbgrader generate_feedback` for all, estimated from some students."""
    students = sorted(path.name for path in (plain / "autograded").iterdir())
    few = min(_SOME, size - 1)
    (plain / "aside").mkdir()
    for student in students[1 + few :]:
        shutil.move(plain / "autograded" / student, plain / "aside" / student)
    command = (_NBGRADER, "generate_feedback", lesson, "--force")
    some = _time(plain, *command)
    one = _time(plain, *command, f"--student={students[0]}")
    for student in students[1 + few :]:
        shutil.move(plain / "aside" / student, plain / "autograded" / student)
    times = zip(astuple(one), astuple(some), strict=True)
    return Time(*(first + (all_ - first) / few * (size - 1) for first, all_ in times))


def _pages(course: Path, plain: Path, lesson: str, size: int) -> Iterator[Tool]:
    """Measure formgrader's pages by the requests that they make to its server."""
    with formgrader(course) as ours:
        here = dict(_asked(ours, lesson))
    with formgrader(plain) as theirs:
        alone = dict(_asked(theirs, lesson))
    for name, (time, kib) in here.items():
        yield Tool(f"formgrader: {name}", size, time, alone[name][0], kib)


def _asked(server: Formgrader, lesson: str) -> Iterator[tuple[str, tuple[Time, float]]]:
    places = server.places(lesson)
    for name in PAGES:
        times, kib = [], 0.0
        for _ in range(3):
            begin, used = monotonic(), server.cpu()
            kib = len(server.get(places[name])) / 1024
            times.append((monotonic() - begin, server.cpu() - used))
        yield name, (Time(*map(median, zip(*times, strict=True))), kib)


def _time(course: Path, *command: str) -> Time:
    took = measured(course, *command)
    return Time(took["seconds"], took["cpu"])
