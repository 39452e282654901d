"""This course's lessons, rules and checks, for the other modules of the grader.

The other modules import from here what they need of `course`. Apart from this module, only modules
that run inside the jail import `course`. An assignment of another course has no exercises, so
`exercises_of` returns no names for it.
"""

# ruff: noqa: F401
# mypy: implicit-reexport

import ast
import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import course
from course import HOMES, playing, rules
from course.cases import asked_for, precompute
from course.checks import CheckFailed
from course.function_calls import Answer, Made, NoAnswer, Seeded, without_chance
from course.hints.diagnosis import diagnosis_of, exercise_of
from course.hints.fact_comparison import digests
from course.hints.mistakes import DIGESTS, TEXTS, Diagnosis, Program, general, is_mistake, probes_of
from course.hints.observe import observe
from course.lessons import (
    AUTHORED,
    Exercise,
    Lesson,
    built_before,
    cell_of,
    definition,
    lesson,
    lessons,
)
from course.widgets.failure_picture import LABELS as FACT_LABELS
from course.widgets.failure_picture import facts_html as drawn
from course.widgets.static_html import read

ROOT = Path(__file__).parents[1]
FOLDER = Path(course.__file__).parent

# The lesson id of the jails in which a tournament runs; no assignment can have this name.
ARENA = "<arena>"

# Threads that call `ast.parse` at the same time disturb each other in Python 3.11 and 3.12.
_PARSING = threading.Lock()

_WITHHELD = ("rules", "hints", "lessons", "widgets", "games", "playing")
_FOR_CHECKS = ("cases", "checks", "exercises", "games", "hints", "playing", "rules")
_ALWAYS = ("DIRECTIONS",)
_RULES = "course.rules."
_OFFERED = ("course.checks", "course.mine.add_to_class")


def is_lesson(assignment: str) -> bool:
    """Return true if an assignment is a lesson of this course."""
    return assignment in lesson_order()


def lesson_order() -> list[str]:
    """Return the ids of the lessons of this course, in order."""
    return [entry.id for entry in lessons()]


def exercises_of(assignment: str) -> frozenset[str]:
    """Return the names that a lesson asks the learner to define; none for other assignments."""
    named = [entry for entry in lessons() if entry.id == assignment]
    return frozenset(exercise.name for entry in named for exercise in entry.exercises)


def title_of(assignment: str) -> str:
    """Return the title of a lesson, or the id of an assignment that is not a lesson."""
    return lesson(assignment).title if is_lesson(assignment) else assignment


def drawn_style() -> str:
    """Return the style sheet (CSS) for the pictures of failed checks that `drawn` makes."""
    return read("tiles.css")


def is_silenced(name: str) -> bool:
    """Return true if a name that `course` exports is only for learners, and not for tests.

    A test cell that imports such a name gets `_nothing` instead.
    """
    return HOMES.get(name, "course.checks") != "course.checks"


def silenced(name: str) -> Any:
    """Return what a test cell gets when it imports a name from `course`; it may be `_nothing`."""
    return _nothing if is_silenced(name) else getattr(course, name)


def _nothing(*_arguments: Any, **_options: Any) -> None:
    """Do nothing, in place of a function with an effect that only a learner would see."""


def files_in_jail(assignment: str) -> dict[str, Path | str]:
    """Return the files of the package `course` for an assignment's jail, without the answers.

    The keys of the dictionary are paths in the package. A value is the path of a file to be copied,
    or the text of a file to be made. The package has `check`, `add_to` and, for a lesson of this
    course, the functions that learners built in earlier lessons. For `ARENA`, a tournament's jail,
    it has all of `course.rules` and `course.playing`.
    """
    with _PARSING:
        if assignment == ARENA:
            return _modules() | _room("rules", "py") | _room("playing", "py")
        names = (*_ALWAYS, *(built_before(assignment) if is_lesson(assignment) else ()))
        return _modules() | {f"rules/{name}": text for name, text in _rules_of(names).items()}


def files_of_checks() -> dict[str, Path | str]:
    """Return a dictionary from paths in the package `course` to paths of files.

    The files are those that checks and hints need, with all answers.
    """
    found = _modules() | {path.name: path for path in FOLDER.glob("[!_]*.*")}
    for name in _FOR_CHECKS:
        found |= _room(name, "py", "json", "toml")
    return found


def _room(name: str, *kinds: str) -> dict[str, Path | str]:
    """Return a dictionary from paths in the package `course` to paths of files.

    The files are those below the folder `name` that have an ending in `kinds`, such as `py`.
    """
    files = [path for kind in kinds for path in (FOLDER / name).rglob(f"*.{kind}")]
    return {str(path.relative_to(FOLDER)): path for path in files}


@cache
def _modules() -> dict[str, Path | str]:
    """Return a dictionary from paths in the package `course` to paths of files.

    The files are those of the modules in `_OFFERED`, and of all modules of `course` that these
    import, except those in `_WITHHELD`.
    """
    found: dict[str, Path | str] = {}
    names = list(_OFFERED)
    for module in names:  # the loop appends to this list
        place = FOLDER.joinpath(*module.split(".")[1:])
        path = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
        found[str(path.relative_to(FOLDER))] = path
        for node in ast.parse(path.read_text("utf-8")).body:
            name = (isinstance(node, ast.ImportFrom) and node.module) or ""
            is_own = name.startswith("course.") and name.split(".")[1] not in _WITHHELD
            if is_own and name not in names:
                names.append(name)
    return found


@cache
def _rules_of(names: tuple[str, ...]) -> dict[str, str]:
    """Return a dictionary from the names of files to their texts: a smaller `course.rules`.

    This package exports only `names`. Its files have only the statements that define these names,
    and all other statements that these statements need.
    """
    statements: dict[tuple[str, str], ast.stmt] = {}  # (module, name) → statement
    for path in Path(rules.__file__).parent.glob("*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            defined: dict[str, ast.stmt] = {}
            if isinstance(node, ast.Import):
                defined = {(one.asname or one.name).partition(".")[0]: node for one in node.names}
            elif isinstance(node, ast.ImportFrom):
                alone = ((one, ast.ImportFrom(node.module, [one], 0)) for one in node.names)
                defined = {one.asname or one.name: each for one, each in alone}
            elif isinstance(node, ast.FunctionDef | ast.ClassDef):
                defined = {node.name: node}
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                defined = dict.fromkeys(_names(node, is_stored=True), node)
            statements |= {(path.stem, name): each for name, each in defined.items()}
    needed = dict.fromkeys(("__init__", name) for name in names)
    waiting = list(needed)
    for module, name in waiting:  # the loop appends to this list
        node = statements[module, name]
        uses = [(module, used) for used in _names(node, is_stored=False)]
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(_RULES):
            uses = [((node.module or "").removeprefix(_RULES), node.names[0].name)]
        new = [use for use in uses if use in statements and use not in needed]
        needed |= dict.fromkeys(new)
        waiting += new
    texts: dict[str, dict[str, None]] = {}  # each statement once
    for module, name in statements:
        if (module, name) in needed:
            text = ast.unparse(statements[module, name])
            texts.setdefault(f"{module}.py", {})[text] = None
    texts["__init__.py"][f"__all__ = {sorted(names)!r}"] = None
    return {file: "\n\n\n".join(parts) + "\n" for file, parts in texts.items()}


def _names(node: ast.stmt, is_stored: bool) -> set[str]:
    names = (part for part in ast.walk(node) if isinstance(part, ast.Name))
    return {part.id for part in names if isinstance(part.ctx, ast.Store) is is_stored}
