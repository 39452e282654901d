"""The visible checks of every exercise, which the course runs on what a learner keeps."""

import json
from pathlib import Path

from autograder.course import FOLDER, Lesson, lessons

FILE = FOLDER / "mine" / "visible.json"
_MADE = "Made from release/ by `make release`. Never edited by hand."


def write_visible(release: Path, file: Path = FILE) -> None:
    """Write exercise → check → source of its test cell, as learners have it."""
    table = {"": _MADE} | {
        exercise.name: {check: tests[check] for check in exercise.checks}
        for entry in lessons()
        for tests in [_tests(release, entry)]
        for exercise in entry.exercises
    }
    file.write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _tests(release: Path, lesson: Lesson) -> dict[str, str]:
    path = release / lesson.id / lesson.notebook
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return {cell["id"]: "".join(cell["source"]) for cell in cells if cell["id"] in lesson.checks}
