"""This course, as the grader knows it: no other file of the grader imports `course`.

An assignment that is no lesson of it has no exercises here, and is graded all the same.
"""

import ast
import json
import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import course
import course.hints
from autograder.selection import select
from course import duel, rules
from course.answers import Answer, NoAnswer, Seeded
from course.checks import CheckFailed
from course.hints.diagnosis import GENERAL
from course.hints.digest import digests
from course.hints.more import more_seen
from course.hints.observe import ANSWERS, has_printed, observe
from course.hints.parts import exercise_of
from course.lessons import Lesson, built_before, cell_of, definition, lesson, lessons
from course.widgets.assets import read
from course.widgets.picture import facts_html

__all__ = [
    "ANSWERS",
    "ARENA",
    "FOLDER",
    "GENERAL",
    "HINTS",
    "Answer",
    "CheckFailed",
    "Lesson",
    "NoAnswer",
    "Seeded",
    "built_before",
    "cell_of",
    "definition",
    "digests",
    "drawn",
    "drawn_style",
    "duel",
    "exercise_of",
    "exercises_of",
    "files_in_jail",
    "files_of_checks",
    "has_printed",
    "is_lesson",
    "is_mistake",
    "is_silenced",
    "lesson",
    "lesson_order",
    "lessons",
    "more_seen",
    "observe",
    "rules",
    "silenced",
    "title_of",
]

FOLDER = Path(course.__file__).parent
HINTS = Path(course.hints.__file__).parent / "tables"

# Where the agents of a tournament run; no assignment can have this name.
ARENA = "<arena>"

# Threads that parse at the same time disturb each other in Python 3.11 and 3.12.
_PARSING = threading.Lock()

_WITHHELD = ("rules", "hints", "lessons", "widgets", "games", "duel")
_FOR_CHECKS = ("cases", "checks", "duel", "games", "hints", "match", "rules")
_ALWAYS = ("DIRECTIONS",)
_OFFERED = ("course.checks", "course.mine.add_to")


def is_lesson(assignment: str) -> bool:
    """Whether an assignment is a lesson of this course."""
    return any(entry.id == assignment for entry in lessons())


def lesson_order() -> list[str]:
    """The ids of the lessons of this course, in order."""
    return [entry.id for entry in lessons()]


def exercises_of(assignment: str) -> frozenset[str]:
    """The names that a lesson asks the learner to define; none for any other assignment."""
    if not is_lesson(assignment):
        return frozenset()
    return frozenset(exercise.name for exercise in lesson(assignment).exercises)


def title_of(assignment: str) -> str:
    """What people call an assignment."""
    return lesson(assignment).title if is_lesson(assignment) else assignment


def drawn(message: str, call: str, arguments: Sequence[Any]) -> str:
    """The lines and boards in the message of a failed check, as HTML; empty where there are none.

    It needs `drawn_style` once in its page.
    """
    return facts_html(message, call, arguments)


def drawn_style() -> str:
    """The style of what is drawn."""
    return read("picture.css")


def is_silenced(name: str) -> bool:
    """Whether a name of `course` is there to be seen, where nobody is there to see it."""
    return course.HOMES.get(name, "course.checks") != "course.checks"


def silenced(name: str) -> Any:
    """What a test cell gets that imports a name from `course`."""
    return _nothing if is_silenced(name) else getattr(course, name)


def _nothing(*_arguments: Any, **_options: Any) -> None:
    """Nobody is here to see it."""


def files_in_jail(assignment: str) -> dict[str, Path | str]:
    """The package `course` as the jail of a lesson offers it, without any answer.

    Each file is one of the course's own, or the text of a part of one. It has `check`, `add_to`,
    and the rules that earlier lessons built; where agents play, all rules, and what belongs to the
    duel. Raises `ValueError` if there is no such lesson.
    """
    with _PARSING:
        if assignment == ARENA:
            return _modules() | _room("rules") | _room("duel")
        names = (*_ALWAYS, *built_before(assignment))
        offered = select("course.rules", Path(rules.__file__).parent, names)
        return _modules() | {f"rules/{name}": text for name, text in offered.items()}


def files_of_checks() -> dict[str, Path | str]:
    """The package `course` as checks and hints need it, answers and all."""
    found = _modules() | {path.name: path for path in FOLDER.glob("[!_]*.*")}
    for name in _FOR_CHECKS:
        files = [*(FOLDER / name).rglob("*.py"), *(FOLDER / name).rglob("*.json")]
        found |= {str(path.relative_to(FOLDER)): path for path in files}
    return found


def is_mistake(name: str) -> bool:
    """Whether a known mistake, or a general one, has that id."""
    return name in _mistakes()


@cache
def _mistakes() -> frozenset[str]:
    tables = (json.loads(path.read_text("utf-8")) for path in HINTS.glob("*.json"))
    return frozenset(entry["id"] for table in tables for entry in table["known"])


def _room(name: str) -> dict[str, Path | str]:
    """All files of a room of `course`."""
    return {f"{name}/{path.name}": path for path in (FOLDER / name).glob("*.py")}


@cache
def _modules() -> dict[str, Path | str]:
    """The modules of what is offered, and those of `course` that it can not do without."""
    found: dict[str, Path | str] = {}
    missing = list(_OFFERED)
    asked = set(missing)
    while missing:
        path = _file_of(missing.pop())
        text = path.read_text("utf-8")
        found[str(path.relative_to(FOLDER))] = path
        missing += sorted(_imports(text) - asked)
        asked |= _imports(text)
    return found


def _file_of(module: str) -> Path:
    place = FOLDER.joinpath(*module.split(".")[1:])
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")


def _imports(text: str) -> set[str]:
    """The modules of `course` that a module needs at once, without those that are withheld."""
    modules = {node.module for node in ast.parse(text).body if isinstance(node, ast.ImportFrom)}
    names = {module for module in modules if module and module.startswith("course.")}
    return {name for name in names if name.split(".")[1] not in _WITHHELD}
