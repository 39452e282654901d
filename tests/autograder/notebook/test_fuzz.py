"""Random bytes and random JSON: the grader reads each as a submission, or refuses it clearly."""

import json

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.course_adapter import ROOT
from autograder.grading_data import CellKind, Submission
from autograder.notebook.find_submitted_notebook import handin_of, understand
from autograder.notebook.make_graded_notebook import as_notebook
from autograder.notebook.master import read_master

MASTER = read_master("1-merge-a-line", ROOT / "source")
RELEASED = json.loads(
    (ROOT / "release" / MASTER.lesson / MASTER.notebook).read_text(encoding="utf-8")
)

CELL_KEYS = ("cell_type", "source", "id", "metadata", "input", "outputs", "attachments")
MARK_KEYS = ("nbgrader", "grade_id", "grade", "solution", "locked", "points", "task")
NOTEBOOK_KEYS = ("cells", "worksheets", "kernelspec", "name", "nbformat", "nbformat_minor")
KEYS = st.sampled_from([*CELL_KEYS, *MARK_KEYS, *NOTEBOOK_KEYS])
WORDS = st.sampled_from(["code", "markdown", "raw", "heading", "merge", "merge-once", "\udcff"])
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | WORDS | st.text(max_size=20)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=25,
)
NOTEBOOKS = st.fixed_dictionaries(
    {"cells": st.lists(ANYTHING, max_size=5)},
    optional={"metadata": ANYTHING, "nbformat": ANYTHING, "nbformat_minor": ANYTHING},
)


def assert_sound(submission: Submission) -> None:
    """Assert that a submission has all of the instructor's tests, and becomes a valid notebook."""
    tests = [cell.id for cell in submission.cells if cell.kind is CellKind.TEST]
    assert tests == [cell.id for cell in MASTER.cells if cell.kind is CellKind.TEST]
    assert submission.is_readable or submission.problems
    notebook = as_notebook(submission, MASTER)
    assert json.dumps(notebook, ensure_ascii=False).encode()
    nbformat.validate(nbformat.from_dict(notebook))


@given(
    st.binary(max_size=200) | (ANYTHING | NOTEBOOKS).map(lambda value: json.dumps(value).encode())
)
def test_any_bytes_and_any_json_are_read_or_refused(data: bytes) -> None:
    assert_sound(understand(handin_of("x.ipynb", data), MASTER))


@given(st.data())
def test_a_release_copy_with_anything_in_any_place_is_still_read(data: st.DataObject) -> None:
    notebook = json.loads(json.dumps(RELEASED))
    cell = data.draw(st.sampled_from(notebook["cells"]), "cell")
    place = data.draw(st.sampled_from([cell, cell["metadata"], notebook["metadata"]]), "place")
    place.update(data.draw(st.dictionaries(KEYS, ANYTHING, max_size=3), "change"))
    assert_sound(understand(handin_of("x.ipynb", json.dumps(notebook).encode()), MASTER))


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_a_file_cut_off_anywhere_is_refused(share: float) -> None:
    data = json.dumps(RELEASED, indent=1).encode()
    submission = understand(handin_of("x.ipynb", data[: int(len(data) * share)]), MASTER)
    assert submission.problems[0].startswith("the file is cut off at its end")
