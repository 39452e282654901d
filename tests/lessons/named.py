"""The names given to wrong programs, by layer, for all mutants that the checks notice.

`python -m tests.lessons.named [LESSON …]` puts every mutant to the checks of its lesson, as a
learner would, and prints a table of what the first check that fails says. `--sample COUNT` takes
only that many mutants of each exercise. `--draw COUNT SEED` also prints that many of them, drawn at
random, for a person to read; the sample is drawn with the same seed. `--into FILE` keeps the
results, one line for each mutant, and goes on where an earlier run ended.
"""

import json
import os
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout
from dataclasses import asdict
from difflib import unified_diff
from functools import cache
from io import StringIO
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import CodeType
from typing import Any
from unittest.mock import patch

from autograder.course import ROOT
from autograder.misconceptions.digests import observed
from autograder.notebook.master import read_master
from autograder.submission import CellKind
from course.hints import Diagnosis, diagnose
from course.hints.diagnosis import AMONG_OTHERS
from course.hints.mistakes import general
from course.lessons import cell_of, lessons
from tests.lessons.mutants import Mutant, mutants_of, right_programs
from tests.lessons.noticing import Bench, compiled_as
from tests.lessons.right import right_styles

LAYERS = ("exact", "one of two", "general", "nothing")


@cache
def compiled(lesson_id: str) -> list[tuple[str, CodeType]]:
    """Return the compiled code of the given cells and the solutions of a lesson's master."""
    return [
        (cell.id, compile(cell.source, f"<the master's {cell.id}>", "exec"))
        for cell in read_master(lesson_id, ROOT / "source").cells
        if cell.kind in (CellKind.GIVEN, CellKind.STUDENT)
    ]


def defined(lesson_id: str, replaced: dict[str, str], name: str) -> Any:
    """Return what a name stands for if some solution cells of a lesson are replaced."""
    names: dict[str, Any] = {"__name__": "__main__"}
    all_ours = patch.dict(os.environ, NBGRADER_EXECUTION="naming")  # all pieces are the course's
    with all_ours, redirect_stdout(StringIO()):
        for cell, code in compiled(lesson_id):
            own = replaced.get(cell)
            exec(code if own is None else compiled_as(own, cell), names)  # noqa: S102
    return names.get(name)


def named(lesson_id: str, exercise: str, program: str) -> Diagnosis | None:
    """Return the diagnosis of a program in the place of the solution of its exercise, if any."""
    try:
        function = defined(lesson_id, {cell_of(exercise): program}, observed(exercise))
    except Exception:  # the cell itself raises an error
        return None
    return None if function is None else diagnose(function)


def layer_of(diagnosis: Diagnosis | None) -> str:
    """Return the layer that a diagnosis comes from."""
    if diagnosis is None:
        return "nothing"
    if diagnosis.id in general():
        return "general"
    return "one of two" if AMONG_OTHERS in diagnosis.explain else "exact"


def look_at(lesson_id: str, exercise: str, sample: int, seed: str, into: Path) -> None:
    """Add a line to the file for each mutant of an exercise that is not there yet.

    A line holds the mutant, the check that fails first (or nothing), and what that check says.
    """
    made = list(mutants_of(lesson_id, exercise))
    if sample:
        made = Random(f"{seed} {exercise}").sample(made, min(sample, len(made)))
    done = {(line["exercise"], line["program"]) for line in lines_of(into)}
    bench = Bench(lesson_id, exercise)
    for mutant in made:
        if (exercise, mutant.program) not in done:
            noticed = bench.noticed(mutant.program)
            said = noticed and noticed.diagnosis
            found = {"check": noticed and noticed.check, "said": said and asdict(said)}
            line = {**asdict(mutant), **found, "layer": layer_of(said)}
            with into.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")


def lines_of(file: Path) -> Iterator[dict[str, Any]]:
    """Return the results that a file holds so far."""
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    return map(json.loads, text.splitlines())


def main(words: list[str]) -> None:
    """Print the table, and the mutants that were drawn."""
    parser = ArgumentParser(prog="python -m tests.lessons.named")
    parser.add_argument("lessons", nargs="*")
    parser.add_argument("--draw", nargs=2, metavar=("COUNT", "SEED"), default=["0", "0"])
    parser.add_argument("--sample", type=int, default=0, metavar="COUNT")
    parser.add_argument("--into", type=Path, metavar="FILE")
    asked = parser.parse_args(words)
    count, seed = asked.draw
    chosen = asked.lessons or [entry.id for entry in lessons() if right_styles(entry.id)]
    with TemporaryDirectory() as folder:
        into = asked.into or Path(folder) / "found"
        for lesson_id in chosen:
            _look_at_all(lesson_id, asked.sample, seed, into)
            own = [line for line in lines_of(into) if line["lesson"] == lesson_id]
            print(row_of(lesson_id, own), flush=True)
        found = [line for line in lines_of(into) if line["check"] and line["lesson"] in chosen]
        for line in Random(seed).sample(found, min(int(count), len(found))):
            print(_to_read(line), flush=True)


def _look_at_all(lesson_id: str, sample: int, seed: str, into: Path) -> None:
    """Look at the exercises of a lesson, each in a process beside this one."""
    exercises = dict.fromkeys(exercise for exercise, *_ in right_programs(lesson_id))
    workers = len(os.sched_getaffinity(0))
    with ProcessPoolExecutor(workers, mp_context=get_context("fork")) as pool:
        asked = [
            pool.submit(look_at, lesson_id, exercise, sample, seed, into) for exercise in exercises
        ]
        for each in asked:
            each.result()


def row_of(name: str, lines: list[dict[str, Any]]) -> str:
    """Return a row of the table."""
    killed = [line for line in lines if line["check"]]
    layers = Counter(line["layer"] for line in killed)
    counts = "  ".join(f"{layer} {layers[layer]:4}" for layer in LAYERS)
    return f"{name:28} made {len(lines):4}  killed {len(killed):4}  {counts}"


def _to_read(line: dict[str, Any]) -> str:
    """Return a mutant and what is said of it, for a reader; its changes are marked."""
    mutant = Mutant(**{key: line[key] for key in Mutant.__dataclass_fields__})
    before, after = mutant.original.splitlines(), mutant.program.splitlines()
    marked = list(unified_diff(before, after, n=99, lineterm=""))[3:]
    said = line["said"] or {}
    told = [f"  {key}: {said[key]}" for key in ("title", "nudge", "explain", "show") if said]
    head = f"\n# {mutant.exercise}, line {mutant.line} of: {mutant.style}"
    name = f"# fails {line['check']}; {line['layer']}: {said.get('id')} ({said.get('exercise')})"
    return "\n".join([head, *marked, name, *told])


if __name__ == "__main__":
    main(sys.argv[1:])
