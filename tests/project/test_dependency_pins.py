"""The files that set the project up agree with each other."""

import ast
import re
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from autograder.course_adapter import ROOT
from tests.project.conftest import brought_by, canonical, run

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
ENVIRONMENT = (ROOT / "environment.yml").read_text(encoding="utf-8")


def pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").split()
    return {canonical(name): version for name, version in (line.split("==") for line in lines)}


def requirements() -> list[str]:
    """Return what the project and its extras require, but not the project's own extras."""
    extras = PROJECT["optional-dependencies"].values()
    every = [*PROJECT["dependencies"], *(line for extra in extras for line in extra)]
    return [line for line in every if not line.startswith("course-2048[")]


def test_every_requirement_is_pinned_at_a_version_that_it_asks_for():
    for asked in map(Requirement, requirements()):
        assert asked.specifier.contains(pins()[canonical(asked.name)]), asked


def test_conda_installs_the_project_with_its_python_and_its_versions():
    versions = dict(re.findall(r"^  - ([a-z]+)=([0-9.]+)$", ENVIRONMENT, flags=re.MULTILINE))
    assert PROJECT["requires-python"] == f">={versions.pop('python')}"
    assert versions.keys() >= {"jupyterlab", "ipywidgets", "nbgrader", "pytest"}
    for name, version in versions.items():
        assert (pins()[name] + ".").startswith(version + "."), name
    assert "- --constraint constraints.txt" in ENVIRONMENT
    assert re.search(r"- --editable \.\[[a-z,]+\]", ENVIRONMENT)


def test_constraints_hold_versions_and_no_addresses():
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", line) for line in text.split())


# Parts of the course that no lesson loads: for a lab, for a terminal, to build a site.
BIG = ("course/lab", "course/lite", "course/terminal", "course/__main__.py")


def imported_by_the_course() -> set[str]:
    """Return the top-level modules that lessons may load, without `course` and Python's own."""
    found = set()
    for path in (ROOT / "course").rglob("*.py"):
        if str(path.relative_to(ROOT)).startswith(BIG):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            found |= {name.partition(".")[0] for name in names}
    return found - sys.stdlib_module_names - {"course"}


def test_the_lessons_need_nothing_but_the_small_install():
    small: set[str] = set()
    for line in PROJECT["dependencies"]:
        brought_by(Requirement(line), small)
    assert {canonical(name) for name in imported_by_the_course()} <= small
    assert "jupyterlab" not in small
    assert "nbgrader" not in small


def test_make_lab_and_conda_bring_the_lab():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    extras = re.findall(r"(?:\.ci/install |--editable \.\[)([a-z,]+)", makefile + ENVIRONMENT)
    assert len(extras) == 3
    assert all("lab" in named.split(",") for named in extras)


@pytest.mark.parametrize(("module", "extra"), [("course", "lab"), ("autograder", "grader")])
def test_a_program_whose_packages_are_missing_says_how_to_install_them(
    module: str, extra: str, tmp_path: Path
):
    program = (
        "import runpy, sys; sys.modules['typer'] = None; "
        f"sys.argv = [{module!r}]; runpy.run_module({module!r}, run_name='__main__')"
    )
    done = run(sys.executable, "-c", program, folder=tmp_path)
    assert done.returncode == 1
    assert done.stderr == f"typer is missing: pip install 'course-2048[{extra}]'\n"


def test_nbgraders_configuration_says_what_the_grader_lacks_and_loads_all_the_same():
    program = (
        "import sys; sys.modules['rapidfuzz'] = None; from traitlets.config import Config; "
        "exec(open('nbgrader_config.py').read(), {'get_config': Config})"
    )
    done = run(sys.executable, "-c", program)
    assert done.returncode == 0
    said = "rapidfuzz is missing, so nothing can be graded here: pip install 'course-2048[grader]'"
    assert done.stderr == f"{said}\n"
