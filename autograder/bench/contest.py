"""One class, graded by each program in turn, and what that took."""

import csv
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from autograder.sample import write_class
from autograder.samples.real import Like
from autograder.trouble import Trouble

_BIN = Path(sys.executable).parent
# nbgrader as it is without us; it calls `alembic` by name when it makes a gradebook
_PLAIN = """import os
c = get_config()
c.CourseDirectory.course_id = "2048"
os.environ["PATH"] = {path!r} + os.pathsep + os.environ["PATH"]
"""
_NBGRADER = "nbgrader autograde"


@dataclass(frozen=True)
class Took:
    """Seconds, seconds of processors, and MiB of the largest process of its own."""

    seconds: float
    cpu: float
    mib: float


@dataclass(frozen=True)
class Row:
    """What a program took for a class, the median of all runs.

    `measured` is how many submissions it really graded: where that is not the whole class, a run
    over one submission was taken off, and the rest counted for as many as there are. `has_equal`
    is whether the scores are those of nbgrader for all that both have graded.
    """

    program: str
    students: int
    measured: int
    took: Took
    ratio: float
    ratio_cpu: float
    has_equal: bool

    def as_json(self) -> dict[str, Any]:
        """All of it as plain data."""
        return asdict(self)


@dataclass(frozen=True)
class Program:
    """A way to grade a class: its name, the command, and whether nbgrader is left as it is."""

    name: str
    command: tuple[str, ...]
    is_plain: bool = False


def programs(lesson: str, workers: Sequence[int]) -> list[Program]:
    """nbgrader's own way first, with which all others are compared."""
    nbgrader = (str(_BIN / "nbgrader"), "autograde", lesson)
    ours = (str(_BIN / "autograder"), "grade", lesson, "--workers")
    return [
        Program(_NBGRADER, nbgrader, is_plain=True),
        Program(f"{_NBGRADER}, our preprocessors", nbgrader),
        *(Program(f"autograder grade, workers: {n}", (*ours, str(n))) for n in workers),
    ]


def contest(
    root: Path,
    lesson: str,
    sizes: Sequence[int],
    workers: Sequence[int],
    repeats: int,
    most: int,
) -> Iterator[Row]:
    """A row for each size and program; nbgrader grades `most` of a larger class.

    Raises `Trouble` if a program fails.
    """
    for size in sizes:
        first: Row | None = None
        right: dict[str, float] = {}
        with _class(root, lesson, size) as folder:
            for program in programs(lesson, workers):
                count = min(size, most) if program.name.startswith(_NBGRADER) else size
                took, scores = _median(program, folder, lesson, count, size, repeats)
                right = right or scores
                both = right.keys() & scores.keys()
                has_equal = all(right[student] == scores[student] for student in both)
                by = first.took if first else took
                ratios = by.seconds / took.seconds, by.cpu / took.cpu
                row = Row(program.name, size, count, took, *ratios, has_equal)
                first = first or row
                yield row


@contextmanager
def _class(root: Path, lesson: str, size: int) -> Iterator[Path]:
    """The folder of a class in real proportions, for as long as it is needed."""
    with tempfile.TemporaryDirectory(prefix="autograder-bench-") as place:
        folder = Path(place) / "course"
        write_class(root, lesson, size, folder, Like.CLASS)
        yield folder


def _median(
    program: Program, folder: Path, lesson: str, count: int, size: int, repeats: int
) -> tuple[Took, dict[str, float]]:
    runs: list[Took] = []
    scores: dict[str, float] = {}
    for _ in range(repeats):
        whole, scores = _run(program, folder, lesson, count)
        if count < size:
            alone, _ = _run(program, folder, lesson, 1)
            whole = _scaled(alone, whole, count, size)
        runs.append(whole)
    return Took(*(median(values) for values in zip(*map(_values, runs), strict=True))), scores


def _values(took: Took) -> tuple[float, float, float]:
    return took.seconds, took.cpu, took.mib


def _scaled(alone: Took, some: Took, count: int, size: int) -> Took:
    """What a whole class would take, from one submission and some of them."""

    def whole(one: float, many: float) -> float:
        return one + (many - one) / (count - 1) * (size - 1)

    return Took(whole(alone.seconds, some.seconds), whole(alone.cpu, some.cpu), some.mib)


def _run(program: Program, folder: Path, lesson: str, count: int) -> tuple[Took, dict[str, float]]:
    """What one run over the first so many submissions took, and their scores."""
    with tempfile.TemporaryDirectory(prefix="autograder-bench-") as place:
        course = Path(place)
        shutil.copytree(folder / "source", course / "source")
        for student in sorted((folder / "submitted").iterdir())[:count]:
            shutil.copytree(student, course / "submitted" / student.name)
        own = (folder / "nbgrader_config.py").read_text("utf-8")
        config = _PLAIN.format(path=str(_BIN)) if program.is_plain else own
        (course / "nbgrader_config.py").write_text(config, "utf-8")
        # not measured: the assignment is entered in the gradebook, and its plan is made
        _said(course, str(_BIN / "nbgrader"), "generate_assignment", lesson)
        if not program.is_plain:
            _said(course, str(_BIN / "autograder"), "verify", lesson)
        measure = (sys.executable, "-m", "autograder.bench.measured")
        took = json.loads(_said(course, *measure, *program.command).splitlines()[-1])
        if took.pop("status"):
            raise Trouble(f"{program.name} failed on a class of {count}.")
        table = course / "results.csv"
        _said(course, str(_BIN / "autograder"), "results", lesson, "--csv", str(table))
        with table.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
        return Took(**took), {row["student"]: float(row["score_before_penalty"]) for row in rows}


def _said(course: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=course, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip() or "nothing was said").splitlines()[-1]
        raise Trouble(f"{' '.join(command[1:3])} failed: {said}")
    return done.stdout
