"""The results of grading are in nbgrader's gradebook and folders, and its programs can use them."""

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import pytest

from autograder.sample import Sampler
from tests.autograder.conftest import LESSON, make_course
from tests.autograder.gradebook.nbgrader_helpers import (
    WRONG,
    Grade,
    HandIn,
    hands_in,
    nbgrader,
    opened,
    score,
    submission,
)

NAME = "merge-a-line.ipynb"
PICTURE = "<img src=x onerror=alert(1)>.ipynb"


@dataclass(frozen=True)
class Graded:
    """A class that was graded once: its folder, the exit status, and the JSON of each student."""

    folder: Path
    status: int
    told: dict[str, dict[str, Any]]

    def notebook(self, student: str) -> Any:
        path = self.folder / "autograded" / student / LESSON / NAME
        return nbformat.read(path, as_version=4)

    def comments(self, student: str) -> set[str]:
        with opened(self.folder) as book:
            [notebook] = submission(book, student).notebooks
            return {comment.auto_comment for comment in notebook.comments}


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory, sampler: Sampler, grade: Grade) -> Graded:
    course = make_course(tmp_path_factory.mktemp("graded") / "course")
    hand_in = hands_in(course, sampler)
    hand_in("right")
    hand_in("wrong", merge=f"{WRONG}\n\n\nprint('hello')")
    (hand_in("idle") / NAME).write_text(json.dumps(sampler.untouched()), encoding="utf-8")
    (hand_in("empty") / NAME).write_bytes(b"")
    folder = hand_in("picture")
    (folder / NAME).unlink()
    (folder / PICTURE).write_text("{}")
    hand_in("timeless", "last night /etc/localtime")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(course)
        result = grade("--json")
    told = {one["student"]: one for one in map(json.loads, result.stdout.splitlines())}
    return Graded(course, result.exit_code, told)


def test_every_row_is_as_the_json_says_without_nbgraders_help(graded: Graded) -> None:
    for student, points in {"right": 12, "wrong": 3, "idle": 0, "empty": 0}.items():
        with opened(graded.folder) as book:
            assert submission(book, student).score == points
            [notebook] = submission(book, student).notebooks
            rows = {grade.name: grade.auto_score for grade in notebook.grades}
            checks = graded.told[student]["checks"]
            assert rows == {check["id"]: check["points"] for check in checks}
            assert not any(grade.needs_manual_grade for grade in notebook.grades)


def test_comments_say_that_nothing_was_written_or_could_be_graded_and_are_no_markup(
    graded: Graded,
) -> None:
    assert graded.status == 1
    assert graded.comments("idle") == {"No response."}
    assert graded.comments("empty") == {"Nothing could be graded: the file is empty."}
    assert all("\\<img" in comment for comment in graded.comments("picture"))


def test_the_graded_notebook_is_valid_and_shows_what_failed(graded: Graded) -> None:
    notebook = graded.notebook("wrong")
    nbformat.validate(notebook)
    cells = {cell.id: cell for cell in notebook.cells}
    assert cells["merge"].outputs[0].text == "hello\n"
    assert cells["tiles-to-front"].outputs == []
    assert cells["merge-once"].outputs[0].ename == "CheckFailed"


def test_a_time_that_is_none_is_listed_and_counts_as_not_known(graded: Graded) -> None:
    [problem] = graded.told["timeless"]["problems"]
    assert problem.startswith("timestamp.txt could not be read; mend it: ")
    assert graded.told["timeless"]["score"] == 12


@pytest.mark.deep
def test_feedback_and_export_of_nbgrader_work_on_the_result(
    graded: Graded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(graded.folder)
    nbgrader("generate_feedback", LESSON)
    nbgrader("export", "--to", "grades.csv")
    page = Path("feedback", "wrong", LESSON, "merge-a-line.html").read_text()
    assert "(Score: 3.0 / 12.0)" in page
    assert "Which end" not in page
    assert "12.0,12.0" in Path("grades.csv").read_text()
    assert Path("feedback", "empty", LESSON, "merge-a-line.html").exists()


ODD = ["Zoë Müller", "a..b", "[x]*?", "-rf", 'quote\'s "and" $HOME', "n" * 200, "%d{0}{who}", "~"]


def test_a_students_id_may_be_anything_but_is_text(hand_in: HandIn, grade: Grade) -> None:
    for student in (*ODD, "caf\udce9\x1b[2J"):
        hand_in(student)
    assert grade().exit_code == 0
    assert {student: score(student) for student in ODD} == dict.fromkeys(ODD, 12)
    assert score(r"caf\udce9\x1b[2J") == 12


def test_files_beside_the_notebook_come_along_but_no_link_is_followed(
    hand_in: HandIn, grade: Grade
) -> None:
    folder = hand_in("someone")
    (folder / "kept").mkdir()
    (folder / "kept" / "merge.py").write_text("def merge(line): ...")
    (folder / "passwd").symlink_to("/etc/passwd")
    (folder / "pictures").write_text("in the way of the master's folder")
    Path("submitted", "lazy").symlink_to(folder.parent)
    Path("submitted", "idle").mkdir()
    Path("submitted", "idle", LESSON).symlink_to(folder)
    assert grade().exit_code == 1
    assert [score(student) for student in ("someone", "lazy", "idle")] == [12, 0, 0]
    done = Path("autograded", "someone", LESSON)
    assert (done / "kept" / "merge.py").exists()
    assert (done / "pictures").is_dir()
    assert not os.path.lexists(done / "passwd")


@pytest.mark.deep
def test_a_master_that_lost_a_graded_check_is_refused_until_the_way_that_is_told_was_gone(
    course: Path, hand_in: HandIn, grade: Grade
) -> None:
    hand_in("right")
    grade()
    path = course / "source" / LESSON / "merge-a-line.ipynb"
    notebook = json.loads(path.read_text())
    notebook["cells"] = [cell for cell in notebook["cells"] if cell["id"] != "merge-once"]
    path.write_text(json.dumps(notebook))
    refused = grade()
    assert (refused.exit_code, score("right")) == (2, 12)
    assert "Put the cells back; or make a copy of the gradebook" in refused.stderr
    told = re.search(r"run nbgrader (.*?), and grade again", " ".join(refused.stderr.split()))
    assert told
    nbgrader(*told[1].split())
    again = grade()
    assert (again.exit_code, score("right")) == (0, 10)
