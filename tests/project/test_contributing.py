"""The recipes of CONTRIBUTING.md, carried out word for word in a copy of the tree."""

import json
import re
import sys
import textwrap
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell

from autograder.course_adapter import ROOT
from tests.project import conftest
from tests.project.conftest import AS_IT_IS, copy_project

LESSON = "4-game-over"
NOTEBOOK = f"source/{LESSON}/game-over.ipynb"
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^(?P<indent> *)```(?P<kind>\w+)\n(?P<text>.*?)^(?P=indent)```$", re.M | re.S)
PLACE = re.compile(r"`((?:course|source)/[\w./-]+\.(?:py|toml|ipynb))`")
# `make test` takes minutes. So only these of its tests are run, which know how many exercises and
# checks there are.
TESTS = ["tests/lessons", "tests/course/test_lessons.py", "tests/course/mine/test_own_or_course.py"]
TESTS += ["tests/course/widgets/test_progress.py", "tests/course/rules", "course/rules"]
TESTS += ["tests/course/widgets/below_cells/test_check_marks.py"]
QUICK = "not deep and not slow and not browser"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a folder with a copy of all files of the project."""
    return copy_project(tmp_path)


def run(tree: Path, *command: str) -> str:
    """Run a command in the tree, and return what it prints; fail if its status is not 0."""
    done = conftest.run(*command, folder=tree, PYTHONPATH=str(tree))
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
    return done.stdout


def follow(tree: Path, recipe: str) -> set[str]:
    """Carry out a section of CONTRIBUTING.md; return the files that a reader changes by hand.

    Each block of code goes into the file that the text before the block names last. The lines of an
    `sh` block are run as commands.
    """
    section = GUIDE.partition(f"\n## {recipe}\n")[2].partition("\n## ")[0]
    touched = set()
    for block in BLOCK.finditer(section):
        before, text = section[: block.start()], textwrap.dedent(block["text"])
        if block["kind"] == "sh":
            for command in text.splitlines():
                make(tree, command)
            continue
        place = PLACE.findall(before)[-1]
        touched.add(place)
        path = tree / place
        if path.suffix == ".ipynb":
            following = re.findall("before the cell `([^`]+)`", before)[-1]
            after = section[block.end() :].partition("```")[0]
            worth = re.search(r"(\d+) points?", before.rpartition("```")[2] + after)
            insert_cell(path, text.rstrip(), following, int(worth[1]) if worth else 0)
        elif block["kind"] == "diff":
            lines, whole = text.splitlines(), path.read_text(encoding="utf-8")
            old, new = ("\n".join(n[1:] for n in lines if n[0] in sign) for sign in (" -", " +"))
            assert whole.count(old) == 1, old
            path.write_text(whole.replace(old, new), encoding="utf-8")
        else:
            there = path.read_text(encoding="utf-8") if path.exists() else ""
            gap = "\n" * (1 + (path.suffix == ".py")) if there else ""
            path.write_text(f"{there}{gap}{text}", encoding="utf-8")
    return touched


def make(tree: Path, command: str) -> None:
    if command == "make test":
        run(tree, sys.executable, "-m", "pytest", "-q", "-n", "2", "-m", QUICK, *TESTS)
    else:
        run(tree, *command.split(), *AS_IT_IS)


def insert_cell(path: Path, source: str, following: str, points: int) -> None:
    """Insert a cell above the cell `following`, marked as nbgrader's Create Assignment does."""
    notebook = nbformat.read(path, as_version=4)
    is_solution = "### BEGIN SOLUTION" in source
    [name] = re.findall(r"\Adef (\w+)" if is_solution else r"\A# ([\w-]+): ", source)
    marks = {"grade_id": name, "solution": is_solution, "grade": not is_solution}
    marks |= {"locked": not is_solution, "schema_version": 3, "task": False}
    marks |= {} if is_solution else {"points": points}
    place = [cell.id for cell in notebook.cells].index(following)
    notebook.cells.insert(place, new_code_cell(source, metadata={"nbgrader": marks}))
    nbformat.write(notebook, path)


def points(tree: Path, cell: str = "", program: str = "") -> dict[str, float]:
    """Return the points of the answer key, by check; `program` replaces its cell `cell`, if any."""
    notebook = nbformat.read(tree / NOTEBOOK, as_version=4)
    for one in notebook.cells:
        one.source = program if one.id == cell else one.source
    path = tree / "handed-in.ipynb"
    nbformat.write(notebook, path)
    command = [sys.executable, "-m", "autograder", "check", path.name, "--lesson", LESSON, "--json"]
    said = json.loads(run(tree, *command))
    return {check["id"]: check["points"] for check in said["checks"]}


@pytest.mark.deep
def test_a_check_is_added_in_two_files(tree: Path):
    assert len(follow(tree, "Add a check")) == 2
    assert points(tree)["pair-of-big-tiles"] == 1
    wrong = "def has_pair(line):\n    return [2, 2] == line[:2]"
    assert points(tree, "has_pair", wrong)["pair-of-big-tiles"] == 0


@pytest.mark.deep
def test_an_exercise_is_added_in_four_files(tree: Path):
    assert len(follow(tree, "Add an exercise")) == 4
    assert points(tree)["largest-anywhere"] == 2
    wrong = "def largest_tile(board):\n    return board[0][0]"
    assert points(tree, "largest_tile", wrong)["largest-anywhere"] == 0
    later = tree / "source/5-points-and-objects/points-and-objects.ipynb"
    assert "is_over, has_won, largest_tile," in later.read_text(encoding="utf-8")
    digests = (tree / "course/hints/digests.json").read_text(encoding="utf-8")
    assert "largest-of-first-row" in digests


@pytest.mark.deep
def test_a_known_mistake_is_added_in_one_file(tree: Path):
    assert len(follow(tree, "Add a known mistake")) == 1
    losses = json.loads((tree / "course/exercises/lost-checks.json").read_text("utf-8"))
    assert losses["has_pair"]["pair-of-twos-only"][0] == "pair-found"
