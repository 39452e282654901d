"""The catalogue of known mistakes, which is read from the files in `course/exercises/`.

The known mistakes of another course are in the file `exercises.toml` in its folder. `autograder
verify` grades them, and writes what students need of them beside the notebooks.
"""

import json
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from autograder.course_adapter import FOLDER, TEXTS, Diagnosis, lesson
from autograder.grading_data import CellKind, Verdict
from autograder.notebook.find_submitted_notebook import Handin
from autograder.notebook.magics import without_magics
from autograder.notebook.master import Delimiters, Master, MasterError, read_masters
from autograder.system import Trouble
from autograder.system.atomic_write import json_lines

AUTHORS_FILE = "exercises.toml"
OF_MISTAKE = (*TEXTS, "specimen")
_ABOVE = (CellKind.GIVEN, CellKind.STUDENT)
LOST_CHECKS = FOLDER / "exercises" / "lost-checks.json"
_TELL = "from course.hints.custom_exercises import tell_digests; tell_digests()"


@dataclass(frozen=True)
class Misconception(Diagnosis):
    """A known mistake in an exercise, with `specimen`, the smallest program with the mistake.

    `loses` are the ids of the checks that the specimen does not pass.
    """

    specimen: str
    loses: tuple[str, ...] = ()


@cache
def catalogue(lesson_id: str) -> tuple[Misconception, ...]:
    """Return all known mistakes of a lesson; raise `ValueError` if there is no such lesson."""
    losses = lost_checks()
    found = []
    for one in lesson(lesson_id).exercises:
        for entry in one.details.get("misconception", ()):
            loses = tuple(losses.get(one.name, {}).get(entry["id"], ()))
            found.append(Misconception(exercise=one.name, **entry, loses=loses))
    return tuple(found)


def lost_checks(file: Path = LOST_CHECKS) -> dict[str, dict[str, list[str]]]:
    """Return a dictionary: exercise → id of a known mistake → ids of the checks that it loses.

    `fill_in` in `sync_exercises_with_notebooks.py` writes them into the file.
    """
    losses: dict[str, dict[str, list[str]]] = json.loads(file.read_text(encoding="utf-8"))
    return losses


@dataclass(frozen=True)
class Authored:
    """An exercise of another course, whose answer is in the cell with the id `cell` of `notebook`.

    `above` are the sources to be run before this cell, `solution` is its text in the answer key.
    `probes` are test calls, as texts, such as `half(4)`.
    """

    name: str
    notebook: str
    cell: str
    above: tuple[str, ...]
    solution: str
    hints: tuple[str, ...]
    probes: tuple[str, ...]
    mistakes: tuple[Misconception, ...]


@dataclass(frozen=True)
class TriedMistake:
    """A known mistake of another course, and the tests that it loses.

    `groups` are the groups of wrong programs that contain this known mistake and no other.
    `trouble` says why students cannot read the mistake's name; it is empty if they can.
    """

    mistake: Misconception
    loses: tuple[str, ...]
    groups: tuple[str, ...]
    trouble: str = ""


def read_authored(
    root: Path, masters: Sequence[Master], source: Path, hidden: Delimiters
) -> tuple[Authored, ...]:
    """Return the exercises in `exercises.toml` whose answers are in `masters`.

    The file is in the course folder `root`. Raise `Trouble`, which says what to mend, if it cannot
    be understood, or if no answer in the folder `source` defines the name of an exercise.
    """
    path, found = root / AUTHORS_FILE, []
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8")).get("exercise", [])
    except ValueError as error:
        raise Trouble(f"{path} cannot be read: {error}. Mend that line.") from error
    if not isinstance(entries, list):
        raise Trouble(f"{path}: each exercise begins with [[exercise]], as in docs/example-course.")
    for number, entry in enumerate(entries, 1):
        name = f"exercise {number}"
        try:
            name = entry["name"]
            mistakes = tuple(
                Misconception(exercise=name, **{key: said[key] for key in OF_MISTAKE})
                for said in entry.get("misconception", ())
            )
            hints, probes = entry["hints"], entry["observed"]["probes"]
            texts = [name, *hints, *probes]
            texts += [getattr(one, key) for one in mistakes for key in OF_MISTAKE]
            if not type(hints) is type(probes) is list or {*map(type, texts)} != {str}:
                raise TypeError
        except (KeyError, TypeError, AttributeError) as error:
            why = f"lacks {error}" if type(error) is KeyError else "has another form"
            raise Trouble(f"{path}: {name} {why}. Write it as in docs/example-course.") from error
        for master in masters:
            if name in master.answered:
                answer = master.by_id[master.answered[name][0]]
                cells = master.cells[: master.cells.index(answer)]
                above = [each.solution or each.source for each in cells if each.kind in _ABOVE]
                sources = (master.imports, *map(without_magics, above))
                place = master.notebook, answer.id, sources, answer.solution
                found.append(Authored(name, *place, tuple(hints), tuple(probes), mistakes))
    names = {entry["name"] for entry in entries} - {one.name for one in found}
    with suppress(MasterError):  # an assignment that cannot be read could define them
        names -= {name for master in read_masters(source, hidden) for name in master.answered}
        if names:
            why = f"no answer in source/ defines {', '.join(sorted(names))}"
            raise Trouble(f"{path}: {why}. Mend the name, or take the exercise out.")
    return tuple(found)


def authored_json(
    authored: Sequence[Authored], folder: Path
) -> tuple[str, dict[Misconception, str]]:
    """Return the text of `exercises.json`, and a dictionary: mistake left out of the text → reason.

    The author's right and wrong programs run in a separate process in `folder`, the folder of the
    masters. The text has no program, only digests (hashes) of what each program does. A mistake is
    left out if its program does the same as another one, or cannot be run. Raise `Trouble` if a
    right program cannot be run.
    """
    asked = [
        {"cells": [*one.above, without_magics(program)], "name": one.name, "probes": one.probes}
        for one in authored
        for program in (one.solution, *(mistake.specimen for mistake in one.mistakes))
    ]
    command = [sys.executable, "-c", _TELL]
    done = subprocess.run(
        command, input=json.dumps(asked), cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = done.stderr.strip().splitlines()[-1]
        raise Trouble(f"The programs in {AUTHORS_FILE} cannot be run: {said}")
    digests: Iterator[Any] = iter(json.loads(done.stdout))
    told, troubles = dict[str, Any](), dict[Misconception, str]()
    for one in authored:
        right = next(digests)
        wrong: dict[str, dict[str, str]] = {}
        if type(right) is list:
            why = f"the answer key, on the probes in {AUTHORS_FILE}: {right[0]}"
            raise Trouble(f"{one.name}: {why}. Mend one or the other.")
        for mistake in one.mistakes:
            shown = next(digests)
            if type(shown) is list:
                troubles[mistake] = f"its specimen: {shown[0]}"
            elif shown == right:
                troubles[mistake] = "no probe tells it from the answer key"
            elif shown in wrong:
                troubles[mistake] = f"no probe tells it from {wrong[shown]['id']}"
            else:
                wrong[shown] = {key: getattr(mistake, key) for key in TEXTS}
        facts = {"hints": one.hints, "probes": one.probes, "right": right, "wrong": wrong}
        told[one.name] = facts
    return json_lines(told), troubles


def try_mistakes(
    authored: Sequence[Authored],
    masters: Sequence[tuple[Master, Handin]],
    grade: Callable[[Handin, Master], Verdict],
    troubles: Mapping[Misconception, str],
) -> tuple[TriedMistake, ...]:
    """Grade each mistake in a copy of the answer key, and return what each of them loses.

    `masters` are pairs (master, answer key). `troubles` is a dictionary from `authored_json`.
    """
    tried = []
    for one in authored:
        [(master, key)] = [pair for pair in masters if pair[0].notebook == one.notebook]
        for mistake in one.mistakes:
            checks = grade(key.with_answer(one.cell, mistake.specimen), master).checks
            lost = [check for check in checks if check.points < check.max_points]
            groups = dict.fromkeys(check.difference.group for check in lost if check.difference)
            tried.append(TriedMistake(mistake, tuple(check.id for check in lost), tuple(groups)))
    count, found = Counter(group for each in tried for group in each.groups), []
    for each in tried:
        own = tuple(group for group in each.groups if count[group] == 1)
        trouble = troubles.get(each.mistake, "")
        if not own:
            alike = [one.mistake.id for one in tried if {*one.groups} & {*each.groups}]
            others = " and ".join(one for one in alike if one != each.mistake.id)
            trouble = f"no test tells it from {others}" if others else "it loses no test"
        found.append(replace(each, groups=own, trouble=trouble))
    return tuple(found)
