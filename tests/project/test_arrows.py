"""Imports point one way: no circles, and some rooms (folders of code) may not import others."""

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from autograder.course_adapter import ROOT

IMPURE = {"os", "pathlib", "time", "datetime", "io", "sys", "subprocess", "socket"}
APART = {"course_stub"}  # modules that the jail has in place of the course's


@cache
def files(folder: str) -> dict[str, Path]:
    """Return the Python files below a folder: name of the module → path."""
    paths = [path for path in (ROOT / folder).rglob("*.py") if not APART & set(path.parts)]
    return {_name(path): path for path in sorted(paths)}


def _name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def imported(path: Path) -> frozenset[str]:
    """Return the full names of all modules that a file imports, at its top or in a function."""
    found: set[str] = set()
    known = {**files("course"), **files("autograder")}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            parts = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {part if part in known else node.module for part in parts}
    return frozenset(found - {_name(path)})


def room(module: str) -> str:
    """Return the room of a module: `course.playing` for everything in `course/playing/`."""
    return ".".join(module.split(".")[:2])


def importers_of(package: str, *folders: str) -> set[str]:
    """Return the modules anywhere below `folders` that import a package or a part of it."""
    modules = {name: path for folder in folders for name, path in files(folder).items()}
    return {
        name
        for name, path in modules.items()
        if any(f"{other}.".startswith(f"{package}.") for other in imported(path))
    }


def graph(rooms: bool) -> dict[str, set[str]]:
    """Return, for each module, the modules that it imports.

    If `rooms` is true, return for each room the other rooms from which it imports.
    """
    modules = {**files("course"), **files("autograder")}
    found: dict[str, set[str]] = {}
    for name, path in modules.items():
        ours = {other for other in imported(path) if other in modules}
        start = room(name) if rooms else name
        ends = {room(other) for other in ours} - {start} if rooms else ours
        found.setdefault(start, set()).update(ends)
    return found


@pytest.mark.parametrize("rooms", [False, True], ids=["files", "rooms"])
def test_there_are_no_circles(rooms: bool):
    try:
        TopologicalSorter(graph(rooms)).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(error.args[1]))


def test_the_course_never_imports_the_autograder():
    assert importers_of("autograder", "course") == set()


def test_the_rules_import_only_rules_and_touch_no_disk_and_no_clock():
    for path in files("course/rules").values():
        names = imported(path)
        assert not [name for name in names if name.startswith("course.") and "rules" not in name]
        assert not names & IMPURE


@pytest.mark.parametrize("outside", ["anywidget", "ipywidgets", "traitlets", "course.widgets"])
def test_matches_and_steps_know_no_browser(outside: str):
    assert importers_of(outside, "course/playing", "course/steps") == set()


def test_only_the_gradebook_and_what_nbgrader_is_given_know_nbgrader():
    rooms = {room(name) for name in importers_of("nbgrader", "autograder")}
    assert rooms <= {"autograder.gradebook", "autograder.autograde"}


def test_only_one_file_of_the_grader_knows_this_course():
    assert importers_of("course", "autograder") == {"autograder.course_adapter"}
