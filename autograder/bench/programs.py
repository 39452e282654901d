"""The ways to grade a class that are compared."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

BIN = Path(sys.executable).parent
NBGRADER = "nbgrader autograde"


@dataclass(frozen=True)
class Program:
    """A way to grade a class: its name and its command.

    If `is_plain`, nbgrader is left as it is. If `is_slow`, only a part of a large class is graded.
    `dask` is the number of workers of a cluster, whose address is added to the command. `scores` is
    the file to which the program writes them; if it is empty, the gradebook has them.
    """

    name: str
    command: tuple[str, ...]
    is_plain: bool = False
    is_slow: bool = False
    dask: int = 0
    scores: str = ""


def programs(lesson: str, workers: Sequence[int], otter: str | None = None) -> list[Program]:
    """Return the programs that are compared; nbgrader's own comes first.

    `otter` is the program of Otter-Grader; a cluster is left out if Dask is not installed.
    """
    nbgrader = (str(BIN / "nbgrader"), "autograde", lesson)
    found = [
        Program(NBGRADER, nbgrader, is_plain=True, is_slow=True),
        Program(f"{NBGRADER}, our preprocessors", nbgrader, is_slow=True),
    ]
    if otter:
        run = (sys.executable, "-m", "autograder.bench.otter", otter, lesson)
        found.append(Program("otter run", run, is_slow=True, scores="otter.json"))
    found += [graded(lesson, count) for count in workers]
    if find_spec("distributed"):
        most = max(workers)
        command = (str(BIN / "autograder"), "grade", lesson, "--scheduler")
        found.append(Program(f"autograder grade, Dask workers: {most}", command, dask=most))
    return found


def graded(lesson: str, workers: int) -> Program:
    """Return this grader as a program, with so many processes."""
    command = (str(BIN / "autograder"), "grade", lesson, "--workers", str(workers))
    return Program(f"autograder grade, workers: {workers}", command)
