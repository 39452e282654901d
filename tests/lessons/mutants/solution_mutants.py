"""Mutants of right programs: each has one small change, which a check of its lesson should notice.

`python -m tests.lessons.mutants.solution_mutants [LESSON …]` prints a table, and every mutant that
is alive. A mutant is "killed" if a check fails. It is "equivalent" if it does the same as the
program from which it was made, in many more cases than the checks have. All others are "alive".
Mutants in `equivalents.toml` are equivalent, too: they draw at random in another way that is also
right, or they are wrong by so little that no check could count often enough to show it.
"""

import ast
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from copy import deepcopy
from dataclasses import dataclass
from multiprocessing import get_context

from autograder.audit.mutations import variants
from course.lessons import cell_of, lessons
from tests.lessons.mutants.equivalence import is_equivalent
from tests.lessons.right import right_programs, right_styles
from tests.lessons.running import lost_checks

FATES = ("killed", "equivalent", "alive")


@dataclass(frozen=True)
class Mutant:
    """A right program with one change.

    `original` is the program before the change, `program` after it. `line` is the number of the
    changed line. `style` is the title of the right program.
    """

    lesson: str
    exercise: str
    style: str
    line: int
    program: str
    original: str


def mutants_of(lesson_id: str, only: str = "") -> Iterator[Mutant]:
    """Yield the mutants of a lesson's right programs, each text once.

    With `only`, yield only the mutants of the exercise with this name.
    """
    seen: set[tuple[str, str]] = set()
    for right in right_programs(lesson_id):
        if only not in ("", right.exercise):
            continue
        for line, text in mutants(right.program):
            if (right.exercise, text) not in seen:
                seen.add((right.exercise, text))
                yield Mutant(lesson_id, right.exercise, right.title, line, text, right.program)


def mutants(program: str) -> Iterator[tuple[int, str]]:
    """Yield each mutant of a program once: the number of the changed line, and the whole text.

    >>> [text for _, text in mutants("def f(line):\\n    return line[0] == 2")][:2]
    ['def f(line):\\n    pass', 'def f(line):\\n    return None']
    """
    tree = ast.parse(program)
    seen = {ast.unparse(tree)}
    for number, node in enumerate(ast.walk(tree)):
        for place, _ in enumerate(variants(node)):
            changed = _changed(tree, number, place)
            if changed not in seen:
                seen.add(changed)
                yield getattr(node, "lineno", 0), changed


def _changed(tree: ast.Module, number: int, place: int) -> str:
    """Return the text of the tree with node `number` of `ast.walk` replaced by variant `place`."""
    copy = deepcopy(tree)
    node = list(ast.walk(copy))[number]
    _replace(copy, node, list(variants(node))[place])
    return ast.unparse(ast.fix_missing_locations(copy))


def _replace(tree: ast.AST, old: ast.AST, new: ast.AST) -> None:
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, name, new)
            elif isinstance(value, list):
                for index, item in enumerate(value):
                    if item is old:
                        value[index] = new


def judged(mutant: Mutant) -> str:
    """Return the fate of a mutant: "killed", "equivalent" or "alive"."""
    if lost_checks(mutant.lesson, {cell_of(mutant.exercise): mutant.program}, first=True):
        return "killed"
    return "equivalent" if is_equivalent(mutant) else "alive"


def main(names: list[str]) -> None:
    """Print the table, and the mutants that are alive."""
    chosen = names or [entry.id for entry in lessons() if right_styles(entry.id)]
    workers = len(os.sched_getaffinity(0))
    for lesson_id in chosen:
        made = list(mutants_of(lesson_id))
        with ProcessPoolExecutor(workers, mp_context=get_context("fork")) as pool:
            fates = list(pool.map(judged, made, chunksize=4))
        for exercise in dict.fromkeys(mutant.exercise for mutant in made):
            pairs = zip(made, fates, strict=True)
            own = [fate for mutant, fate in pairs if mutant.exercise == exercise]
            counts = "  ".join(f"{kind} {own.count(kind):4}" for kind in FATES)
            print(f"{lesson_id:28} {exercise:18} made {len(own):4}  {counts}", flush=True)
        for mutant, fate in zip(made, fates, strict=True):
            if fate == "alive":
                print(f"\n# alive: {mutant.exercise}, {mutant.style}, line {mutant.line}")
                print(mutant.program, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
