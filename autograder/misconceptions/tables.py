"""The tables in `course/hints/tables/`: probes, and digests of what programs show on them."""

import json
import os
import re
from pathlib import Path
from typing import Any
from unittest.mock import patch

from autograder.course import (
    ANSWERS,
    FOLDER,
    GENERAL,
    HINTS,
    cell_of,
    digests,
    has_printed,
    lessons,
    more_seen,
    observe,
    rules,
)
from autograder.misconceptions import Catalogue, Misconception, catalogue, general
from autograder.notebook.master import read_master
from autograder.submission import Kind

SOURCE = FOLDER.parent / "source"
TEXTS = ("id", "title", "nudge", "explain", "show")
_PATIENCE = 4.0  # seconds; programs that ever come back take less than a quarter of one


def write_tables(folder: Path = HINTS) -> list[Path]:
    """Write one table for each exercise that has probes; return the files written.

    Tables in the folder that stand for no exercise any more are removed.
    """
    tables = {
        folder / f"{exercise}.json": make_table(exercise, known)
        for known in (catalogue(entry.id) for entry in lessons())
        for exercise in known.probes
    }
    texts = {path: _readable(table) for path, table in tables.items()}
    texts[folder / f"{GENERAL}.json"] = _general_table()
    for path in set(folder.glob("*.json")) - set(texts):
        path.unlink()
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    return list(texts)


def make_table(exercise: str, known: Catalogue) -> dict[str, Any]:
    """Return the table of one exercise; `course.hints.diagnosis.table` says what is in it."""
    return {
        "generated": _generated("course/exercises"),
        "observer": known.observers.get(exercise, "answers"),
        "probes": known.probes[exercise],
        **_seen_as("right", getattr(rules, exercise), exercise, known),
        "known": [
            {
                "id": entry.id,
                "exercise": entry.exercise,
                **seen,
                "prints": known.observers.get(exercise, "answers") in ANSWERS
                and has_printed(define(entry, known.lesson), known.probes[exercise]),
                "title": entry.title,
                "nudge": entry.nudge,
                "explain": entry.explain,
                "show": entry.show,
            }
            for entry in known.misconceptions
            if observed(entry.exercise) == exercise
            for seen in _looks(entry, exercise, known)
        ],
    }


def define(entry: Misconception, lesson_id: str) -> Any:
    """Return a learner's function or class with this specimen; all else is as in the master."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    cells = read_master(lesson_id, SOURCE).cells
    for cell in cells:
        if cell.kind in (Kind.GIVEN, Kind.STUDENT):
            is_wrong = cell.id == cell_of(entry.exercise)
            source = entry.specimen if is_wrong else cell.source
            with patch.dict(os.environ, NBGRADER_EXECUTION="tables"):  # all pieces are the course's
                exec(compile(source, f"<{entry.id}>", "exec"), namespace)  # noqa: S102 — our own
    return namespace[observed(entry.exercise)]


def observed(exercise: str) -> str:
    """Return what is observed to see a mistake: the function, or the class of a method.

    >>> observed("merge"), observed("Game.move")
    ('merge', 'Game')
    """
    return exercise.partition(".")[0]


def _seen_as(key: str, function: Any, exercise: str, known: Catalogue) -> dict[str, Any]:
    """Return what is seen of a program on its probes and on more calls, as digests."""
    asked = known.observers.get(exercise, "answers"), known.probes[exercise]
    observation = observe(function, *asked, _PATIENCE)
    assert observation is not None, f"a program for {exercise} does not come back on its probes"
    return {"more": more_seen(function, *asked), key: digests(observation)}


def _looks(entry: Misconception, exercise: str, known: Catalogue) -> list[dict[str, Any]]:
    """Return what is seen of a mistake; of a class, also a second look if it has kept something."""
    function = define(entry, known.lesson)
    looks = [_seen_as("seen", function, exercise, known)]
    if isinstance(function, type):
        again = _seen_as("seen", function, exercise, known)
        looks += [again] if again != looks[0] else []
    return looks


def _generated(name: str) -> str:
    return f"by `make release` from {name}; never edit this file by hand"


def _general_table() -> str:
    """Return the general entries as JSON, one on each line."""
    texts = ({key: getattr(entry, key) for key in TEXTS} for entry in general())
    entries = ",\n  ".join(json.dumps(text, ensure_ascii=False) for text in texts)
    origin = _generated("autograder/misconceptions/general.toml")
    return f'{{\n "generated": "{origin}",\n "known": [\n  {entries}\n ]\n}}\n'


def _readable(table: dict[str, Any]) -> str:
    """Return JSON with each call, each text, and all that is seen of a program on one line."""
    seen: list[str] = []

    def on_one_line(entry: dict[str, Any], key: str) -> dict[str, Any]:
        seen.append(json.dumps(entry[key], separators=(",", ":")))
        return {**entry, key: f"seen {len(seen) - 1}"}

    known = [on_one_line(entry, "seen") for entry in table["known"]]
    text = json.dumps({**on_one_line(table, "right"), "known": known}, indent=1, ensure_ascii=False)
    text = text.replace('{\n   "id"', '{"id"').replace(',\n   "exercise"', ', "exercise"')
    text = text.replace(',\n   "more"', ', "more"').replace(',\n   "prints"', ', "prints"')
    text = text.replace('"\n  }', '"}')
    return re.sub(r'"seen (\d+)"', lambda found: seen[int(found[1])], text) + "\n"
