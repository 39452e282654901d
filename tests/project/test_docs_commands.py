"""The documentation: every command in it is run by a test."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from autograder.course_adapter import ROOT
from tests.project.conftest import AS_IT_IS, Installed, copy_project, tracked
from tests.project.test_dependency_pins import PROJECT

FENCE = re.compile(
    r"(?:^<!-- not run by a test: (?P<why>.+) -->\n)?"
    r"^(?P<indent> *)```sh\n(?P<text>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)
FEW = 2  # blocks that no test can run
TESTS = "tests/autograder"


class Block(NamedTuple):
    """A block of commands in a page; `why` is the reason if no test can run it, else `None`."""

    page: str
    commands: tuple[str, ...]
    why: str | None

    @property
    def id(self) -> str:
        return f"{self.page}: {self.commands[0]}"


def blocks() -> list[Block]:
    """Return all blocks of commands in the pages of the documentation."""
    found = []
    for page in sorted(tracked("*.md")):
        for fence in FENCE.finditer((ROOT / page).read_text(encoding="utf-8")):
            lines = [re.sub(r"(^|\s+)#.*", "", line).strip() for line in fence["text"].splitlines()]
            found.append(Block(page, tuple(filter(None, lines)), fence["why"]))
    return found


# Commands not run with the rest of their block: the file of a test that runs them, a text in it.
APART = {
    r"(sudo )?apt-get install bubblewrap$": (".ci/system", "apt-get install"),
    r"python3 -m venv \w+$": ("tests/project/conftest.py", '"-m", "venv"'),
    r"\. \w+/bin/activate$": ("tests/project/conftest.py", "self.programs"),
    r"pip install .*\[.*\]": ("tests/project/conftest.py", '"install"'),
    r"make lab$": ("tests/browser/whole/test_make_lab.py", '["make", "lab"]'),
    r"make lite$": ("tests/browser/whole/test_lite.py", "course.lite"),
    r"python -m course lab ": ("tests/project/test_wheel.py", '"course", "lab"'),
    r"autograder serve": ("tests/autograder/serve/conftest.py", '"serve"'),
}
# Pages whose commands are run by tests of their own: the file of the test, and a text in it.
ELSEWHERE = {
    "autograder/GUIDE.md": ("tests/autograder/cli/test_guide_md.py", "commands()"),
    "CONTRIBUTING.md": ("tests/project/test_contributing.py", "follow(tree"),
    "autograder/reports/README.md": ("tests/browser/whole/test_life_of_a_class.py", "CollectApp"),
    "autograder/serve/README.md": ("tests/autograder/serve/conftest.py", '"serve"'),
    "autograder/serve/hub/README.md": ("tests/browser/whole/hub.py", "release_assignment"),
    "autograder/tournament/README.md": (f"{TESTS}/tournament/test_tournament.py", '"tournament"'),
    "autograder/workers/CLUSTER.md": (f"{TESTS}/workers/test_dask_cluster.py", "--scheduler"),
    "course/lite/README.md": ("tests/browser/whole/test_lite.py", "course.lite"),
    "docs/your-own-course.md": (
        f"{TESTS}/misconceptions/test_example_course.py",
        "your-own-course.md",
    ),
    "tests/bench/README.md": ("tests/bench/test_bench.py", "tests.bench"),
    "tests/samples/README.md": ("tests/autograder/jail/test_hostile.py", "table_now"),
}


def checkout(folder: Path) -> Path:
    """Copy the project, with a few hand-ins of lesson 1; return the copy."""
    copy_project(folder)
    sample = "autograder sample 1-merge-a-line --like class --students 3 --into class"
    subprocess.run(sample.split(), cwd=folder, check=True, capture_output=True)
    (folder / "class" / "submitted").rename(folder / "submitted")
    [one] = (folder / "submitted" / "student-1").rglob("*.ipynb")
    shutil.copy2(one, folder / "submission.ipynb")
    (folder / ".venv").symlink_to(sys.prefix)
    return folder


# Blocks that are run here, in order, as they stand: a function that makes the folder for each.
HERE: dict[str, Callable[[Path], Path]] = {
    "README.md: make lab": Path,
    "docs/learn.md: python3 -m venv 2048": Path,
    "docs/learn.md: python -m course play --help": Path,
    "docs/hosts.md: autograder check submission.ipynb --as gradescope > results.json": checkout,
    "docs/teach.md: sudo apt-get install bubblewrap": Path,
    "docs/teach.md: nbgrader quickstart first-class": Path,
    "docs/teach.md: autograder grade 1-merge-a-line": checkout,
}


def test_each_block_of_commands_is_run_here_or_by_a_test_that_is_named() -> None:
    found = [block for block in blocks() if block.why is None]
    here = {block.id for block in found if block.page not in ELSEWHERE}
    assert here == set(HERE)
    assert {block.page for block in found} - {one.partition(":")[0] for one in here} == set(
        ELSEWHERE
    )


def test_few_blocks_are_run_by_nobody() -> None:
    assert len([block for block in blocks() if block.why]) <= FEW


@pytest.mark.parametrize(("file", "word"), [*APART.values(), *ELSEWHERE.values()])
def test_the_test_that_is_named_is_there(file: str, word: str) -> None:
    assert word in (ROOT / file).read_text(encoding="utf-8")


def test_each_line_of_pip_names_extras_that_are_there() -> None:
    extras = PROJECT["optional-dependencies"]
    lines = [line for block in blocks() for line in block.commands if line.startswith("pip ")]
    assert lines
    for line in lines:
        [named] = re.findall(r"""["'](?:course-2048|\.)\[([a-z,]+)\]["']""", line)
        assert set(named.split(",")) <= extras.keys(), line


@pytest.mark.deep
@pytest.mark.xdist_group("wheel")
@pytest.mark.parametrize("name", HERE)
def test_the_commands_of_a_page_do_what_it_says(
    name: str, installed: Installed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", installed.environment["PATH"])
    [block] = [block for block in blocks() if block.id == name]
    folder = HERE[name](tmp_path)
    commands = [line for line in block.commands if not any(re.match(one, line) for one in APART)]
    lines = [f"{line} {AS_IT_IS[0]}" if line.startswith("make ") else line for line in commands]
    script = "\n".join(["set -e", *lines])
    done = installed.run(folder, "bash", "-c", script)
    assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"
    made = MADE.get(name, ())
    assert [path for path in made if not (folder / path).is_file()] == []


# Files that a page says are there afterwards.
MADE = {
    "docs/teach.md: nbgrader quickstart first-class": (
        "first-class/feedback/ben/ps1/problem1.html",
        "first-class/reports/ps1.html",
    ),
}
