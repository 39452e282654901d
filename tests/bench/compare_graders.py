"""The benchmark: each program grades the same class; time and memory are measured."""

import csv
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from autograder.course_adapter import ROOT
from autograder.sample import write_class
from autograder.system import Trouble
from autograder.system.atomic_write import scratch_folder
from tests.lessons.right import StyledSampler

SCRATCH = "autograder-bench-"  # the names of the benchmark's temporary folders begin with this
_BIN = Path(sys.executable).parent
_NBGRADER, _AUTOGRADER = str(_BIN / "nbgrader"), str(_BIN / "autograder")
_MEASURED = Path(__file__).with_name("measure_program.py")

# The configuration of nbgrader without this grader. To make a gradebook, nbgrader calls `alembic`,
# which must be found on the PATH.
_PLAIN = f"""import os
c = get_config()
c.CourseDirectory.course_id = "2048"
os.environ["PATH"] = {str(_BIN)!r} + os.pathsep + os.environ["PATH"]
"""


def name_of(workers: int) -> str:
    """Return the name of a grader in the table; 0 workers stand for plain nbgrader."""
    return f"autograder grade, workers: {workers}" if workers else "nbgrader autograde"


@dataclass(frozen=True)
class Took:
    """The cost of a run: seconds, seconds of processor time, and MiB of the largest process."""

    seconds: float
    cpu: float
    mib: float


@dataclass(frozen=True)
class Row:
    """The measurement of one program with one class: the median of all runs.

    `measured` is the number of submissions that were really graded. If it is smaller than
    `students`, `took` is an estimate, in which each submission not graded takes the mean time of
    those after the first. `ratio` is the seconds of the first program divided by those of this one,
    and `ratio_cpu` is the same for processor time. `has_equal` is true if this program and the
    first one give equal scores to each student whom both have graded.
    """

    program: str
    students: int
    measured: int
    took: Took
    ratio: float
    ratio_cpu: float
    has_equal: bool


def compare(
    lesson: str, sizes: Sequence[int], those: Sequence[int], repeats: int, most: int
) -> Iterator[Row]:
    """Yield a row for each class size and each program; raise `Trouble` if a program fails.

    `those` are the programs, each given by its number of workers; 0 is plain nbgrader, which grades
    at most `most` submissions of a class.
    """
    for size in sizes:
        first: Took | None = None
        right: dict[str, float] = {}
        with scratch_folder(SCRATCH) as place:
            write_class(ROOT, lesson, size, place / "course", "class", StyledSampler)
            for workers in those:
                count = size if workers else min(size, most)
                runs = []
                for _ in range(repeats):
                    took, scores = run(workers, place / "course", lesson, count)
                    if count < size:
                        alone, _scores = run(workers, place / "course", lesson, 1)
                        took = scaled(alone, took, count, size)
                    runs.append(took)
                took = Took(*(median(values) for values in zip(*map(astuple, runs), strict=True)))
                first, right = first or took, right or scores
                both = right.keys() & scores.keys()
                has_equal = all(right[student] == scores[student] for student in both)
                ratios = first.seconds / took.seconds, first.cpu / took.cpu
                yield Row(name_of(workers), size, count, took, *ratios, has_equal)


def scaled(alone: Took, some: Took, count: int, size: int) -> Took:
    """Estimate what a whole class takes, from a run over one submission and one over `count`."""

    def whole(one: float, many: float) -> float:
        return one + (many - one) / (count - 1) * (size - 1)

    return Took(whole(alone.seconds, some.seconds), whole(alone.cpu, some.cpu), some.mib)


def run(workers: int, folder: Path, lesson: str, count: int) -> tuple[Took, dict[str, float]]:
    """Grade the first `count` submissions of the class in `folder`, in a new course folder.

    Return the cost of the run, and the scores: student → score. Raise `Trouble` if a command fails.
    The assignment is released before the measurement begins. The grader's plan, which says where
    each test runs, is made during the measurement.
    """
    with scratch_folder(SCRATCH) as course:
        shutil.copytree(folder / "source", course / "source")
        for student in sorted((folder / "submitted").iterdir())[:count]:
            shutil.copytree(student, course / "submitted" / student.name)
        own = (folder / "nbgrader_config.py").read_text("utf-8")
        (course / "nbgrader_config.py").write_text(own if workers else _PLAIN, "utf-8")
        _said(course, _NBGRADER, "generate_assignment", lesson)
        ours = [_AUTOGRADER, "grade", lesson, "--workers", str(workers)]
        command = ours if workers else [_NBGRADER, "autograde", lesson]
        said = _said(course, sys.executable, str(_MEASURED), *command)
        found: dict[str, Any] = json.loads(said.splitlines()[-1])
        if found.pop("status"):
            raise Trouble(f"{name_of(workers)} failed.")
        _said(course, _AUTOGRADER, "results", lesson, "--csv", "results.csv")
        with (course / "results.csv").open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    return Took(**found), {row["student"]: float(row["score_before_penalty"]) for row in rows}


def _said(course: Path, *command: str) -> str:
    """Run a command in a folder and return its output; raise `Trouble` with its last line."""
    done = subprocess.run(command, cwd=course, capture_output=True, text=True, check=False)
    if done.returncode:
        words = (done.stderr.strip() or done.stdout.strip() or "nothing was said").splitlines()[-1]
        raise Trouble(f"{' '.join(command[1:3])} failed: {words}")
    return done.stdout
