"""One run of one program over one class: what it took, and the scores."""

import csv
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.bench.cluster import local_cluster
from autograder.bench.programs import BIN, Program
from autograder.bench.started import SCRATCH, none_outlives
from autograder.sample import write_class
from autograder.samples.real import Like
from autograder.scratch import scratch_folder
from autograder.trouble import Trouble

# nbgrader as it is without us; it calls `alembic` by name when it makes a gradebook
PLAIN = f"""import os
c = get_config()
c.CourseDirectory.course_id = "2048"
os.environ["PATH"] = {str(BIN)!r} + os.pathsep + os.environ["PATH"]
"""


@dataclass(frozen=True)
class Took:
    """Seconds, processor seconds, MiB of the largest process, and seconds of a cluster's start.

    The seconds of the start are not part of `seconds`.
    """

    seconds: float
    cpu: float
    mib: float
    start: float = 0.0


@dataclass(frozen=True)
class Run:
    """One run: what it took, student → score, and the memory of its first process over time."""

    took: Took
    scores: dict[str, float]
    memory: tuple[tuple[float, float], ...]


@contextmanager
def sample_class(root: Path, lesson: str, size: int) -> Iterator[Path]:
    """Make the folder of a class in real proportions, and remove it after the block."""
    with scratch_folder(SCRATCH) as place:
        folder = place / "course"
        write_class(root, lesson, size, folder, Like.CLASS)
        yield folder


@contextmanager
def begun_course(program: Program, folder: Path, lesson: str, count: int) -> Iterator[Path]:
    """Make a course folder with the first `count` submissions of a class, none of them graded.

    All that is not to be measured is done: the assignment is in the gradebook, and its plan is
    made.
    """
    with scratch_folder(SCRATCH) as course:
        shutil.copytree(folder / "source", course / "source")
        for student in sorted((folder / "submitted").iterdir())[:count]:
            shutil.copytree(student, course / "submitted" / student.name)
        own = (folder / "nbgrader_config.py").read_text("utf-8")
        config = PLAIN if program.is_plain else own
        (course / "nbgrader_config.py").write_text(config, "utf-8")
        said(course, str(BIN / "nbgrader"), "generate_assignment", lesson)
        if not program.is_plain:
            said(course, str(BIN / "autograder"), "verify", lesson)
        yield course


def run(program: Program, folder: Path, lesson: str, count: int) -> Run:
    """Run a program over the first `count` submissions; return what it took, and their scores.

    Raise `Trouble` if it fails.
    """
    with begun_course(program, folder, lesson, count) as course:
        if program.dask:
            with local_cluster(program.dask) as cluster:
                before = cluster.cpu()
                found = measured(course, *program.command, cluster.address)
                found["cpu"] += cluster.cpu() - before
                found["start"] = cluster.start
        else:
            found = measured(course, *program.command)
        memory = tuple((at, mib) for at, mib in found.pop("memory"))
        return Run(Took(**found), _scores(program, course, lesson), memory)


def measured(course: Path, *command: str) -> dict[str, Any]:
    """Run a command under `measured.py`, and return the measurement that it prints.

    Raise `Trouble` if the command fails.
    """
    measure = (sys.executable, "-m", "autograder.bench.measured")
    found: dict[str, Any] = json.loads(said(course, *measure, *command).splitlines()[-1])
    if found.pop("status"):
        raise Trouble(f"{' '.join(command)} failed.")
    return found


def _scores(program: Program, course: Path, lesson: str) -> dict[str, float]:
    if program.scores:
        scores: dict[str, float] = json.loads((course / program.scores).read_text("utf-8"))
        return scores
    table = course / "results.csv"
    said(course, str(BIN / "autograder"), "results", lesson, "--csv", str(table))
    with table.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    return {row["student"]: float(row["score_before_penalty"]) for row in rows}


def said(course: Path, *command: str) -> str:
    """Run a command in a folder and return its output.

    Raise `Trouble` with its last line if it fails.
    """
    with none_outlives():
        done = subprocess.run(command, cwd=course, capture_output=True, text=True, check=False)
    if done.returncode:
        words = (done.stderr.strip() or done.stdout.strip() or "nothing was said").splitlines()[-1]
        raise Trouble(f"{' '.join(command[1:3])} failed: {words}")
    return done.stdout
