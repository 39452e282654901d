"""Each class and each file of the product has a name of its own, and no name is a riddle."""

import ast
import re
from collections import defaultdict
from pathlib import PurePath

import pytest

from autograder.course_adapter import ROOT
from tests.project.conftest import tracked

# Files that many rooms (folders of the product) have.
ROOMS = {"__init__.py", "__main__.py", "README.md"}
# It is for the jail alone.
TWINS = {"autograder/jail/inside/course_stub/hints.py"}
# Words that do not tell a newcomer what a name is for.
RIDDLES = {"known", "blind", "forgetful", "ours", "theirs", "needs", "taint", "fitness", "whose"}
RIDDLES |= {"ahead", "contest"}
STANDARD = {"LookAheadAgent", "needs_manual_grade"}  # terms of games, and of nbgrader


def product() -> list[PurePath]:
    """Return the files of the course and the grader, without those in `TWINS`."""
    return sorted(map(PurePath, set(tracked("course", "autograder")) - TWINS))


def defined() -> dict[str, list[str]]:
    """Return, for each class or function at the top level, the files that define it."""
    found = defaultdict(list)
    for path in product():
        if path.suffix == ".py":
            for node in ast.parse((ROOT / path).read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef | ast.FunctionDef):
                    found[node.name].append(str(path))
    return found


def test_a_file_name_means_one_file():
    found = defaultdict(list)
    for path in product():
        if path.name not in ROOMS:
            found[path.name].append(str(path))
    assert [files for files in found.values() if len(files) > 1] == []


def test_a_class_name_means_one_class():
    classes = {name: files for name, files in defined().items() if re.match("[A-Z]", name)}
    assert {name: files for name, files in classes.items() if len(files) > 1} == {}


@pytest.mark.parametrize("kind", ["files", "definitions"])
def test_no_name_is_a_riddle(kind: str):
    names = {path.stem for path in product()} if kind == "files" else set(defined()) - STANDARD
    words = {name: set(re.split(r"_|(?=[A-Z])", name)) for name in names}
    found = {name for name, parts in words.items() if {part.lower() for part in parts} & RIDDLES}
    assert found == set()
