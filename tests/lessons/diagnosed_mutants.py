"""The mistakes that the checks name in mutants, right programs with one small change each.

`python -m tests.lessons.diagnosed_mutants [LESSON …]` runs the checks of a lesson on every
mutant of its right programs. The first check that fails may name a mistake. The table counts these
diagnoses in four layers: exactly one known mistake, one of two mistakes, a general mistake, and
nothing.

`--sample COUNT` takes only that many mutants of each exercise. `--draw COUNT SEED` also prints so
many of those that fail a check, for a person to read. SEED seeds both random choices. `--into FILE`
keeps the results, one line for each mutant, and goes on where an earlier run ended.
"""

import json
import os
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from difflib import unified_diff
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from autograder.audit.mutations import changed_sources
from course.hints import Diagnosis
from course.hints.diagnosis import AMONG_OTHERS
from course.hints.mistakes import general
from course.lessons import lessons
from tests.lessons.right import right_programs, right_styles
from tests.lessons.running import first_noticed

LAYERS = ("exact", "one of two", "general", "nothing")


@dataclass(frozen=True)
class Mutant:
    """A right program with one change: the text `program`, and before the change `original`.

    `line` is the number of the changed line. `style` is the title of the right program.
    """

    lesson: str
    exercise: str
    style: str
    line: int
    program: str
    original: str


def mutants_of(lesson_id: str, exercise: str) -> list[Mutant]:
    """Return the mutants of all right programs of an exercise, each text once."""
    found: dict[str, Mutant] = {}
    for right in right_programs(lesson_id):
        if right.exercise != exercise:
            continue
        lines = range(1, len(right.program.splitlines()) + 1)
        for line, text in changed_sources(right.program, lines):
            one = Mutant(lesson_id, exercise, right.title, line, text, right.program)
            found.setdefault(text, one)
    return [*found.values()]


def layer_of(diagnosis: Diagnosis | None) -> str:
    """Return the layer of a diagnosis, one of `LAYERS`; no diagnosis is in the layer "nothing"."""
    if diagnosis is None:
        return "nothing"
    if diagnosis.id in general():
        return "general"
    return "one of two" if AMONG_OTHERS in diagnosis.explain else "exact"


def look_at(lesson_id: str, exercise: str, sample: int, seed: str, into: Path) -> None:
    """Add a line to the file `into` for each mutant of an exercise that is not in the file yet.

    A line has the mutant, the check that fails first, if any, and what this check says. If
    `sample` is not 0, only that many mutants are looked at, drawn with `seed`.
    """
    made = mutants_of(lesson_id, exercise)
    if sample:
        made = Random(f"{seed} {exercise}").sample(made, min(sample, len(made)))
    done = {(line["exercise"], line["program"]) for line in lines_of(into)}
    for mutant in made:
        if (exercise, mutant.program) not in done:
            noticed = first_noticed(lesson_id, exercise, mutant.program)
            said = noticed and noticed.diagnosis
            found = {"check": noticed and noticed.check, "said": said and asdict(said)}
            line = {**asdict(mutant), **found, "layer": layer_of(said)}
            with into.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")


def lines_of(file: Path) -> Iterator[dict[str, Any]]:
    """Return the lines of a file of results as dictionaries; none if there is no file."""
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    return map(json.loads, text.splitlines())


def main(words: list[str]) -> None:
    """Print the table, and the mutants that were drawn."""
    parser = ArgumentParser(prog="python -m tests.lessons.diagnosed_mutants")
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
    """Call `look_at` for each exercise of a lesson, several at a time, in other processes."""
    exercises = dict.fromkeys(right.exercise for right in right_programs(lesson_id))
    workers = len(os.sched_getaffinity(0))
    with ProcessPoolExecutor(workers, mp_context=get_context("fork")) as pool:
        asked = [
            pool.submit(look_at, lesson_id, exercise, sample, seed, into) for exercise in exercises
        ]
        for each in asked:
            each.result()


def row_of(name: str, lines: list[dict[str, Any]]) -> str:
    """Return the row of the table for a lesson or an exercise, from lines of the results."""
    killed = [line for line in lines if line["check"]]
    layers = Counter(line["layer"] for line in killed)
    counts = "  ".join(f"{layer} {layers[layer]:4}" for layer in LAYERS)
    return f"{name:28} made {len(lines):4}  killed {len(killed):4}  {counts}"


def _to_read(line: dict[str, Any]) -> str:
    """Return a text for a person to read: a mutant with its change marked, and its diagnosis."""
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
