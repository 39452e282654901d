"""Every command in GUIDE.md is run once, in the guide's order, in one course folder."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.course_adapter import ROOT
from tests.autograder.assignment_builder import Assignment, answer, graded, notebook
from tests.autograder.gradebook.nbgrader_helpers import zipped

pytestmark = pytest.mark.deep

GUIDE = (ROOT / "autograder" / "GUIDE.md").read_text(encoding="utf-8")
MEAN = "def mean(values):"
PS1 = Assignment(
    "ps1",
    {
        "ps1": notebook(
            answer("mean", "return sum(values) / len(values)", MEAN),
            graded("mean-test", "assert mean([2, 4]) == 3\nassert mean([1, 4]) == 2.5", 2),
            answer("last", "return values[-1]", "def last(values):"),
            graded("last-test", "assert last([2, 4]) == 4\nassert last([2]) == 2"),
        )
    },
    answers={
        "ada": {"mean": f"{MEAN}\n    return sum(values) / (len(values) - 1)"},
        "bob": {"last": "def last(values):\n    return values[len(values)]"},
        "cy": {},
    },
)
NAMES = {"ada": "Ada Lovelace", "bob": "Bob Smith", "cy": "Cy O'Neil"}
STUDENTS = ["id,last_name,first_name,email,lms_user_id"] + [
    f"{one},{name.split()[1]},{name.split()[0]},{one}@u.edu,{number}"
    for number, (one, name) in enumerate(NAMES.items(), 70)
]
SHEET = ["Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed"] + [
    f"Participant {number},{name},{one}@u.edu,Submitted for grading,,3.00,Yes"
    for number, (one, name) in enumerate(NAMES.items(), 900)
]
# Commands of an installation have their own test; this test begins in the course folder.
INSTALLATION = ("pip install 'course-2048[grader]'", "cd my-course")
# Verbs that need an assignment, but that the guide also names without one.
OF_ONE = ("verify", "release_assignment", "autograde", "generate_feedback", "feedback")
# Command → the command that must run before it, as the guide or its last command says.
FIRST = {
    "nbgrader release_assignment ps1": "nbgrader generate_assignment ps1",
    "autograder collect submissions.zip ps1": "nbgrader db student import FILE",
    "autograder results ps1 --worksheet Grades.csv": "autograder grade ps1",
    "autograder grade ps1 --withdraw ada": "rm -r submitted/ada",
    "autograder report ps1 --before ../2024 --before ../2025": (
        "sh -c 'cp -r . ../2024 && cp -r . ../2025'"
    ),
}
ASKS = "autograder undo"
FILES = {"FILE.ipynb": "submitted/cy/ps1/ps1.ipynb", "FILE": "students.csv"}


def commands() -> list[str]:
    """Return the commands in the blocks and sentences of the guide, in order, each once."""
    found = []
    for block, inline in re.findall(r"```sh\n(.*?)```|`([^`]+)`", GUIDE, re.DOTALL):
        for line in block.splitlines() or [" ".join(inline.split())]:
            command = re.split(r", or |  +", line)[0].strip()
            if command.startswith(("pip ", "cd ", "autograder ", "nbgrader ")):
                found.append(
                    f"{command} ps1" if command.split()[1:] in [[v] for v in OF_ONE] else command
                )
    return [*dict.fromkeys(found)]


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a course folder: three hand-ins, a download from Canvas, a worksheet of Moodle."""
    folder = tmp_path / "my-course"
    PS1.put(folder)
    (folder / "students.csv").write_text("\n".join(STUDENTS), encoding="utf-8")
    (folder / "Grades.csv").write_text("\n".join(SHEET), encoding="utf-8")
    path = folder / "submitted" / "cy" / "ps1" / "ps1.ipynb"
    newer = {"oneilcy_72_501_ps1-1.ipynb": path.read_text(encoding="utf-8") + "\n"}
    (folder / "submissions.zip").write_bytes(zipped(newer))
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path / "no settings"))
    return folder


def run(command: str) -> None:
    """Run a command with real files in place of `FILE`; answer yes if it asks something."""
    words = [FILES.get(word, word) for word in shlex.split(command)]
    words[0] = shutil.which(words[0]) or words[0]
    yes = "y\n" if command.startswith(ASKS) else ""
    done = subprocess.run(words, input=yes, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"


def group_of_mean(_: re.Match[str]) -> str:
    """Return the report's name for the group with the wrong `mean`; the guide has another name."""
    page = Path("reports", "ps1.html").read_text(encoding="utf-8")
    [group] = set(re.findall(r"mean-[0-9a-f]{6}", page))
    return str(group)


def test_each_command_of_the_guide_works_in_its_order(course: Path) -> None:
    told, done = commands(), {*INSTALLATION}
    assert done < {*told}
    for one in told:
        for command in filter(None, (FIRST.get(one), one)):
            if command not in done:
                done.add(command)
                run(re.sub(r"mean-[0-9a-f]{6}", group_of_mean, command))
    written = ("canvas.csv", "Grades-filled.csv", "names.toml", "audit.html", "reports/index.html")
    assert [one for one in written if not (course / one).exists()] == []
