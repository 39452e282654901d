"""Assignments of other courses: they are read, planned and graded like those of this one."""

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from textwrap import indent

import pytest
from click.testing import Result
from nbgrader.api import Gradebook
from traitlets.utils.importstring import import_item

from autograder.autograde import LINES, use_autograder
from tests.autograder.assignment_builder import (
    PYTHON,
    STUB,
    Assignment,
    answer,
    by_hand,
    graded,
    notebook,
    plain,
)
from tests.autograder.conftest import Autograder
from tests.autograder.gradebook.nbgrader_helpers import configure, nbgrader
from tests.autograder.sample_assignments import ALL, TWO
from tests.parametrize_marks import some_in_every_run

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("foreign")]

HASTY = "c.Jail.call = 0.5\nc.Jail.cell = 1.0\n"

POINTS = {
    "words": {"key": 8, "stub": 0, "wrong": 4.5, "endless": 2, "hostile": 4},
    "rain": {"key": 4, "stub": 0, "wrong": 2, "endless": 2, "hostile": 0},
    "two": {"key": 2, "stub": 0, "wrong": 1, "endless": 0, "hostile": 0},
}
INSIDE = {
    "count-uses-split": "it deletes split_words (line 2)",
    "pick-by-chance": "it seeds the chance that the program uses (line 1)",
    "show-prints": "it reads what is printed (line 1)",
    "save-file": "line 2, `assert Path('saved.txt').read_text() == 'kept'`, works only beside the "
    "program: FileNotFoundError: [Errno 2] No such file or directory: 'saved.txt'",
}


ASSIGNMENTS = some_in_every_run({one.name: one for one in ALL}, ["words"])


@pytest.fixture(scope="module")
def foreign(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    new_gradebook: Path,
    autograder: Autograder,
) -> Iterator[tuple[Path, dict[str, Result]]]:
    """Yield a course folder, and name → what its grading printed, also for `autograder init`.

    Only assignments that the selected tests need are graded, and also `words`.
    """
    asked = [getattr(item, "callspec", None) for item in request.session.items]
    chosen = [each.params.get("assignment") for each in asked if each is not None]
    course = tmp_path_factory.mktemp("foreign")
    shutil.copyfile(new_gradebook, course / "gradebook.db")
    for assignment in ALL:
        assignment.put(course)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(course)
        said = {"init": autograder("init")}
        configure(f"c.CourseDirectory.course_id = '2048'\n{HASTY}")
        for assignment in (one for one in ALL if one.name == "words" or one in chosen):
            said[assignment.name] = autograder("grade", assignment.name, "--workers", 1)
        yield course, said


def scores(course: Path, assignment: str) -> dict[str, float]:
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "2048") as book:
        return {one.student.id: one.score for one in book.assignment_submissions(assignment)}


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_every_kind_of_submission_has_the_points_that_it_is_worth(
    assignment: Assignment, foreign: tuple[Path, dict[str, Result]]
) -> None:
    course, said = foreign
    assert said[assignment.name].exit_code == 0, said[assignment.name].output
    assert scores(course, assignment.name) == POINTS[assignment.name]


def plans(course: Path, autograder: Autograder, assignment: str) -> dict[str, tuple[str, str]]:
    """Return test → its place (outside or inside of the jail), and the reason for this place."""
    said = json.loads(autograder("verify", assignment, "--json").stdout)
    tests = [test for plan in said["notebooks"] for test in plan["tests"]]
    return {test["id"]: (test["place"], test["why"]) for test in tests}


def test_only_what_can_not_run_outside_runs_inside(
    foreign: tuple[Path, dict[str, Result]], autograder: Autograder, monkeypatch: pytest.MonkeyPatch
) -> None:
    course, said = foreign
    # The plan that `grade` has made is kept, so that none is made now.
    monkeypatch.setattr("autograder.gradebook.plans_and_limits.make_plan", None)
    found = plans(course, autograder, "words")
    assert {name: why for name, (place, why) in found.items() if place != "outside"} == INSIDE
    for name, why in INSIDE.items():
        assert f"Not protected, it runs beside the student's code: {name} ({why})" in (
            said["words"].stdout
        )
    for other in said.keys() - {"init", "words"}:
        assert {place for place, _ in plans(course, autograder, other).values()} == {"outside"}


def test_a_hidden_test_that_runs_inside_is_not_told(
    foreign: tuple[Path, dict[str, Result]], autograder: Autograder
) -> None:
    course, _ = foreign
    assert autograder("feedback", "words").exit_code == 0
    told = autograder("report", "words")
    assert told.exit_code == 0, told.output
    kept = (course / "autograded" / "wrong" / "words" / "words.ipynb").read_text()
    pages = [path.read_text() for path in (course / "feedback").rglob("*.html")]
    assert "THE SECRET" in kept
    assert len(pages) == 5
    assert not [page for page in pages if "THE SECRET" in page]
    report = (course / "reports" / "words.html").read_text()
    assert all(name in report for name in INSIDE)
    assert "not protected" in report


def test_files_lie_beside_the_notebook_and_stay_the_instructors(
    foreign: tuple[Path, dict[str, Result]], autograder: Autograder
) -> None:
    course, _ = foreign
    folder = course / "submitted" / "key" / "words"
    (folder / "helping.py").write_text("def same_words(*_):\n    return True\n")
    (folder / "mine.py").write_text("raise RuntimeError\n")
    again = autograder("grade", "words", "--student", "key", "--workers", 1)
    assert "Graded again because the submission changed: key" in again.output
    assert scores(course, "words")["key"] == 8
    beside = course / "autograded" / "key" / "words"
    assert "sorted" in (beside / "helping.py").read_text()
    assert (beside / "mine.py").exists()


def test_nothing_is_written_where_a_configuration_is(
    tmp_path: Path, autograder: Autograder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "is written" in autograder("init").stderr
    config = tmp_path / "nbgrader_config.py"
    assert LINES in config.read_text()
    assert "has the lines already" in autograder("init").stderr
    former = import_item("autograder.gradebook.autograde.use_autograder")
    assert former is use_autograder
    config.write_text("c = get_config()\n")
    shown = autograder("init").stderr
    assert all(line in shown for line in LINES.splitlines())
    assert config.read_text() == "c = get_config()\n"


WRONG_KEY = Assignment(
    "odd",
    {
        "odd": notebook(
            answer("double", "return 3 * number", "def double(number):"),
            graded("double-right", "assert double(2) == 4"),
            graded("double-there", "assert callable(print)", 2),
        )
    },
    answers={"key": {}},
)


def test_tests_that_are_not_right_are_told_and_nothing_is_graded_by_them(
    course: Path, autograder: Autograder
) -> None:
    WRONG_KEY.put(course)
    verified = autograder("verify", "odd")
    assert verified.exit_code == 1
    why = "the answer key gets 0 of 1: line 1, `assert double(2) == 4`, does not hold"
    assert why in verified.stdout
    assert "Look at double-there: the stub gets 2 of 2: it asks nothing of the" in verified.stdout
    said = "2 tests: 1 protected, 0 not protected, 1 that the answer key does not pass."
    assert said in verified.stdout
    assert "with --anyway: double-right: the answer key gets 0" in verified.stdout
    refused = autograder("grade", "odd", "--workers", 1)
    assert refused.exit_code == 2
    assert "double-right: the answer key gets 0 of 1" in refused.stderr
    assert "--anyway" in refused.stderr
    assert not (course / "autograded").exists()
    assert autograder("grade", "odd", "--workers", 1, "--anyway").exit_code == 0
    assert scores(course, "odd") == {"key": 2}


# Formgrader's editor names cells by chance; an answer's first line may be the instructor's.
SQUARE, FIRST, SECOND, MODEL, ESSAY = (f"cell-{letter * 16}" for letter in "abcde")
UNNAMED = Assignment(
    "unnamed",
    {
        "unnamed": notebook(
            answer(SQUARE, "return n * n", "def square(n):"),
            graded(FIRST, "# Tests\nassert square(2) == 4"),
            graded(SECOND, "#tests\n\nassert square(3) == 9"),
            by_hand(MODEL, "# The model answer"),
            by_hand("why", "# Another model answer", cell_type="code"),
            by_hand(ESSAY, "Explain it.\n### BEGIN SOLUTION\nA model.\n### END SOLUTION"),
        )
    },
    answers={
        "ada": {SQUARE: f"def square(n):\n{indent(STUB, '    ')}", MODEL: "Mine."},
        "failing": {SQUARE: "def square(n):\n    return n / 0"},
        "no Python": {SQUARE: "def square(n)\n    return n"},
        "wrong": {SQUARE: "def square(n):\n    return n"},
    },
)


def test_cells_that_nobody_named_are_called_by_what_students_were_given_of_them(
    course: Path, autograder: Autograder
) -> None:
    UNNAMED.put(course)
    verified = autograder("verify", "unnamed").stdout
    assert "2 tests: 2 protected" in verified
    assert "assert square(3) == 9" in verified
    said = " ".join(autograder("grade", "unnamed", "--workers", 1).output.split())
    for words in (
        'nothing was written in "def square(n):"',
        'ZeroDivisionError: division by zero ("def square(n):", line 2)',
        "AssertionError (line 2: assert square(2) == 4)",
        "NameError: name 'square' is not defined; its cell stopped with SyntaxError: expected",
    ):
        assert words in said
    commented = autograder("comment", "unnamed").output
    assert "Nothing was written in def square(n):" in commented
    assert autograder("feedback", "unnamed").exit_code == 0
    assert autograder("report", "unnamed").exit_code == 0
    report = (course / "reports" / "unnamed.html").read_text("utf-8")
    assert "assert square(3) == 9" in report
    pages = {path.parts[-3]: path.read_text("utf-8") for path in course.glob("feedback/*/*/*.html")}
    assert len(pages) == 4
    for shown in ("assert square(2) == 4", "<code>def square(n):</code>", "Explain it."):
        assert shown in pages["ada"]
    assert "odel" not in pages["ada"]
    for text in (verified, said, commented, report, *pages.values()):
        assert not re.search(r"\bcell-", text)


@pytest.mark.deep
def test_nbgraders_own_program_refuses_tests_that_are_not_right(
    course: Path, autograder: Autograder
) -> None:
    WRONG_KEY.put(course)
    log = nbgrader("autograde", "odd", "--create", status=1)
    assert "double-right: the answer key gets 0 of 1: line 1, `assert double(2)" in log
    assert "c.Autograde.anyway = True" in log
    assert not (course / "autograded" / "key").exists()


def test_a_plan_is_worked_out_anew_when_the_master_changes(
    course: Path, autograder: Autograder
) -> None:
    WRONG_KEY.put(course)
    autograder("verify", "odd")
    mended = json.dumps(WRONG_KEY.notebooks["odd"]).replace("3 * number", "2 * number")
    path = course / "source" / "odd" / "odd.ipynb"
    path.write_text(mended.replace("callable(print)", "double(1) == 2"))
    assert autograder("verify", "odd").exit_code == 0
    path.write_text(mended.replace("2 * number", "4 * number"))
    assert autograder("verify", "odd").exit_code == 1


def test_a_kernel_other_than_python_is_refused(course: Path, autograder: Autograder) -> None:
    kernel = {"name": "ir", "display_name": "R", "language": "R"}
    cells = WRONG_KEY.notebooks["odd"]["cells"]
    Assignment("in-r", {"in-r": notebook(*cells, kernelspec=kernel)}).put(course)
    for command in ("verify", "grade"):
        (course / "submitted" / "key" / "in-r").mkdir(parents=True, exist_ok=True)
        said = autograder(command, "in-r")
        assert said.exit_code == 2
        assert "asks for the kernel ir (R); only Python is graded here" in said.stderr


def test_a_notebook_of_another_course_is_checked_without_the_gradebook(
    course: Path, autograder: Autograder
) -> None:
    TWO.put(course)
    files = [
        course / "submitted" / "wrong" / "two" / f"{name}.ipynb" for name in ("first", "second")
    ]
    said = [json.loads(line) for line in autograder("check", *files, "--json").stdout.splitlines()]
    assert [(one["lesson"], one["score"]) for one in said] == [("two", 1), ("two", 0)]


def test_what_is_wrong_with_one_notebook_takes_nothing_from_the_others(
    course: Path, autograder: Autograder
) -> None:
    wrong = {"q1": "def add(number):\n    return number"}
    replace(TWO, answers=dict.fromkeys(("ada", "cid"), wrong)).put(course)
    adas, cids = (course / "submitted" / who / "two" for who in ("ada", "cid"))
    (adas / "second.ipynb").unlink()
    (cids / "second.ipynb").write_bytes(b"")
    data = json.loads((cids / "first.ipynb").read_text())
    (cids / "first.ipynb").write_text(json.dumps({**data, "cells": data["cells"][:1]}))
    printed = autograder("grade", "two", "--workers", 1).stdout
    for command in ("feedback", "report", "comment", "results"):
        said = autograder(command, "two")
        assert said.exit_code == 0, said.output
        printed += said.stdout
    own = "AssertionError (line 1: assert add(1) == 2)"
    for who, reason in (("ada", "there is no second.ipynb"), ("cid", "the file is empty")):
        first, second = (
            (course / "feedback" / who / "two" / f"{name}.html").read_text()
            for name in ("first", "second")
        )
        assert (own in first, reason in first, "Nothing could be graded" in first) == (1, 0, 0)
        assert (own in second, reason in second, "Nothing could be graded" in second) == (0, 1, 1)
        assert ("test cell t1 was missing" in first, "t1" in second) == (who == "cid", False)
        assert printed.count(f"second.ipynb: {reason}") == 2  # of `grade` and `results`
    assert f"2  {own}" in printed  # the number of students who made the mistake
    report = (course / "reports" / "two.html").read_text()
    assert ("0 of 2 (0 %)" in report, "0 of 1" in report) == (True, False)
    assert "Still could not be graded: ada (second.ipynb: " in autograder("grade", "two").stderr
    result = autograder("check", "--lesson", "two", adas, "--as", "prairielearn").stdout
    said = json.loads(result)
    assert (said["gradable"], "there is no second.ipynb" in said["output"]) == (True, True)


OLD = {
    "cells": [
        {**plain("import math"), "metadata": {"nbgrader": {}}},
        {
            **plain("### BEGIN SOLUTION\nx = 1\n### END SOLUTION"),
            "metadata": {"nbgrader": {"grade_id": "x", "solution": True}},
        },
        {
            **plain("assert x == 1\n%timeit -n1 -r1 x"),
            "metadata": {"nbgrader": {"grade_id": "x-one", "grade": True, "points": "2"}},
        },
    ],
    "metadata": {"kernelspec": PYTHON},
    "nbformat": 4,
    "nbformat_minor": 0,
}


@pytest.mark.deep
def test_marks_of_the_first_version_are_read_and_own_delimiters_and_stubs_are_kept_to(
    course: Path, autograder: Autograder
) -> None:
    configure(
        "c.ClearSolutions.begin_solution_delimeter = 'ANSWER:'\n"
        "c.ClearSolutions.end_solution_delimeter = ':ANSWER'\n"
        "c.ClearSolutions.code_stub = {'python': 'x = None  # yours'}"
    )
    text = json.dumps(OLD).replace("### BEGIN SOLUTION", "# ANSWER:")
    text = text.replace("### END SOLUTION", "# :ANSWER")
    Assignment("old", {}).put(course)
    (course / "source" / "old" / "old.ipynb").write_text(text)
    found = plans(course, autograder, "old")
    assert found == {
        "x-one": ("inside", "it is no plain Python (a magic, a shell command, line 2)")
    }
    for student, source in {"right": "x = 1", "untouched": "x = None  # yours"}.items():
        handed_in = json.loads(text)
        handed_in["cells"][1]["source"] = source
        folder = course / "submitted" / student / "old"
        folder.mkdir(parents=True)
        (folder / "old.ipynb").write_text(json.dumps(handed_in))
    done = autograder("grade", "old", "--workers", 1)
    assert "nothing was written in x" in done.stdout
    assert scores(course, "old") == {"right": 2, "untouched": 0}
