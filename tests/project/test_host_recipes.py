"""The recipes in docs/hosts/: each is run with a folder in place of the host, as far as it can be.

Steps that only a host can do (its own checkouts, `apt-get`, Docker) are read, and not run.
"""

import json
import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest
import yaml

from autograder.course_adapter import ROOT
from tests.autograder.assignment_builder import Assignment, answer, graded, notebook
from tests.project import conftest
from tests.project.conftest import PROGRAMS, Done, install_all, wheel

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("host recipes")]

HOSTS = ROOT / "docs" / "hosts"
HALF = "def half(x):"
PS1 = Assignment(
    "ps1",
    {
        "ps1": notebook(
            answer("half", "return x / 2", HALF),
            graded("half-open", "assert half(4) == 2"),
            graded(
                "half-rest", "### BEGIN HIDDEN TESTS\nassert half(9) == 4.5\n### END HIDDEN TESTS"
            ),
        )
    },
    answers={"ada": {"half": f"{HALF}\n    return 2"}},
)
NO_JAIL = ("options=()", "options=(--no-jail)")
MISSING = "Students' code runs in a jail made by bubblewrap, which is not installed."
Layout = Callable[[str, str], Path]


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    """Return a function that makes a host's folder: it gets places for course and submission."""

    def make(course: str, submission: str) -> Path:
        PS1.put(tmp_path / "made")
        root = tmp_path / "a host"
        (root / course).parent.mkdir(parents=True)
        shutil.copytree(tmp_path / "made" / "source", root / course / "source")
        shutil.copytree(tmp_path / "made" / "submitted" / "ada" / "ps1", root / submission)
        return root

    return make


@pytest.fixture
def without_bubblewrap(tmp_path: Path) -> str:
    """Return a PATH on which there are a shell and a few programs, and no bubblewrap."""
    folder = tmp_path / "few programs"
    folder.mkdir()
    for name in ("bash", "mkdir", "mv", "rm"):
        (folder / name).symlink_to(str(shutil.which(name)))
    (folder / "autograder").symlink_to(PROGRAMS / "autograder")
    return str(folder)


def run(command: list[str | Path], folder: Path, **variables: str) -> Done:
    path = {"PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}"}
    return conftest.run(*command, folder=folder, **path | variables)


def result_in(root: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((root / "results" / "results.json").read_text("utf-8"))
    return found


def changed(file: str, folder: Path, *changes: tuple[str, str]) -> Path:
    """Copy a recipe into a folder, with changes that `docs/hosts.md` tells a reader to make."""
    text = (HOSTS / file).read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path = folder / Path(file).name
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


def gradescope(layout: Layout) -> Path:
    root = layout("source/my-course", "submission")
    (root / "results").mkdir()
    (root / "grading").symlink_to(sys.prefix)
    return root


def prairielearn(layout: Layout) -> Path:
    return layout("serverFilesCourse/my-course", "student")


def test_gradescope_finds_its_results(layout: Layout) -> None:
    root = gradescope(layout)
    done = run([HOSTS / "gradescope" / "run_autograder"], root, AUTOGRADER_ROOT=str(root))
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert [path.name for path in (root / "results").iterdir()] == ["results.json"]
    result = result_in(root)
    assert result["score"] == 1
    shown = [one["name"] for one in result["tests"] if one["visibility"] == "visible"]
    assert shown == ["half-open"]


@pytest.mark.deep
def test_prairielearn_finds_its_results(layout: Layout) -> None:
    root = prairielearn(layout)
    command, lesson = prairielearns_options()["entrypoint"].removeprefix("/grade/").split()
    shutil.copy2(HOSTS / "prairielearn" / "run.sh", root / command)
    done = run([root / command, lesson], root, GRADE_ROOT=str(root))
    assert done.returncode == 0, done.stderr
    result = result_in(root)
    assert (result["gradable"], result["score"]) == (True, 0.5)
    assert [one["name"] for one in result["tests"]] == ["half-open", "Tests that are not shown"]


@pytest.mark.parametrize(
    ("file", "make", "arguments"),
    [
        ("gradescope/run_autograder", gradescope, ()),
        pytest.param("prairielearn/run.sh", prairielearn, ("ps1",), marks=pytest.mark.deep),
    ],
    ids=["Gradescope", "PrairieLearn"],
)
def test_without_bubblewrap_there_is_no_result_unless_it_is_asked_for(
    file: str,
    make: Callable[[Layout], Path],
    arguments: tuple[str, ...],
    layout: Layout,
    without_bubblewrap: str,
) -> None:
    root = make(layout)
    roots = {"AUTOGRADER_ROOT": str(root), "GRADE_ROOT": str(root), "PATH": without_bubblewrap}
    done = run([changed(file, root), *arguments], root, **roots)
    assert done.returncode != 0
    assert MISSING in " ".join(done.stderr.split())
    assert not (root / "results" / "results.json").exists()
    done = run([changed(file, root, NO_JAIL), *arguments], root, **roots)
    assert done.returncode == 0, done.stderr
    assert "graded without a jail" in result_in(root)["output"]


@pytest.mark.deep
def test_gradescopes_image_is_built_and_grades(layout: Layout) -> None:
    root = layout("source/my-course", "submission")
    (root / "results").mkdir()
    for name in ("setup.sh", "run_autograder"):
        shutil.copy2(HOSTS / "gradescope" / name, root / "source" / name)
    wheel(root / "source")
    # what the wheel needs is not fetched; it is that of this environment
    offline = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "AUTOGRADER_ROOT": str(root)}
    done = run([root / "source" / "setup.sh"], root, **offline)
    assert done.returncode == 0, done.stdout + done.stderr
    [packages] = (root / "grading" / "lib").glob("python*/site-packages")
    install_all("course-2048[grader]", packages)
    done = run([root / "source" / "run_autograder"], root, **offline)
    assert done.returncode == 0, done.stderr
    assert result_in(root)["score"] == 1


def test_prairielearns_files_name_only_what_it_knows() -> None:
    options = prairielearns_options()
    known = {"enabled", "image", "serverFilesCourse", "entrypoint", "timeout"}
    known |= {"enableNetworking", "environment"}  # docs/externalGrading.md
    assert options.keys() <= known
    assert options["timeout"] <= 600
    [shared] = options["serverFilesCourse"]
    assert options["entrypoint"].startswith(f"/grade/serverFilesCourse/{shared}run.sh ")


def prairielearns_options() -> dict[str, Any]:
    info = json.loads((HOSTS / "prairielearn" / "info.json").read_text(encoding="utf-8"))
    assert (info["type"], info["gradingMethod"]) == ("v3", "External")
    options: dict[str, Any] = info["externalGradingOptions"]
    return options


def moodle(root: Path, options: str = "") -> Path:
    changes = [("/srv/my-course", str(root / "course")), ("/srv/grading/bin", str(PROGRAMS))]
    if options:
        changes.append(("list[str] = []", f"list[str] = [{options}]"))
    return changed("moodle/template.py", root, *changes)


def test_coderunners_template_prints_the_result(layout: Layout) -> None:
    root = layout("course", "files")
    done = run([sys.executable, moodle(root)], root / "files")
    assert (done.returncode, done.stderr) == (0, "")
    result = json.loads(done.stdout)
    assert result["fraction"] == 0.5
    rows = result["testresults"][1:]
    assert [(row[1], row[-1]) for row in rows] == [("half-open", 0), ("half-rest", 1)]


@pytest.mark.deep
def test_coderunners_template_gives_no_mark_without_a_jail(
    layout: Layout, without_bubblewrap: str
) -> None:
    root = layout("course", "files")
    done = run([sys.executable, moodle(root)], root / "files", PATH=without_bubblewrap)
    assert (done.returncode, done.stdout) == (1, "")
    assert MISSING in " ".join(done.stderr.split())
    open_one = moodle(root, '"--no-jail"')
    done = run([sys.executable, open_one], root / "files", PATH=without_bubblewrap)
    assert "<p>graded without a jail" in json.loads(done.stdout)["prologuehtml"]


def workflow() -> dict[Any, Any]:
    found: dict[Any, Any] = yaml.safe_load((HOSTS / "github" / "grade.yml").read_text("utf-8"))
    return found


def test_githubs_workflow_grades_and_writes_summary_and_points(layout: Layout) -> None:
    root = layout("my-course", "submission")
    (root / "grading").symlink_to(sys.prefix)
    [step] = [one for one in workflow()["jobs"]["grade"]["steps"] if one.get("id") == "grade"]
    files = {name: str(root / name.lower()) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    done = run(["bash", "-e", "-c", step["run"]], root / step["working-directory"], **files)
    assert (done.returncode, done.stdout) == (0, "::notice title=Points::1/2 points\n")
    assert Path(files["GITHUB_OUTPUT"]).read_text(encoding="utf-8") == "points=1/2\n"
    assert "| half-open | passed |" in Path(files["GITHUB_STEP_SUMMARY"]).read_text("utf-8")


def test_nobody_who_opens_a_pull_request_can_change_githubs_workflow_or_reach_its_secret() -> None:
    found = workflow()
    assert found[True] == "pull_request_target"  # YAML reads `on` as true
    assert found["permissions"] == {"contents": "read"}
    job = found["jobs"]["grade"]
    assert job["environment"] == "grading"
    checkouts = [one["with"] for one in job["steps"] if "uses" in one]
    assert [one["persist-credentials"] for one in checkouts] == [False, False]
    assert [one["path"] for one in checkouts] == ["submission", "my-course"]
    assert "secrets" not in json.dumps([one.get("run") for one in job["steps"]])
    assert "--no-jail" not in json.dumps(found)
    titles = re.findall(r"\$\{\{ (\S+) \}\}", json.dumps([one.get("run") for one in job["steps"]]))
    assert titles == ["steps.grade.outputs.points"]  # nothing that a student could have written


@pytest.mark.deep
def test_gitlab_finds_its_report(layout: Layout) -> None:
    root = layout("course", "project")
    job = yaml.safe_load((HOSTS / "gitlab" / "grade.yml").read_text(encoding="utf-8"))["grade"]
    assert job["artifacts"] == {"when": "always", "reports": {"junit": "results.xml"}}
    *fetched, enter, check = job["script"]
    assert [line.split()[0] for line in fetched] == ["apt-get", "pip", "git"]
    script = f"{enter.replace('/tmp/my-course', 'course')}\n{check}"
    done = run(["bash", "-e", "-c", script], root, CI_PROJECT_DIR=str(root / "project"))
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    suite = Xml.parse(root / "project" / "results.xml").getroot()[0]
    assert [case.get("name") for case in suite.iter("testcase")] == ["half-open"]


def test_each_recipe_is_on_the_page() -> None:
    page = (ROOT / "docs" / "hosts.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"\{literalinclude\} hosts/(\S+)", page))
    assert shown == {str(one.relative_to(HOSTS)) for one in HOSTS.rglob("*") if one.is_file()}
