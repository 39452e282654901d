"""Functions that keep the files of exercises and the notebooks in `source/` in agreement.

They write all that can be generated, and say what a person still has to write.
"""

import ast
import re
import textwrap
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import nbformat

from autograder.course_adapter import Exercise, Lesson, built_before, general, lessons, rules
from autograder.grade_submission import grade
from autograder.misconceptions import LOST_CHECKS, OF_MISTAKE, lost_checks
from autograder.notebook.find_submitted_notebook import handin_of
from autograder.notebook.master import read_master
from autograder.system.atomic_write import json_lines, put_file

_reads: Callable[..., Any] = nbformat.reads
_writes: Callable[..., str] = nbformat.writes
_WORDS = re.compile(r"[A-Za-z][A-Za-z]*([-_][A-Za-z0-9]+)*")
_BROUGHT_IN = re.compile(r"^from course\.mine import (?:\(([^)]*)\)|(.*))$", flags=re.MULTILINE)
_WIDTH = 92  # of a line in a cell
_KEEP = re.compile(r"^keep\((\w+)\)$", flags=re.MULTILINE)
_TILES = re.compile(r"`\d+(?: \d+)+`")  # a line of tiles in a text
_NO_BREAK_SPACE = "\u00a0"


def tidy(lesson: Lesson, source: Path) -> bool:
    """Bring a lesson's notebook into the standard form; return true if that changed the file.

    The id of a cell is set to its `grade_id`. A cell without a readable id gets one made from that
    of the next cell, such as `before-merge`. Outputs are removed, and lines of tiles in texts get
    no-break spaces. The cell `given-imports` is made to import all functions that learners built in
    earlier lessons, and the cell `keep` to save those of this lesson. Raise `FileNotFoundError` if
    the lesson has no notebook.
    """
    path = source / lesson.id / lesson.notebook
    before = path.read_text(encoding="utf-8")
    notebook = _reads(before, as_version=4)
    for cell in notebook.cells:
        cell.id = _grade_id(cell) or cell.id
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        else:
            cell.source = _TILES.sub(lambda m: m[0].replace(" ", _NO_BREAK_SPACE), cell.source)
        if cell.id == "keep":
            missing = [name for name in lesson.builds if name not in _KEEP.findall(cell.source)]
            cell.source = "\n".join([cell.source, *(f"keep({name})" for name in missing)])
        if brought := _BROUGHT_IN.search(cell.source):
            names = re.findall(r"\w+", brought[1] or brought[2])
            built = built_before(lesson.id)
            if cell.id == "given-imports" and set(names) != set(built):
                statement = f"from course.mine import {', '.join(built)}"
                if len(statement) > _WIDTH:
                    lines = textwrap.fill(f"{', '.join(built)},", _WIDTH - 4)
                    indented = textwrap.indent(lines, "    ")
                    statement = f"from course.mine import (\n{indented}\n)"
                cell.source = cell.source.replace(brought[0], statement)
    following = "end"
    for cell in reversed(notebook.cells):
        if not _WORDS.fullmatch(cell.id):
            taken = {one.id for one in notebook.cells}
            options = (f"before-{following}" + f"-{n}" * (n > 1) for n in count(1))
            cell.id = next(name for name in options if name not in taken)
        following = cell.id
    after = _writes(notebook) + "\n"
    if after != before:
        path.write_text(after, encoding="utf-8")
    return after != before


def problems(lesson: Lesson, source: Path) -> Iterator[str]:
    """Yield a sentence for each thing that a person still has to write or correct in a lesson.

    Solutions, checks and points must be the same in the exercises' files and in the notebook, and
    `course.rules` must define all functions and classes that learners save for later lessons. Known
    mistakes and lines of puzzles must be complete.
    """
    text = (source / lesson.id / lesson.notebook).read_text(encoding="utf-8")
    cells = _reads(text, as_version=4).cells
    marked = {_grade_id(cell): cell.metadata["nbgrader"] for cell in cells if _grade_id(cell)}
    solutions = [name for name, marks in marked.items() if marks.get("solution")]
    points = {name: marks.get("points", 0) for name, marks in marked.items() if marks.get("grade")}
    book = lesson.notebook
    for exercise in lesson.exercises:
        file = exercise.file.name
        if exercise.cell not in solutions:
            yield f"{file}: {book} has no solution cell with the grade_id {exercise.cell}."
        if exercise.is_kept and not hasattr(rules, exercise.name.partition(".")[0]):
            offer = "write it, and offer it in course/rules/__init__.py"
            yield f"{file}: course.rules has no {exercise.name}; {offer}."
        for check, worth in exercise.checks.items():
            if check not in points:
                yield f"{file}: {book} has no test cell with the grade_id {check}."
            elif points[check] != worth:
                yield f"{file}: {check} is worth {worth}, and in {book} {points[check]:g}."
        yield from (f"{file}: {clause}." for clause in _incomplete(exercise))
    for name in solutions:
        if name not in {one.cell for one in lesson.exercises}:
            file = f"course/exercises/{lesson.id}/NUMBER-{name}.toml"
            yield f"{book}: the solution cell {name} has no file {file}."
    for name in points:
        if name not in lesson.checks:
            file = f"its exercise in course/exercises/{lesson.id}/"
            write = f"Write `{name} = {points[name]:g}` among the `checks` of {file}"
            yield f"{book}: no exercise has the test cell {name} among its checks. {write}."


def _incomplete(exercise: Exercise) -> Iterator[str]:
    """Yield a clause for each part of an exercise's mistakes or puzzle that is missing or wrong."""
    mistakes = exercise.details.get("misconception", [])
    if mistakes and "." not in exercise.name and "observed" not in exercise.details:
        yield "it has known mistakes, but no `[observed]` with `probes`"
    specimens: dict[str, str] = {}
    for number, mistake in enumerate(mistakes, 1):
        name = f"the mistake {mistake.get('id', f'number {number}')}"
        yield from (f"{name} has no `{key}`" for key in OF_MISTAKE if key not in mistake)
        if "loses" in mistake:
            yield f"{name} has a line `loses`: delete it, because lost-checks.json says this"
        specimens[mistake.get("id", "")] = specimen = mistake.get("specimen", "")
        try:
            ast.parse(specimen)
        except SyntaxError as error:
            yield f"the specimen of {name} is no Python: line {error.lineno}, {error.msg}"
    for stray in exercise.details.get("puzzle", {}).get("stray", []):
        name = f"the stray line `{stray.get('line', '')}`"
        if "why" not in stray:
            yield f"{name} has no `why`"
        mistake = stray.get("mistake", "")
        if mistake in specimens:
            if stray.get("line") not in map(str.strip, specimens[mistake].splitlines()):
                yield f"{name} is no line of the mistake {mistake}"
        elif mistake not in general():
            yield f"{name} names the mistake `{mistake}`, which is not in this file"


def unnoticed(lesson: Lesson, file: Path = LOST_CHECKS) -> Iterator[str]:
    """Yield a sentence for each known mistake of a lesson that no check notices."""
    losses = lost_checks(file)
    for exercise in lesson.exercises:
        known = losses.get(exercise.name, {})
        for mistake in exercise.details.get("misconception", []):
            if known.get(mistake["id"]) == []:
                mend = "Write a check that notices it, or leave the mistake out"
                yield f"{exercise.file.name}: no check notices the mistake {mistake['id']}. {mend}."


def fill_in(
    lesson: Lesson, source: Path, *, anew: bool = False, file: Path = LOST_CHECKS
) -> Iterator[str]:
    """Write into a file which checks each known mistake of a lesson loses.

    These are the checks that lose points if the specimen, the program with the mistake, is graded
    in place of the solution. Only mistakes that are not in the file are graded or, if `anew` is
    true, all. Yield a sentence for each mistake whose checks change. The file is written after the
    last sentence.
    """
    master = read_master(lesson.id, source)
    key = handin_of(lesson.notebook, (source / lesson.id / lesson.notebook).read_bytes())
    before = lost_checks(file)
    after = dict(before)
    for exercise in lesson.exercises:
        known, now = before.get(exercise.name, {}), {}
        for entry in exercise.details.get("misconception", []):
            if (mistake := entry["id"]) in known and not anew:
                now[mistake] = known[mistake]
                continue
            verdict = grade(key.with_answer(exercise.cell, entry["specimen"]), master)
            lost = [one.id for one in verdict.checks if one.points < one.max_points]
            now[mistake] = lost
            if lost != known.get(mistake):
                yield f"{exercise.file.name}: {mistake} loses {', '.join(lost) or 'no check'}."
        after[exercise.name] = now
    exercises = {exercise.name for each in lessons() for exercise in each.exercises}
    after = {name: now for name, now in sorted(after.items()) if now and name in exercises}
    if after != before:
        put_file(file, json_lines(after))


def _grade_id(cell: Any) -> str:
    return str(cell.metadata.get("nbgrader", {}).get("grade_id", ""))
