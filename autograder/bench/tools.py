"""The tools around the grader with a large class: what they take, and nbgrader alone with them.

"Alone" is the same gradebook in the same folder, under a configuration that knows nothing of us.
"""

import shutil
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from autograder.bench.formgrader import PAGES, Formgrader, formgrader
from autograder.bench.programs import BIN, graded
from autograder.bench.running import PLAIN, begun_course, said, sample_class

_SOME = 10  # students for whom nbgrader makes its own feedback; for all it would take too long
_GRADER = str(BIN / "autograder")
_NBGRADER = str(BIN / "nbgrader")


@dataclass(frozen=True)
class Tool:
    """What a tool took with a class, in seconds: here, and with nbgrader alone.

    A page of formgrader has a size, too.
    """

    name: str
    students: int
    seconds: float
    alone: float | None = None
    kib: float | None = None

    def as_json(self) -> dict[str, Any]:
        """All of it as plain data."""
        return asdict(self)


def tools(root: Path, lesson: str, sizes: Sequence[int], workers: int) -> Iterator[Tool]:
    """Grades a class of each size, then uses the tools. Raises `Trouble` if one fails."""
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
    alone = "--exporter=nbgrader.plugins.CsvExportPlugin", "--to=grades.csv"
    ours = "--exporter=autograder.records.exports.Canvas", "--to=grades.csv"
    again = _seconds(course, _GRADER, "grade", lesson)
    yield Tool("autograder grade, nothing new", size, again)
    for verb in ("results", "report", "feedback"):
        made = _seconds(course, _GRADER, verb, lesson)
        theirs = _feedback_alone(plain, lesson, size) if verb == "feedback" else None
        yield Tool(f"autograder {verb}", size, made, theirs)
    export = _seconds(course, _NBGRADER, "export", *ours)
    yield Tool("nbgrader export", size, export, _seconds(plain, _NBGRADER, "export", *alone))


def _feedback_alone(plain: Path, lesson: str, size: int) -> float:
    """`nbgrader generate_feedback` for all, worked out from some."""
    students = sorted(path.name for path in (plain / "autograded").iterdir())
    few = min(_SOME, size - 1)
    (plain / "aside").mkdir()
    for student in students[1 + few :]:
        shutil.move(plain / "autograded" / student, plain / "aside" / student)
    both = _seconds(plain, _NBGRADER, "generate_feedback", lesson)
    one = _seconds(
        plain, _NBGRADER, "generate_feedback", lesson, f"--student={students[0]}", "--force"
    )
    for student in students[1 + few :]:
        shutil.move(plain / "aside" / student, plain / "autograded" / student)
    return one + (both - one) / few * (size - 1)


def _pages(course: Path, plain: Path, lesson: str, size: int) -> Iterator[Tool]:
    """Formgrader's pages, by what they ask of its server."""
    with formgrader(course) as ours:
        here = dict(_asked(ours, lesson))
    with formgrader(plain) as theirs:
        alone = dict(_asked(theirs, lesson))
    for name, (seconds, kib) in here.items():
        yield Tool(f"formgrader: {name}", size, seconds, alone[name][0], kib)


def _asked(server: Formgrader, lesson: str) -> Iterator[tuple[str, tuple[float, float]]]:
    places = server.places(lesson)
    for name in PAGES:
        times, kib = [], 0.0
        for _ in range(3):
            begin = time.monotonic()
            kib = len(server.get(places[name])) / 1024
            times.append(time.monotonic() - begin)
        yield name, (median(times), kib)


def _seconds(course: Path, *command: str) -> float:
    begin = time.monotonic()
    said(course, *command)
    return time.monotonic() - begin
