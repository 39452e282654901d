"""Making of `course/hints/digests.json`, by which the course recognises known mistakes.

A probe is a test call, written as text: `merge([4, 2, 2, 0])`. The right programs and the
specimens, programs with a known mistake, are called on probes. The file has digests (hashes) of
what they do. If a learner's program does the same as a specimen, it has the same mistake.
"""

import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

from autograder.course_adapter import (
    DIGESTS,
    FOLDER,
    Program,
    cell_of,
    digests,
    lessons,
    observe,
    probes_of,
    rules,
)
from autograder.grading_data import CellKind
from autograder.misconceptions import Misconception, catalogue
from autograder.notebook.master import read_master
from autograder.system.atomic_write import json_lines

SOURCE = FOLDER.parent / "source"
_PATIENCE = 4.0  # seconds; a program that does end takes less than a quarter of a second


def write_digests(file: Path = DIGESTS) -> None:
    """Write the digests for all functions and classes that have probes, one exercise per line."""
    exercises = [exercise for lesson in lessons() for exercise in lesson.exercises]
    tables = defaultdict(list)
    for name in (one.name for one in exercises if "observed" in one.details):
        for program in _programs(name):
            told = dict(vars(program))
            tables[told.pop("exercise")].append(told)
    file.write_text(json_lines(tables), encoding="utf-8")


def _programs(name: str) -> Iterator[Program]:
    """Yield the digests of the right program for a function or class, then of its known mistakes.

    A class with a mistake is tried twice on the same test calls. If the class has kept something
    from the first time, the two results differ; then both are yielded.
    """

    def program(function: Any, id: str, exercise: str) -> Program:
        seen = observe(function, *probes_of(name), _PATIENCE)
        return Program(id, exercise, seen.prints, seen.more, digests(seen.facts))

    yield program(getattr(rules, name), "", name)
    for lesson in lessons():
        for entry in catalogue(lesson.id):
            if observed(entry.exercise) == name:
                function = define(entry, lesson.id)
                first = program(function, entry.id, entry.exercise)
                yield first
                if isinstance(function, type):
                    again = program(function, entry.id, entry.exercise)
                    yield from [again] if again != first else []


def define(entry: Misconception, lesson_id: str) -> Any:
    """Return the function or class that a learner with this known mistake would have.

    To define it, run the cells of the lesson's notebook in `source/`, with the specimen in place of
    the exercise's solution.
    """
    namespace: dict[str, Any] = {"__name__": "__main__"}
    cells = read_master(lesson_id, SOURCE).cells
    for cell in cells:
        if cell.kind in (CellKind.GIVEN, CellKind.STUDENT):
            is_wrong = cell.id == cell_of(entry.exercise)
            source = entry.specimen if is_wrong else cell.source
            # imports from `course.mine` then give the course's functions, never a learner's own
            with patch.dict(os.environ, NBGRADER_EXECUTION="tables"):
                exec(compile(source, f"<{entry.id}>", "exec"), namespace)  # noqa: S102 — our own
    return namespace[observed(entry.exercise)]


def observed(exercise: str) -> str:
    """Return the name of the function, or of the class of a method, that an exercise is about.

    >>> observed("merge"), observed("Game.move")
    ('merge', 'Game')
    """
    return exercise.partition(".")[0]
