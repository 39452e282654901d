"""The tables in `course/hints/`: the probes, the reference's answers, and every specimen's."""

import json
import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from autograder.course import FOLDER, HINTS, cell_of, lessons, observe, rules
from autograder.misconceptions import Catalogue, Misconception, catalogue
from autograder.notebook.master import read_master
from autograder.submission import Kind

SOURCE = FOLDER.parent / "source"


def write_tables(folder: Path = HINTS) -> list[Path]:
    """Writes one table a lesson that has a catalogue; returns the files written."""
    written = []
    for entry in lessons():
        table = make_table(catalogue(entry.id))
        if table:
            path = folder / f"{entry.id}.json"
            path.write_text(_readable(table), encoding="utf-8")
            written.append(path)
    return written


def make_table(known: Catalogue) -> dict[str, Any]:
    """The table of one lesson: exercise → observer, probes, right answers, known wrong answers."""
    return {
        exercise: {
            "observer": known.observers.get(exercise, "answers"),
            "probes": probes,
            "right": _seen(getattr(rules, exercise), exercise, known),
            "known": [
                {
                    "id": entry.id,
                    "exercise": entry.exercise,
                    "title": entry.title,
                    "nudge": entry.nudge,
                    "explain": entry.explain,
                    "show": entry.show,
                    "seen": _seen(define(entry, known.lesson), exercise, known),
                }
                for entry in known.misconceptions
                if observed(entry.exercise) == exercise
            ],
        }
        for exercise, probes in known.probes.items()
    }


def define(entry: Misconception, lesson_id: str) -> Any:
    """The function or class of a learner who has this specimen, and all else as in the master."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    cells = read_master(lesson_id, SOURCE).cells
    for cell in cells:
        if cell.kind in (Kind.GIVEN, Kind.STUDENT):
            is_wrong = cell.id == cell_of(entry.exercise)
            source = entry.specimen if is_wrong else cell.source
            exec(compile(source, f"<{entry.id}>", "exec"), namespace)  # noqa: S102 — our own programs
    return namespace[observed(entry.exercise)]


def observed(exercise: str) -> str:
    """What is observed to see a mistake: the function, or the class that a method belongs to.

    >>> observed("merge"), observed("Game.move")
    ('merge', 'Game')
    """
    return exercise.partition(".")[0]


def _seen(function: Any, exercise: str, known: Catalogue) -> Any:
    observer = known.observers.get(exercise, "answers")
    with redirect_stdout(StringIO()):
        seen = observe(function, observer, known.probes[exercise])
    return json.loads(json.dumps(seen))


def _readable(table: dict[str, Any]) -> str:
    """JSON in which a list of plain values stands on one line."""
    text = json.dumps(table, indent=1, ensure_ascii=False)
    plain_list = re.compile(r'\[\s+((?:[^][{}"]|"[^"]*")*?)\s+\]')
    return plain_list.sub(lambda found: f"[{re.sub(chr(92) + 's+', ' ', found[1])}]", text) + "\n"
