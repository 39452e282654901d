"""The wheel has all that the programs need, so that they work without this folder."""

import re
import shlex
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from autograder.course_adapter import ROOT


def test_the_wheel_holds_every_file_of_both_packages(tmp_path: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "course", "autograder"], cwd=ROOT, capture_output=True, check=True
    )
    [wheel] = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    names = set(zipfile.ZipFile(wheel).namelist())
    assert set(listed.stdout.decode().split()) <= names
    assert any(name.endswith("/jupyter_server_config.d/course_2048.json") for name in names)
    assert not [name for name in names if name.startswith(("source", "release", "tests"))]


@pytest.mark.deep
def test_the_guides_installation_gives_a_grader_to_an_empty_environment(tmp_path: Path) -> None:
    guide = (ROOT / "autograder" / "GUIDE.md").read_text(encoding="utf-8")
    [line] = re.findall(r"^pip (install .*?) +#", guide, re.MULTILINE)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    where = [sys.executable, "-m", "pip", "--python", python]
    # from this folder alone: pip would fetch the packages that the wheel needs, as it always does
    alone = ["--no-deps", "--no-index", "--no-build-isolation", "--ignore-installed"]
    [packages] = python.parent.parent.glob("lib/python*/site-packages")
    (packages / "others.pth").write_text(sysconfig.get_path("purelib"))
    subprocess.run([*where, *shlex.split(line), *alone], cwd=ROOT, check=True)
    course = tmp_path / "course"
    course.mkdir()

    def run(*command: str) -> str:
        done = subprocess.run(
            [python.with_name("autograder"), *command],
            cwd=course,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout + done.stderr

    assert "nbgrader_config.py is written" in run("init")
    assert "run this in the course's folder" in run("verify", "ps1")
    home = "import autograder; print(autograder.__file__)"
    found = subprocess.run([python, "-c", home], cwd=course, capture_output=True, check=True)
    assert Path(found.stdout.decode()).is_relative_to(packages)
