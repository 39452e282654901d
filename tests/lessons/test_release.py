"""The learners' copies in `release/` are up to date, with no solution and no hidden test."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from autograder.course_adapter import ROOT
from autograder.gradebook.release import generate, write_released
from course.lessons import Lesson, lessons


def contents(folder: Path) -> dict[str, bytes]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.mark.deep
def test_release_is_what_regenerating_gives(tmp_path: Path):
    generate(tmp_path / "release")
    assert contents(tmp_path / "release") == contents(ROOT / "release")


def test_the_course_knows_the_checks_and_stubs_of_the_release(tmp_path: Path):
    write_released(ROOT / "release", tmp_path / "released.json")
    kept = ROOT / "course" / "mine" / "released.json"
    assert kept.read_text("utf-8") == (tmp_path / "released.json").read_text("utf-8")


def test_text_is_read_only_and_the_learners_cells_are_open(lesson: Lesson):
    notebook = nbformat.read(ROOT / "release" / lesson.id / lesson.notebook, as_version=4)
    text = [cell for cell in notebook.cells if cell.cell_type == "markdown"]
    assert {cell.metadata.get("editable") for cell in text} == {False}
    own = [cell for cell in notebook.cells if cell.id in {one.cell for one in lesson.exercises}]
    assert {cell.metadata.get("editable", True) for cell in own} == {True}


def test_no_solution_and_no_hidden_test_is_in_the_release(lesson: Lesson, master: NotebookNode):
    released = (ROOT / "release" / lesson.id / lesson.notebook).read_text(encoding="utf-8")
    notebook = nbformat.reads(released, as_version=4)
    lines = {line.strip() for cell in notebook.cells for line in cell.source.splitlines()}
    secret = [line for cell in master.cells for line in secret_lines(cell.source)]
    told = {line.strip() for cell in master.cells for line in public_lines(cell.source)}
    assert "SOLUTION" not in released
    assert "HIDDEN TESTS" not in released
    assert [line for line in secret if line in lines - told] == []


def secret_lines(source: str) -> list[str]:
    """Return the lines between `### BEGIN …` and `### END …`."""
    regions = re.findall(r"### BEGIN [A-Z ]+\n(.*?)### END", source, flags=re.DOTALL)
    return [line.strip() for region in regions for line in region.splitlines() if line.strip()]


def public_lines(source: str) -> list[str]:
    """Return the lines that are not between `### BEGIN …` and `### END …`."""
    return re.sub(r"### BEGIN.*?### END [A-Z ]+", "", source, flags=re.DOTALL).splitlines()


# One process validates all notebooks, because nbgrader takes longer to start than to validate one.
VALIDATING = """
import json, sys
from nbgrader.validator import Validator
said = {path: Validator().validate(path) for path in sys.argv[1:]}
print(json.dumps({path: sum(map(len, found.values())) for path, found in said.items()}))
"""


@pytest.mark.deep
def test_nbgrader_validates_every_master(tmp_path: Path):
    """Run what nbgrader's Validate button runs, and expect no failed cell."""
    shutil.copytree(ROOT / "source", tmp_path / "source")
    paths = [tmp_path / "source" / lesson.id / lesson.notebook for lesson in lessons()]
    run = subprocess.run(
        [sys.executable, "-c", VALIDATING, *paths], capture_output=True, text=True, check=True
    )
    counts = json.loads(run.stdout.splitlines()[-1])
    assert counts == {str(path): 0 for path in paths}
