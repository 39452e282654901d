"""The tables in `course/hints/tables/`: probes, and digests of what programs show on them."""

import json
from pathlib import Path
from typing import Any

from autograder.course import HINTS, built_before, digest, lesson, lessons, observe, rules
from autograder.misconceptions import Catalogue, Misconception, catalogue


def write_tables(folder: Path = HINTS) -> list[Path]:
    """Writes one table an exercise that has probes; returns the files written.

    Tables in the folder that nothing stands for any more are removed.
    """
    tables = {
        folder / f"{exercise}.json": make_table(exercise, known)
        for known in (catalogue(entry.id) for entry in lessons())
        for exercise in known.probes
    }
    for path in set(folder.glob("*.json")) - set(tables):
        path.unlink()
    for path, table in tables.items():
        path.write_text(_readable(table), encoding="utf-8")
    return list(tables)


def make_table(exercise: str, known: Catalogue) -> dict[str, Any]:
    """The table of one exercise; `course.hints.diagnosis.table` says what is in it."""
    return {
        "generated": (
            f"by `make release` from autograder/misconceptions/{known.lesson}.toml; "
            "never edit this file by hand"
        ),
        "observer": known.observers.get(exercise, "answers"),
        "probes": known.probes[exercise],
        "right": _seen(getattr(rules, exercise), exercise, known),
        "known": [
            {
                "id": entry.id,
                "seen": _seen(define(entry, known.lesson), exercise, known),
                "title": entry.title,
                "nudge": entry.nudge,
                "explain": entry.explain,
                "show": entry.show,
            }
            for entry in known.misconceptions
            if entry.exercise == exercise
        ],
    }


def define(entry: Misconception, lesson_id: str) -> Any:
    """The function or class that a specimen defines, given what the cells before it build."""
    names = (*built_before(lesson_id), *lesson(lesson_id).builds)
    namespace: dict[str, Any] = {name: getattr(rules, name) for name in names}
    namespace["__name__"] = "__main__"
    exec(compile(entry.specimen, f"<{entry.id}>", "exec"), namespace)  # noqa: S102 — our own programs
    return namespace[entry.exercise]


def _seen(function: Any, exercise: str, known: Catalogue) -> str:
    observation = observe(
        function, known.observers.get(exercise, "answers"), known.probes[exercise]
    )
    assert observation is not None, f"a program for {exercise} does not come back on its probes"
    return digest(observation)


def _readable(table: dict[str, Any]) -> str:
    """JSON with one call a line, one text a line, and the id of a mistake beside what is seen."""
    text = json.dumps(table, indent=1, ensure_ascii=False)
    text = text.replace('{\n   "id"', '{"id"').replace(',\n   "seen"', ', "seen"')
    return text.replace('"\n  }', '"}') + "\n"
