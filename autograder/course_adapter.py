"""This course's lessons, rules and checks, for the other modules of the grader.

Only this module, which offers them what it imports, and the modules that run inside the jail import
`course`. An assignment that is not a lesson of this course just has no exercises here.
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
from course.hints.mistakes import DIGESTS, Program, general, is_mistake, probes_of
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

# Threads that parse at the same time disturb each other in Python 3.11 and 3.12.
_PARSING = threading.Lock()

_WITHHELD = ("rules", "hints", "lessons", "widgets", "games", "playing")
_FOR_CHECKS = ("cases", "checks", "exercises", "games", "hints", "playing", "rules")
_KINDS = ("py", "json", "toml")
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
    exercises = lesson(assignment).exercises if is_lesson(assignment) else ()
    return frozenset(exercise.name for exercise in exercises)


def title_of(assignment: str) -> str:
    """Return the title of a lesson, or the id of an assignment that is not a lesson."""
    return lesson(assignment).title if is_lesson(assignment) else assignment


def drawn_style() -> str:
    """Return the style sheet for the pictures that `drawn` makes."""
    return read("tiles.css")


def is_silenced(name: str) -> bool:
    """Return true if a name of `course` is of use to a learner only, so it does nothing here."""
    return HOMES.get(name, "course.checks") != "course.checks"


def silenced(name: str) -> Any:
    """Return what a test cell gets when it imports a name from `course`, silenced or real."""
    return _nothing if is_silenced(name) else getattr(course, name)


def _nothing(*_arguments: Any, **_options: Any) -> None:
    """Do nothing, in place of a function whose effect only a learner would see."""


def files_in_jail(assignment: str) -> dict[str, Path | str]:
    """Return the files of the package `course` for the jail of a lesson, without its answers.

    They are a dictionary: path in the package → path of a file, or text of a new one. The package
    has `check`, `add_to`, and the functions that learners built in earlier lessons; for an
    assignment of another course, none; for `ARENA`, all of `course.rules` and `course.playing`.
    """
    with _PARSING:
        if assignment == ARENA:
            return _modules() | _room("rules") | _room("playing")
        names = (*_ALWAYS, *(built_before(assignment) if is_lesson(assignment) else ()))
        return _modules() | {f"rules/{name}": text for name, text in _rules_of(names).items()}


def files_of_checks() -> dict[str, Path | str]:
    """Return the files of the package `course` that checks and hints need, with all answers."""
    found = _modules() | {path.name: path for path in FOLDER.glob("[!_]*.*")}
    for name in _FOR_CHECKS:
        files = [path for kind in _KINDS for path in (FOLDER / name).rglob(f"*.{kind}")]
        found |= {str(path.relative_to(FOLDER)): path for path in files}
    return found


def _room(name: str) -> dict[str, Path | str]:
    """Return the Python files of one folder of `course`: path in the package → path on disk."""
    return {f"{name}/{path.name}": path for path in (FOLDER / name).glob("*.py")}


@cache
def _modules() -> dict[str, Path | str]:
    """Return the files of the modules in `_OFFERED`, and of all that they need at their top level.

    The keys are paths in the package `course`. Modules in the folders in `_WITHHELD` are left out.
    """
    found: dict[str, Path | str] = {}
    names = list(_OFFERED)
    for module in names:  # it grows
        place = FOLDER.joinpath(*module.split(".")[1:])
        path = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
        found[str(path.relative_to(FOLDER))] = path
        for node in ast.parse(path.read_text("utf-8")).body:
            name = (isinstance(node, ast.ImportFrom) and node.module) or ""
            is_own = name.startswith("course.") and name.split(".")[1] not in _WITHHELD
            if is_own and name not in names:
                names.append(name)
    return found


class _Module:
    """One file of `course.rules`: dictionaries from names to the statements that define them."""

    def __init__(self, path: Path) -> None:
        self.definitions: dict[str, ast.stmt] = {}
        self.imports: dict[str, tuple[str, str]] = {}  # from other rules: (module, name)
        self.foreign: dict[str, ast.stmt] = {}  # all other imports
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(_RULES):
                home = (node.module or "").removeprefix(_RULES)
                for alias in node.names:
                    self.imports[alias.asname or alias.name] = (home, alias.name)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                for alias in node.names:
                    self.foreign[(alias.asname or alias.name).partition(".")[0]] = node
            elif isinstance(node, ast.FunctionDef | ast.ClassDef):
                self.definitions[node.name] = node
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                self.definitions |= dict.fromkeys(_names(node, is_stored=True), node)


@cache
def _rules_of(names: tuple[str, ...]) -> dict[str, str]:
    """Return the files of a smaller `course.rules` that exports only `names`: file name → text.

    Its modules have the definitions of these names, and all other definitions that they need.
    """
    modules = {path.stem: _Module(path) for path in Path(rules.__file__).parent.glob("*.py")}
    offered = modules["__init__"].imports
    needed: dict[str, set[str]] = {}
    imports: dict[str, dict[str, None]] = {}  # lines, each once
    waiting = [offered[name] for name in names]
    while waiting:
        home, name = waiting.pop()
        if name in needed.setdefault(home, set()):
            continue
        needed[home].add(name)
        module, lines = modules[home], imports.setdefault(home, {})
        for used in sorted(_names(module.definitions[name], is_stored=False)):
            if used in module.definitions:
                waiting.append((home, used))
            elif used in module.imports:
                waiting.append(module.imports[used])
                other, original = module.imports[used]
                lines[f"from {_RULES}{other} import {original} as {used}"] = None
            elif used in module.foreign:
                lines[ast.unparse(module.foreign[used])] = None
    files = {}
    for home, found in needed.items():
        definitions = modules[home].definitions.items()
        nodes = {id(node): node for name, node in definitions if name in found}
        parts = [*imports[home], *map(ast.unparse, nodes.values())]
        files[f"{home}.py"] = "\n\n\n".join(parts) + "\n"
    links = [f"from {_RULES}{offered[name][0]} import {name}" for name in names]
    files["__init__.py"] = "\n".join([*links, f"__all__ = {sorted(names)!r}", ""])
    return files


def _names(node: ast.stmt, is_stored: bool) -> set[str]:
    names = (part for part in ast.walk(node) if isinstance(part, ast.Name))
    return {part.id for part in names if isinstance(part.ctx, ast.Store) is is_stored}
