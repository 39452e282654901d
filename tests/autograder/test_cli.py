"""The command line of `autograder`: what it prints, and its exit status."""

import json
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from nbgrader.apps.api import NbGraderAPI

from autograder.grade_assignment import RunOptions, grade_assignment
from autograder.gradebook.course_folder import CourseFolder, Folder
from autograder.jail import WarmJails
from autograder.sample import Sampler
from autograder.workers import make_executor
from tests.autograder.conftest import LESSON, Autograder, make_course

KEYS = ["notebook", "lesson", "score", "max_score", "checks", "problems"]


@pytest.fixture
def notebooks(course: Path, sampler: Sampler) -> dict[str, Path]:
    """Write a right notebook, one with a known mistake, and an unreadable one; return the paths."""
    cascade = next(one for one in sampler.students()["wrong"] if one.name == "cascade")
    cascade.hand_in(course / "cascade")
    (course / "right.ipynb").write_text(json.dumps(sampler.notebook()), encoding="utf-8")
    (course / "broken.ipynb").write_text("{")
    names = {"right": "right.ipynb", "cascade": "cascade/merge-a-line.ipynb"}
    return {name: Path(path) for name, path in {**names, "broken": "broken.ipynb"}.items()}


def test_check_prints_one_object_a_line_which_says_what_became_of_each_check(
    notebooks: dict[str, Path], autograder: Autograder
) -> None:
    result = autograder("check", "--json", notebooks["right"], notebooks["cascade"])
    objects = [json.loads(line) for line in result.stdout.splitlines()]
    assert [list(one) for one in objects] == [KEYS, KEYS]
    assert [one["notebook"] for one in objects] == ["right.ipynb", "cascade/merge-a-line.ipynb"]
    assert [(one["score"], one["max_score"]) for one in objects] == [(12.0, 12.0), (8.0, 12.0)]
    assert result.exit_code == 0
    checks = {check["id"]: check for check in objects[1]["checks"]}
    message = checks["no-chain"].pop("message")
    assert message.startswith("merge([4, 4, 8, 0])\n  expected  [8, 8, 0, 0]")
    lost = {"id": "no-chain", "points": 0.0, "max_points": 1.0, "outcome": "failed"}
    assert checks["no-chain"] == {**lost, "misconception": "cascade"}
    kept = {"id": "tiles-to-front", "points": 1.0, "max_points": 1.0, "outcome": "passed"}
    assert checks["tiles-to-front"] == {**kept, "message": "", "misconception": None}


@pytest.mark.parametrize(
    ("arguments", "problem", "checks"),
    [
        (
            ["--lesson", LESSON, "broken.ipynb"],
            "the file is cut off at its end (line 1, column 2)",
            {"not_run"},
        ),
        (["nowhere/merge-a-line.ipynb"], "merge-a-line.ipynb does not exist", {"not_run"}),
        (["essay.ipynb"], "essay.ipynb does not exist", set()),
        (["cascade"], "cascade is a folder", set()),
    ],
    ids=["cut off", "not there", "not there, of no known name", "a folder"],
)
def test_what_can_not_be_read_still_has_its_line_and_status_1(
    arguments: list[str],
    problem: str,
    checks: set[str],
    notebooks: dict[str, Path],
    autograder: Autograder,
) -> None:
    result = autograder("check", "--json", *arguments)
    found = json.loads(result.stdout)
    assert (found["score"], found["problems"], result.exit_code) == (0.0, [problem], 1)
    assert {check["outcome"] for check in found["checks"]} == checks


def test_the_table_names_the_checks_that_were_lost_and_the_whole_cause(
    notebooks: dict[str, Path], sampler: Sampler, autograder: Autograder
) -> None:
    stops = sampler.notebook(merge="def merge(line)\n    return line")
    Path("stops.ipynb").write_text(json.dumps(stops), encoding="utf-8")
    shown = autograder("check", *notebooks.values(), "stops.ipynb").stdout
    line = next(line for line in shown.splitlines() if line.startswith("cascade"))
    lost = "merge-once, no-chain, every-line  A merged tile merges again"
    assert line.strip().split(maxsplit=2)[1:] == ["8/12", lost]
    assert "its cell stopped with SyntaxError: expected ':'" in " ".join(shown.split())
    assert "…" not in shown


WRONG_CALLS = (
    "check",
    "check --lesson 9-no-such-lesson x.ipynb",
    "grade",
    "grade 9-no-such-lesson",
    f"grade {LESSON} --workers 0",
    f"grade {LESSON} --student nobody",
    "results",
    "results 9-no-such-lesson",
    f"sample {LESSON}",
    "dance",
)


@pytest.mark.usefixtures("course")
def test_a_wrong_call_has_status_2(autograder: Autograder) -> None:
    found = {call: autograder(*call.split()).exit_code for call in WRONG_CALLS}
    assert found == dict.fromkeys(WRONG_CALLS, 2)


def test_a_course_of_init_can_be_released(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, autograder: Autograder
) -> None:
    folder = make_course(tmp_path / "My course (2026)")
    (folder / "nbgrader_config.py").unlink()
    monkeypatch.chdir(folder)
    assert autograder("init").exit_code == 0
    nbgrader = NbGraderAPI(parent=CourseFolder().app)
    assert nbgrader.course_id == "My-course-2026"
    assert nbgrader.exchange_is_functional
    for step in (nbgrader.generate_assignment, nbgrader.release_assignment):
        done = step(LESSON)
        assert done["success"], done["log"]
    assert nbgrader.get_released_assignments() == {LESSON}


def test_init_changes_nothing_that_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, autograder: Autograder
) -> None:
    exchange = str(tmp_path / "exchange")
    text = f"c.CourseDirectory.course_id = 'ours'\nc.Exchange.root = {exchange!r}\n"
    mine, of_all, new = (tmp_path / name for name in ("mine", "of all", "new"))
    for place in (mine, of_all, new):
        place.mkdir()
        (place / "nbgrader_config.py").write_text(text, encoding="utf-8")
    (new / "nbgrader_config.py").unlink()
    monkeypatch.chdir(mine)
    said = autograder("init").stderr
    assert (mine / "nbgrader_config.py").read_text(encoding="utf-8") == text
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(of_all))
    monkeypatch.chdir(new)
    assert autograder("init").exit_code == 0
    for told in (said, Path("nbgrader_config.py").read_text(encoding="utf-8")):
        found = [one in told for one in ("use_autograder(c)", "c.CourseDirectory", "c.Exchange")]
        assert found == [True, False, False]
    assert Path(exchange).stat().st_mode & 0o777 == 0o777  # all students can reach it


def test_also_a_folder_without_letters_gives_a_course_an_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, autograder: Autograder
) -> None:
    (tmp_path / "…").mkdir()
    monkeypatch.chdir(tmp_path / "…")
    assert autograder("init").exit_code == 0
    assert CourseFolder().course_id == "course"


@pytest.mark.usefixtures("course")
def test_of_an_unknown_lesson_it_says_which_are_in_this_folder(autograder: Autograder) -> None:
    for unknown in ("nope", "2-slide-in-four-directions"):
        said = autograder("grade", unknown).stderr
        assert said.endswith(f"has no assignment {unknown}; it has {LESSON}\n")


def test_outside_of_a_course_notebooks_are_checked_and_to_grade_it_says_where_to_go(
    tmp_path: Path, sampler: Sampler, monkeypatch: pytest.MonkeyPatch, autograder: Autograder
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.ipynb").write_text(json.dumps(sampler.notebook()), encoding="utf-8")
    result = autograder("check", "--json", "mine.ipynb")
    assert json.loads(result.stdout)["score"] == 12.0
    result = autograder("grade", LESSON)
    assert result.exit_code == 2
    assert "run this in the course's folder" in result.stderr


@pytest.fixture
def without_bubblewrap(
    notebooks: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Run a test without bubblewrap, and without the jails that earlier tests have started."""
    jails = WarmJails()
    monkeypatch.setattr("autograder.grade_submission._jails", jails)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    yield
    jails.close()


@pytest.mark.usefixtures("without_bubblewrap")
def test_no_jail_must_be_asked_for_and_warns(autograder: Autograder) -> None:
    with pytest.warns(RuntimeWarning, match="without a jail"):
        result = autograder("check", "--json", "--no-jail", "right.ipynb")
    assert (json.loads(result.stdout)["score"], result.exit_code) == (12, 0)
    assert "Warning: no jail" in result.stderr


@pytest.mark.usefixtures("without_bubblewrap")
def test_without_bubblewrap_nothing_is_graded_and_it_says_what_to_install(
    sampler: Sampler, autograder: Autograder
) -> None:
    sampler.students()["right"][0].hand_in(Path("submitted", "someone", LESSON))
    for command in (["check", "right.ipynb"], ["grade", LESSON, "--workers", 1]):
        result = autograder(*command)
        assert (result.exit_code, type(result.exception)) == (2, SystemExit)
        assert "apt install bubblewrap" in result.stderr
    assert not Path("autograded").exists()


MACOS = """
import os, signal, socket, sys, sysconfig
sysconfig.get_config_vars()  # Python's own, which would look for a build that is not here
for module, names in {
    os: ("sched_getaffinity", "pidfd_open", "memfd_create", "setns", "unshare"),
    signal: ("pidfd_send_signal",),
    socket: ("send_fds", "recv_fds"),
}.items():
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
from autograder.cli import app
import nbgrader.apps
sys.platform = "darwin"
for command in ("check", "right.ipynb"), ("grade", sys.argv[1]):
    try:
        app(command)
    except SystemExit as end:
        print(command[0], end.code)
"""


@pytest.mark.usefixtures("notebooks")
@pytest.mark.deep
def test_on_macos_it_says_that_the_jail_needs_linux(sampler: Sampler) -> None:
    sampler.students()["right"][0].hand_in(Path("submitted", "someone", LESSON))
    command = [sys.executable, "-c", MACOS, LESSON]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.stdout.splitlines() == ["check 2", "grade 2"], run.stderr
    assert run.stderr.count("It needs Linux") == 2
    assert "Traceback" not in run.stderr


def test_the_progress_moves_with_each_submission(course: Path, sampler: Sampler) -> None:
    for number in range(3):
        sampler.students()["right"][0].hand_in(course / "submitted" / f"student-{number}" / LESSON)
    folder = CourseFolder()
    read: list[str] = []
    moved: list[tuple[int, bool]] = []

    def in_turn() -> Iterator[Folder]:
        for one in folder.handed_in(LESSON):
            read.append(one.student)
            yield one

    grade_assignment(
        folder,
        LESSON,
        in_turn(),
        RunOptions(partial(make_executor, 1, None), prefetch=1),
        on_wait=lambda: None,
        on_progress=lambda: moved.append((len(read), Path("autograded").exists())),
    )
    assert [number for number, _ in moved] == [1, 2, 3]
    assert moved[0] == (1, False)  # reported before it is written, not with its batch
