"""The wheel has all that the programs need, so that they work without the project's folder."""

import filecmp
import os
import re
import shutil
import signal
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import nbgrader
import pytest

from autograder.course_adapter import ROOT
from tests.project.conftest import AS_IT_IS, Installed, from_registry, run, tracked, wheel
from tests.project.test_dependency_pins import PROJECT

# The course of `nbgrader quickstart`, with two students who have handed in.
QUICKSTART = Path(nbgrader.__file__).parent / "docs" / "source" / "user_guide"

PYTHON = "Programming Language :: Python :: 3."
VERSIONS = {line.rpartition(" ")[2] for line in PROJECT["classifiers"] if line.startswith(PYTHON)}


def alone(test: Any) -> Any:
    """Mark a test as `deep`, and put it into the group of tests that use the installed wheel."""
    return pytest.mark.deep(pytest.mark.xdist_group("wheel")(test))


def test_the_wheel_holds_both_packages_and_the_lessons_and_no_answer_key(tmp_path: Path) -> None:
    names = set(zipfile.ZipFile(wheel(tmp_path)).namelist())
    config = {"course/lab/jupyter_server_config.json"}
    assert set(tracked("course", "autograder")) - config <= names
    assert {f"course/{name}" for name in tracked("release")} <= names
    assert any(name.endswith("/jupyter_server_config.d/course_2048.json") for name in names)
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.startswith("course_2048-")} == {"course", "autograder"}


def test_the_changelog_opens_with_the_version_that_is_built() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## (\S+)$", changelog, re.MULTILINE)
    assert versions[0] == PROJECT["version"]
    assert len(set(versions)) == len(versions)


@pytest.mark.deep
def test_what_make_dist_builds_passes_every_check(tmp_path: Path) -> None:
    done = run("make", "dist", f"DIST={tmp_path / 'dist'}", *AS_IT_IS)
    assert done.returncode == 0, done.stdout + done.stderr
    kinds = sorted(path.suffix for path in (tmp_path / "dist").iterdir())
    assert kinds == [".gz", ".whl"]


@pytest.fixture
def elsewhere(installed: Installed, tmp_path: Path) -> Path:
    """Return an empty folder; assert that Python imports the wheel's packages in it."""
    home = "import autograder, course; print(autograder.__file__, course.__file__, sep='\\n')"
    found = installed.run(tmp_path, "python", "-c", home).stdout.split()
    assert [Path(file).is_relative_to(installed.packages) for file in found] == [True, True]
    return tmp_path


def open_lessons(installed: Installed, folder: Path) -> None:
    """Run `python -m course lab`, load its page, and end it; assert that all lessons are there."""
    with subprocess.Popen(
        [installed.python, "-m", "course", "lab", "mine"],
        cwd=folder,
        env=installed.environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as started:
        lines = [started.stdout.readline() for _ in range(4)]
        try:
            assert lines[0].startswith("Your lessons are in the folder mine: ")
            address = lines[3].strip()
            assert re.match(r"http://localhost:\d+/lab/tree/0-meet-the-game/", address), lines
            with urlopen(address.replace("localhost", "127.0.0.1")) as page:
                assert page.status == 200
        finally:
            started.send_signal(signal.SIGINT)
        assert started.stdout.read() == "\n"
    assert started.returncode == 0
    for name in tracked("release"):
        own = folder / "mine" / Path(name).relative_to("release")
        assert filecmp.cmp(own, ROOT / name, shallow=False)


def grade_class(installed: Installed, folder: Path) -> None:
    """Grade the two students of nbgrader's own example, and make their feedback."""
    for part in ("source", "submitted"):
        left_out = shutil.ignore_patterns("ps1_autotest", "*.html")
        shutil.copytree(QUICKSTART / part, folder / part, ignore=left_out)
    begun = installed.run(folder, "autograder", "init")
    assert "nbgrader_config.py is written" in begun.stdout + begun.stderr
    verified = installed.run(folder, "autograder", "verify", "ps1")
    assert "4 tests: 3 protected, 1 not protected" in verified.stdout + verified.stderr
    graded = installed.run(folder, "autograder", "grade", "ps1", "--workers", "1")
    assert graded.returncode == 0, graded.stderr
    assert re.search(r"bitdiddle +1\.5/13 ", graded.stdout), graded.stdout
    assert re.search(r"hacker +3/13 ", graded.stdout), graded.stdout
    installed.run(folder, "autograder", "feedback", "ps1")
    assert (folder / "feedback" / "hacker" / "ps1" / "problem1.html").is_file()


@alone
@pytest.mark.parametrize("use", [open_lessons, grade_class], ids=["by a learner", "by a grader"])
def test_it_is_used(use: Any, installed: Installed, elsewhere: Path) -> None:
    use(installed, elsewhere)


@alone
@pytest.mark.parametrize("version", sorted(VERSIONS - {f"3.{sys.version_info.minor}"}))
def test_another_python_that_the_metadata_names_does_the_same(version: str, tmp_path: Path) -> None:
    """pip fetches all that the wheel needs, as for a user; skipped without `FETCH_PACKAGES=1`."""
    if not os.environ.get("FETCH_PACKAGES"):
        pytest.skip("no test leaves this machine unless it is asked to: FETCH_PACKAGES=1")
    by_pyenv = Path.home().glob(f".pyenv/versions/{version}.*/bin/python")
    named = filter(None, [*map(str, by_pyenv), shutil.which(f"python{version}")])
    if not (python := next(named, None)):
        pytest.skip(f"this machine has no Python {version}")
    installed = from_registry(python, tmp_path / "home")
    (tmp_path / "learner").mkdir()
    (tmp_path / "teacher").mkdir()
    open_lessons(installed, tmp_path / "learner")
    grade_class(installed, tmp_path / "teacher")


@alone
def test_a_folder_without_a_course_is_told_so(installed: Installed, elsewhere: Path) -> None:
    said = installed.run(elsewhere, "autograder", "verify", "ps1")
    assert "run this in the course's folder" in said.stdout + said.stderr
    assert said.returncode == 2


@pytest.mark.parametrize(
    "command", ["course lab", "autograder sample 1-merge-a-line --students 1 --into class"]
)
def test_another_package_that_has_overwritten_ours_is_told_in_a_sentence(
    command: str, tmp_path: Path
) -> None:
    shutil.copytree(ROOT / "course", tmp_path / "course")
    (tmp_path / "course" / "__init__.py").unlink()
    (tmp_path / "course" / "__init__.py").touch()
    done = run(sys.executable, "-m", *command.split(), folder=tmp_path)
    assert done.returncode == 1
    assert done.stdout == ""
    said = r"Another package .*/course/__init__\.py\)\. "
    assert re.fullmatch(said + "Install course-2048 in an environment of its own.\n", done.stderr)
