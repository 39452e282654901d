"""What wrong programs are named, and by which layer: over all mutants that the checks notice.

`python -m tests.lessons.named [LESSON …]` prints a table; with `--draw COUNT SEED` it also prints
that many of them, drawn at random, with what is said of them, to be read.
"""

import os
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from multiprocessing import get_context
from random import Random
from types import CodeType
from typing import Any

from autograder.misconceptions import catalogue, general
from autograder.misconceptions.tables import observed
from autograder.notebook.master import read_master
from autograder.records.release import ROOT
from autograder.submission import Kind
from course.hints.diagnosis import AMONG_OTHERS, Diagnosis, diagnose
from course.lessons import cell_of, lessons
from tests.lessons.mutants import Mutant, lost_checks, mutants_of

LAYERS = ("exact", "one of two", "general", "nothing")


@cache
def compiled(lesson_id: str) -> list[tuple[str, CodeType]]:
    """The given cells and the solutions of a lesson's master."""
    return [
        (cell.id, compile(cell.source, f"<{cell.id}>", "exec"))
        for cell in read_master(lesson_id, ROOT / "source").cells
        if cell.kind in (Kind.GIVEN, Kind.STUDENT)
    ]


def defined(lesson_id: str, replaced: dict[str, str], name: str) -> Any:
    """What a name stands for where some solution cells of a lesson are replaced."""
    os.environ["NBGRADER_EXECUTION"] = "naming"  # all pieces are the course's
    names: dict[str, Any] = {"__name__": "__main__"}
    with redirect_stdout(StringIO()):
        for cell, code in compiled(lesson_id):
            own = replaced.get(cell)
            exec(code if own is None else compile(own, f"<{cell}>", "exec"), names)  # noqa: S102
    return names.get(name)


def named(lesson_id: str, exercise: str, program: str) -> Diagnosis | None:
    """What is said of a program in the place of the solution of its exercise."""
    try:
        function = defined(lesson_id, {cell_of(exercise): program}, observed(exercise))
    except Exception:  # the cell itself stops
        return None
    return None if function is None else diagnose(function)


def layer_of(diagnosis: Diagnosis | None) -> str:
    """The layer that a name comes from."""
    if diagnosis is None:
        return "nothing"
    if diagnosis.id in {entry.id for entry in general()}:
        return "general"
    return "one of two" if AMONG_OTHERS in diagnosis.explain else "exact"


def killed(mutant: Mutant) -> bool:
    """Whether a check of its lesson notices a mutant."""
    return bool(lost_checks(mutant.lesson, {cell_of(mutant.exercise): mutant.program}))


def named_and_killed(mutant: Mutant) -> tuple[Diagnosis | None, bool]:
    """What is said of a mutant, and whether a check notices it."""
    return named(mutant.lesson, mutant.exercise, mutant.program), killed(mutant)


def judged(lesson_id: str) -> Iterator[tuple[Mutant, Diagnosis | None]]:
    """The mutants of a lesson that are killed, with what is said of them."""
    made = list(mutants_of(lesson_id))
    workers = len(os.sched_getaffinity(0))
    with ProcessPoolExecutor(workers, mp_context=get_context("fork")) as pool:
        found = pool.map(named_and_killed, made, chunksize=4)
        for mutant, (diagnosis, is_killed) in zip(made, found, strict=True):
            if is_killed:
                yield mutant, diagnosis


def main(words: list[str]) -> None:
    """Prints the table, and those that were drawn."""
    count, seed = 0, 0
    if "--draw" in words:
        at = words.index("--draw")
        count, seed = int(words[at + 1]), int(words[at + 2])
        words = words[:at]
    found = []
    for lesson_id in words or [entry.id for entry in lessons() if catalogue(entry.id).right]:
        own = list(judged(lesson_id))
        found += own
        layers = Counter(layer_of(diagnosis) for _, diagnosis in own)
        counts = "  ".join(f"{layer} {layers[layer]:4}" for layer in LAYERS)
        print(f"{lesson_id:28} killed {len(own):4}  {counts}", flush=True)
    for mutant, diagnosis in Random(seed).sample(found, min(count, len(found))):
        print(f"\n# {mutant.exercise}, line {mutant.line} of: {mutant.style}\n{mutant.program}")
        print(f"# {layer_of(diagnosis)}: {diagnosis}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
