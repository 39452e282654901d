"""Arrows point one way: what may import what."""

import ast
from pathlib import Path

import pytest

from autograder.release import ROOT

KNOW_NBGRADER = {"gradebook.py", "coursefolder.py", "preprocessor.py"}
IMPURE = {"os", "pathlib", "time", "datetime", "io", "sys", "subprocess", "socket"}


def imported(path: Path) -> set[str]:
    """The modules that a file imports, by their full names."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return plain | {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}


def files(folder: str) -> list[object]:
    found = sorted((ROOT / folder).rglob("*.py"))
    return [pytest.param(path, id=str(path.relative_to(ROOT))) for path in found]


@pytest.mark.parametrize("path", files("course"))
def test_the_course_never_imports_the_autograder(path: Path):
    assert not [name for name in imported(path) if name.split(".")[0] == "autograder"]


@pytest.mark.parametrize("path", files("course/rules"))
def test_the_rules_import_only_rules_and_touch_no_disk_and_no_clock(path: Path):
    names = imported(path)
    assert not [name for name in names if name.startswith("course.") and "rules" not in name]
    assert not names & IMPURE


@pytest.mark.parametrize("path", files("autograder"))
def test_only_three_files_know_nbgrader(path: Path):
    knows = any(name.split(".")[0] == "nbgrader" for name in imported(path))
    assert not knows or path.name in KNOW_NBGRADER or "hostile" in path.parts
