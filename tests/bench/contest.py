"""One class, graded by each program in turn: the time, processors and memory that this took."""

import csv
import json
import logging
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

from psutil import NoSuchProcess, Process, wait_procs

from autograder.course import ROOT
from autograder.disk import at_the_end, scratch_folder
from autograder.sample import write_class
from autograder.trouble import Trouble
from tests.lessons.right import right_styles

SCRATCH = "autograder-bench-"  # the names of its folders begin so
_BIN = Path(sys.executable).parent
_NBGRADER, _AUTOGRADER = str(_BIN / "nbgrader"), str(_BIN / "autograder")
_MEASURED = Path(__file__).with_name("measured.py")
_PATIENCE = 3.0  # seconds in which a program may clear up after itself

# nbgrader as it is without us; it calls `alembic` by name when it makes a gradebook
_PLAIN = f"""import os
c = get_config()
c.CourseDirectory.course_id = "2048"
os.environ["PATH"] = {str(_BIN)!r} + os.pathsep + os.environ["PATH"]
"""


@dataclass(frozen=True)
class Program:
    """A way to grade a class: its name and its command.

    If `is_plain`, nbgrader is left as it is. If `is_slow`, only a part of a large class is graded.
    `dask` is the number of workers of a cluster, whose address is added to the command.
    """

    name: str
    command: tuple[str, ...]
    is_plain: bool = False
    is_slow: bool = False
    dask: int = 0


@dataclass(frozen=True)
class Took:
    """Seconds, processor seconds, and MiB of the largest process."""

    seconds: float
    cpu: float
    mib: float


@dataclass(frozen=True)
class Row:
    """The measurement of one program with one class, the median of all runs.

    `measured` is how many submissions it really graded. If that is not the whole class, the rest is
    estimated from what each submission after the first took. `ratio` is how many times as quick it
    is as the first program. `has_equal` is true if the scores are those of the first program for
    all that both have graded.
    """

    program: str
    students: int
    measured: int
    took: Took
    ratio: float
    ratio_cpu: float
    has_equal: bool


def graded(lesson: str, workers: int) -> Program:
    """Return this grader as a program, with so many processes."""
    command = (_AUTOGRADER, "grade", lesson, "--workers", str(workers))
    return Program(f"autograder grade, workers: {workers}", command)


def programs(lesson: str, workers: Sequence[int]) -> list[Program]:
    """Return all programs, nbgrader's own first; a cluster only if Dask is installed."""
    nbgrader = (_NBGRADER, "autograde", lesson)
    found = [
        Program("nbgrader autograde", nbgrader, is_plain=True, is_slow=True),
        Program("nbgrader autograde, our preprocessors", nbgrader, is_slow=True),
        *(graded(lesson, count) for count in workers),
    ]
    if find_spec("distributed"):
        most = max(workers)
        command = (_AUTOGRADER, "grade", lesson, "--scheduler")
        found.append(Program(f"autograder grade, Dask workers: {most}", command, dask=most))
    return found


def contest(
    lesson: str, sizes: Sequence[int], those: Sequence[Program], repeats: int, most: int
) -> Iterator[Row]:
    """Yield a row for each size of a class and each program.

    A program that is slow grades only `most` submissions of a large class. Raise `Trouble` if a
    program fails.
    """
    for size in sizes:
        first: Took | None = None
        right: dict[str, float] = {}
        with scratch_folder(SCRATCH) as place:
            write_class(ROOT, lesson, size, place / "course", "class", right_styles(lesson))
            for program in those:
                count = min(size, most) if program.is_slow else size
                runs = []
                for _ in range(repeats):
                    took, scores = run(program, place / "course", lesson, count)
                    if count < size:
                        alone, _scores = run(program, place / "course", lesson, 1)
                        took = scaled(alone, took, count, size)
                    runs.append(took)
                took = Took(*(median(values) for values in zip(*map(astuple, runs), strict=True)))
                first, right = first or took, right or scores
                both = right.keys() & scores.keys()
                has_equal = all(right[student] == scores[student] for student in both)
                ratios = first.seconds / took.seconds, first.cpu / took.cpu
                yield Row(program.name, size, count, took, *ratios, has_equal)


def scaled(alone: Took, some: Took, count: int, size: int) -> Took:
    """Estimate what a whole class takes, from a run over one submission and one over `count`."""

    def whole(one: float, many: float) -> float:
        return one + (many - one) / (count - 1) * (size - 1)

    return Took(whole(alone.seconds, some.seconds), whole(alone.cpu, some.cpu), some.mib)


def run(program: Program, folder: Path, lesson: str, count: int) -> tuple[Took, dict[str, float]]:
    """Run a program over the first `count` submissions of a class, in a new course folder.

    All that is not to be measured is done before: the assignment is in the gradebook, its plan is
    made, and the cluster is there. Return what the run took, and student → score. Raise `Trouble`
    if it fails.
    """
    with scratch_folder(SCRATCH) as course:
        shutil.copytree(folder / "source", course / "source")
        for student in sorted((folder / "submitted").iterdir())[:count]:
            shutil.copytree(student, course / "submitted" / student.name)
        own = (folder / "nbgrader_config.py").read_text("utf-8")
        config = _PLAIN if program.is_plain else own
        (course / "nbgrader_config.py").write_text(config, "utf-8")
        _said(course, _NBGRADER, "generate_assignment", lesson)
        if not program.is_plain:
            _said(course, _AUTOGRADER, "verify", lesson)
        if program.dask:
            with cluster(program.dask) as address:
                before = _used()
                found = _measured(course, *program.command, address)
                found["cpu"] += _used() - before
        else:
            found = _measured(course, *program.command)
        _said(course, _AUTOGRADER, "results", lesson, "--csv", "results.csv")
        with (course / "results.csv").open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    return Took(**found), {row["student"]: float(row["score_before_penalty"]) for row in rows}


@contextmanager
def cluster(workers: int) -> Iterator[str]:
    """Start a Dask cluster on loopback, and end it after the block; yield its address."""
    from distributed import LocalCluster  # it takes a second to load

    with (
        scratch_folder(SCRATCH) as place,
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            memory_limit=0,
            dashboard_address=None,
            local_directory=place,
            silence_logs=logging.CRITICAL,  # its workers complain as they are ended
        ) as made,
    ):
        yield made.scheduler_address


def _used() -> float:
    """Return the processor seconds of this process, of those below it, and of their ended ones."""
    below = Process().children(recursive=True)
    return time.process_time() + sum(sum(one.cpu_times()[:4]) for one in below)


def _measured(course: Path, *command: str) -> dict[str, Any]:
    """Run a command under `measured.py`, and return what it took. Raise `Trouble` if it fails."""
    said = _said(course, sys.executable, str(_MEASURED), *command)
    found: dict[str, Any] = json.loads(said.splitlines()[-1])
    if found.pop("status"):
        raise Trouble(f"{' '.join(command)} failed.")
    return found


def _said(course: Path, *command: str) -> str:
    """Run a command in a folder and return its output.

    Raise `Trouble` with its last line if it fails.
    """
    with at_the_end(_end_all):
        done = subprocess.run(command, cwd=course, capture_output=True, text=True, check=False)
    if done.returncode:
        words = (done.stderr.strip() or done.stdout.strip() or "nothing was said").splitlines()[-1]
        raise Trouble(f"{' '.join(command[1:3])} failed: {words}")
    return done.stdout


def _end_all() -> None:
    """End all that this process has started: a benchmark that is stopped leaves nothing behind."""
    started = Process().children(recursive=True)
    for ask in ("terminate", "kill"):
        for one in started:
            try:
                getattr(one, ask)()
            except NoSuchProcess:
                continue
        _, started = wait_procs(started, _PATIENCE)
