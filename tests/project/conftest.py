"""Helpers: list the project's files, run commands, install the wheel in a new environment."""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import distribution, requires
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

import pytest
from hatchling.builders.wheel import WheelBuilder
from packaging.requirements import Requirement

from autograder.course_adapter import ROOT
from tests.browser.servers import jupyter_folders

PROGRAMS = Path(sys.executable).parent
# Arguments for `make`, so that it does not build a new environment.
AS_IT_IS = ["--assume-old=.venv/for-everyone", f"BIN={PROGRAMS}"]

QUIET: dict[str, Any] = {"capture_output": True, "text": True, "check": False}
Done = subprocess.CompletedProcess[str]


def tracked(*where: str) -> list[str]:
    """Return the paths of all files of the project, new ones too, or only of those in `where`."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *where]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in names.split("\0") if (ROOT / name).is_file()]


def run(*command: str | Path, folder: Path = ROOT, **variables: str) -> Done:
    """Run a command in a folder, with more environment variables; return its status and output."""
    return subprocess.run(command, cwd=folder, env={**os.environ, **variables}, **QUIET)


@dataclass(frozen=True)
class Installed:
    """An environment into which the wheel was installed; `packages` is its site-packages."""

    packages: Path
    programs: Path
    home: Path

    @property
    def python(self) -> Path:
        return self.programs / "python"

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables for a program that must find nothing of this checkout."""
        left_out = re.compile("PYTHON|VIRTUAL_ENV|JUPYTER|NBGRADER|COLUMNS")
        variables = {name: each for name, each in os.environ.items() if not left_out.match(name)}
        return {
            **variables,
            **jupyter_folders(self.home),
            "PATH": f"{self.programs}{os.pathsep}{os.environ['PATH']}",
            "NO_BROWSER": "1",
        }

    def run(self, folder: Path, *command: str | Path) -> Done:
        """Run a command in a folder; programs of this environment are found before all others."""
        return subprocess.run(command, cwd=folder, env=self.environment, **QUIET)


def copy_project(folder: Path) -> Path:
    for name in tracked():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    return folder


def brought_by(asked: Requirement, found: set[str]) -> set[str]:
    """Add to `found` the names of all packages that a requirement needs; return `found`."""
    mark = f"{canonical(asked.name)}[{','.join(sorted(asked.extras))}]"
    if mark in found:
        return found
    found |= {mark, canonical(asked.name)}
    for line in requires(asked.name) or ():
        needed = Requirement(line)
        extras = asked.extras or {""}
        if not needed.marker or any(needed.marker.evaluate({"extra": extra}) for extra in extras):
            brought_by(needed, found)
    return found


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def put(file: Path, place: Path) -> None:
    """Link or copy a file of this environment into another one, which must not write to it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    if not place.exists():
        try:
            os.link(file, place)
        except OSError:  # another disk
            shutil.copy2(file, place)


def install_all(asked: str, packages: Path) -> None:
    """Put all packages that a requirement of this project needs into another environment.

    pip would fetch these packages. Here they come from this environment.
    """
    for name in sorted(brought_by(Requirement(asked), set()) - {"course-2048"}):
        if "[" not in name:
            install(name, packages)


def install(name: str, packages: Path) -> None:
    """Put a package that is installed here into another environment, with its programs."""
    parts = distribution(name)
    for listed in parts.files or ():
        file, place = Path(str(listed.locate())), packages / listed
        if file.is_file() and "bin" not in listed.parts[:-1]:
            put(file, place)
            if file.suffix == ".py" and Path(cache_from_source(file)).is_file():
                put(Path(cache_from_source(file)), Path(cache_from_source(place)))
    programs = packages.parents[2] / "bin"
    for entry in parts.entry_points.select(group="console_scripts"):
        text = f"import sys\nfrom {entry.module} import {entry.attr}\nsys.exit({entry.attr}())\n"
        (programs / entry.name).write_text(f"#!{programs / 'python'}\n{text}")
        (programs / entry.name).chmod(0o755)


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Install the wheel with all that its extras `lab` and `grader` ask for, and nothing else."""
    home = tmp_path_factory.mktemp("installed")
    new = environment(sys.executable, home)
    install_all("course-2048[lab,grader]", new.packages)
    pip(new, "--no-deps", "--no-index", wheel(home))
    return new


def from_registry(python: str, home: Path) -> Installed:
    """Have pip install the wheel and its extras `lab` and `grader` for the Python at `python`."""
    new = environment(python, home)
    pip(new, "--constraint", str(ROOT / "constraints.txt"), f"{wheel(home)}[lab,grader]")
    return new


def environment(python: str, home: Path) -> Installed:
    subprocess.run([python, "-m", "venv", "--without-pip", home / "venv"], check=True)
    [packages] = home.glob("venv/lib/python*/site-packages")
    return Installed(packages, home / "venv" / "bin", home)


def wheel(folder: Path) -> str:
    return next(WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"]))


def pip(new: Installed, *arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--python", new.python, "install", "-q", "--no-compile"]
    subprocess.run([*command, *arguments], cwd=ROOT, check=True)
