"""The grading of one submission: if the grader itself fails, it gives no points and says so."""

import json
from dataclasses import replace

import pytest

from autograder.course_adapter import ROOT
from autograder.grade_submission import grade
from autograder.grading_data import CellKind, Outcome
from autograder.jail import Conditions, Limits
from autograder.notebook.find_submitted_notebook import Handin, handin_of
from autograder.notebook.master import Master, MasterCell, master_of
from autograder.sample import Sampler
from tests.autograder.assignment_builder import STUB


@pytest.fixture
def right(sampler: Sampler) -> Handin:
    return handin_of("merge-a-line.ipynb", json.dumps(sampler.notebook()).encode())


def with_manual_cell(master: Master) -> Master:
    """Return the instructor's notebook with one more cell, an answer that a person must grade."""
    marks = {"grade": True, "solution": True, "locked": False, "points": 3, "grade_id": "explain"}
    manual = MasterCell("explain", CellKind.MANUAL, STUB, 3.0, metadata={"nbgrader": marks})
    return replace(master, cells=(*master.cells, manual))


def test_a_grader_that_fails_gives_nothing_says_so_and_goes_on(
    right: Handin, master: Master, capsys: pytest.CaptureFixture[str]
) -> None:
    graded = grade(right, replace(master, files={"\0": b""}))
    assert (graded.score, graded.max_score, graded.is_readable) == (0, 12, False)
    assert graded.problems[0].startswith("the grader itself failed on this submission")
    assert "Traceback" in capsys.readouterr().err
    assert right.digest not in graded.notebook  # so the next run grades it again
    assert grade(right, master).score == 12


def test_only_those_of_a_students_files_that_fit_are_laid_into_the_jail(
    right: Handin, master: Master
) -> None:
    limits = Limits(file_size=2**20, folder_size=2**21)
    files = {"large": bytes(2**20 + 1), "first": bytes(2**20), "second": bytes(2**19), "x": b""}
    brings = replace(right, files=files)
    graded = grade(brings, replace(master, files={"data": bytes(2**19)}), Conditions(True, limits))
    assert (graded.score, brings.digest in graded.notebook) == (12, True)
    assert [problem.partition(": ")[0] for problem in graded.problems] == [
        "large was left out",
        "second was left out",
    ]


@pytest.mark.parametrize(
    ("answer", "untouched"),
    [(STUB, ("explain",)), ("'because'", ())],
    ids=["as it was given out", "answered"],
)
def test_an_answer_for_a_person_waits_for_a_person_and_is_known_to_be_untouched_or_not(
    answer: str, untouched: tuple[str, ...], sampler: Sampler, master: Master
) -> None:
    notebook = sampler.notebook()
    marks = {"nbgrader": {"grade_id": "explain"}}
    cell = {"cell_type": "code", "id": "explain", "metadata": marks, "source": answer}
    notebook["cells"].append(cell)
    handin = handin_of("merge-a-line.ipynb", json.dumps(notebook).encode())
    graded = grade(handin, with_manual_cell(master))
    assert graded.checks[-1].outcome is Outcome.MANUAL
    assert (graded.score, graded.max_score, graded.untouched) == (12, 15, untouched)


def test_the_master_is_the_same_from_the_file_and_from_its_dictionary(master: Master) -> None:
    path = ROOT / "source" / master.lesson / master.notebook
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert master_of(master.lesson, notebook, master.notebook) == master
