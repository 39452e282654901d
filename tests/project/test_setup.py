"""The files that set the project up agree with each other."""

import re
import tomllib

import pytest

from autograder.records.release import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
ENVIRONMENT = (ROOT / "environment.yml").read_text(encoding="utf-8")


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").split()
    return {canonical(name): version for name, version in (line.split("==") for line in lines)}


def requirements() -> list[str]:
    extras = PROJECT["optional-dependencies"].values()
    return [*PROJECT["dependencies"], *(line for extra in extras for line in extra)]


@pytest.mark.parametrize("requirement", requirements())
def test_every_requirement_is_pinned_at_the_version_it_asks_for_or_later(requirement: str):
    name, _, least = requirement.partition(">=")
    pinned = pins()[canonical(name)]
    parts = [int(part) for part in least.split(".")]
    assert [int(part) for part in pinned.split(".")[: len(parts)]] >= parts


@pytest.mark.parametrize("name", ["jupyterlab", "ipywidgets", "nbgrader", "pytest"])
def test_conda_names_the_same_versions_as_the_constraints(name: str):
    version = re.search(rf"^  - {name}=([0-9.]+)$", ENVIRONMENT, flags=re.MULTILINE)
    assert version is not None
    assert (pins()[name] + ".").startswith(version[1] + ".")


def test_conda_takes_a_python_that_the_project_takes():
    version = re.search(r"^  - python=([0-9.]+)$", ENVIRONMENT, flags=re.MULTILINE)
    assert version is not None
    assert PROJECT["requires-python"] == f">={version[1]}"


def test_conda_installs_the_project_by_pip_under_the_constraints():
    assert "- --constraint constraints.txt" in ENVIRONMENT
    assert re.search(r"- --editable \.\[[a-z,]+\]", ENVIRONMENT)


def test_constraints_hold_versions_and_no_addresses():
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", line) for line in text.split())
