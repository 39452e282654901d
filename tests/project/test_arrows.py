"""Imports point one way: there are no circles, and some rooms may not import others."""

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
    """Return the Python files below a folder, by the names of their modules."""
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


def each(folder: str) -> list[object]:
    return [pytest.param(path, id=name) for name, path in files(folder).items()]


def graph(rooms: bool) -> dict[str, set[str]]:
    """Return, for each module, the modules that it imports.

    With `rooms`, return for each room the other rooms from which it imports.
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


@pytest.mark.parametrize("path", each("course"))
def test_the_course_never_imports_the_autograder(path: Path):
    assert not [name for name in imported(path) if name.split(".")[0] == "autograder"]


@pytest.mark.parametrize("path", each("course/rules"))
def test_the_rules_import_only_rules_and_touch_no_disk_and_no_clock(path: Path):
    names = imported(path)
    assert not [name for name in names if name.startswith("course.") and "rules" not in name]
    assert not names & IMPURE


@pytest.mark.parametrize("path", [*each("course/playing"), *each("course/steps")])
def test_matches_and_steps_know_no_browser(path: Path):
    outside = {"anywidget", "ipywidgets", "traitlets", "course.widgets"}
    assert not [n for n in imported(path) if {n.split(".")[0], room(n)} & outside]


@pytest.mark.parametrize("path", each("autograder"))
def test_only_the_gradebook_and_what_nbgrader_is_given_know_nbgrader(path: Path):
    knows = any(name.split(".")[0] == "nbgrader" for name in imported(path))
    assert not knows or room(_name(path)) in ("autograder.gradebook", "autograder.autograde")


@pytest.mark.parametrize("path", each("autograder"))
def test_only_one_file_of_the_grader_knows_this_course(path: Path):
    knows = any(name.split(".")[0] == "course" for name in imported(path))
    assert not knows or _name(path) == "autograder.course_adapter"
