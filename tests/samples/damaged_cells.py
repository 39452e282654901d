"""Notebooks in which nbgrader's cells were deleted, moved, retyped, renamed or edited."""

import base64
from copy import deepcopy

from autograder.sample.damages import Cell, Desk
from tests.samples.damage import code_cell, repairable, source_of

_GIVEN = ("def ", "class ", '"""')


@repairable
def all_test_cells_deleted(desk: Desk) -> None:
    for cell in desk.marked("grade"):
        desk.cells.remove(cell)
    desk.save()


@repairable
def test_cell_twice(desk: Desk) -> None:
    cell = desk.marked("grade")[0]
    desk.cells.insert(desk.cells.index(cell) + 1, deepcopy(cell))
    desk.save()


@repairable
def test_cells_first(desk: Desk) -> None:
    tests = desk.marked("grade")
    desk.notebook["cells"] = tests + [cell for cell in desk.cells if cell not in tests]
    desk.save()


@repairable
def cells_backwards(desk: Desk) -> None:
    desk.cells.reverse()
    desk.save()


@repairable
def test_cell_edited(desk: Desk) -> None:
    cell = desk.marked("grade")[0]
    cell["source"] = source_of(cell) + "\nprint('it works')"
    desk.save()


@repairable
def test_cell_emptied(desk: Desk) -> None:
    desk.marked("grade")[0]["source"] = ""
    desk.save()


@repairable
def test_cell_became_text(desk: Desk) -> None:
    _retype(desk.marked("grade")[0], "markdown")
    desk.save()


@repairable
def test_cell_renamed(desk: Desk) -> None:
    cell = desk.marked("grade")[0]
    cell["id"] = cell["metadata"]["nbgrader"]["grade_id"] = "cell-0f3a9c"
    desk.save()


@repairable
def test_marked_as_answer(desk: Desk) -> None:
    marks = desk.marked("grade")[0]["metadata"]["nbgrader"]
    marks |= {"grade": False, "solution": True, "locked": False}
    desk.save()


@repairable
def points_changed(desk: Desk) -> None:
    for cell in desk.marked("grade"):
        cell["metadata"]["nbgrader"]["points"] = 100
    desk.save()


@repairable
def points_of_wrong_type(desk: Desk) -> None:
    desk.marked("grade")[0]["metadata"]["nbgrader"]["points"] = "all of them"
    desk.save()


@repairable
def a_check_of_ones_own(desk: Desk) -> None:
    marks = {"grade": True, "grade_id": "bonus", "locked": True, "points": 50, "solution": False}
    desk.cells.append(code_cell("bonus", "pass", {"nbgrader": {**marks, "schema_version": 3}}))
    desk.save()


@repairable
def given_cell_deleted(desk: Desk) -> None:
    for cell in desk.marked("locked"):
        if not cell["metadata"]["nbgrader"]["grade"]:
            desk.cells.remove(cell)
    desk.save()


@repairable
def given_cell_edited(desk: Desk) -> None:
    given = next(c for c in desk.marked("locked") if not c["metadata"]["nbgrader"]["grade"])
    given["source"] = "import course"
    desk.save()


@repairable
def answer_became_text(desk: Desk) -> None:
    _retype(desk.marked("solution")[-1], "markdown")
    desk.save()


@repairable
def answer_became_raw(desk: Desk) -> None:
    _retype(desk.marked("solution")[-1], "raw")
    desk.save()


@repairable
def answer_twice(desk: Desk) -> None:
    cell = desk.marked("solution")[-1]
    desk.cells.insert(desk.cells.index(cell), deepcopy(cell))
    desk.save()


@repairable
def answer_and_an_untouched_copy(desk: Desk) -> None:
    cell = desk.marked("solution")[-1]
    given = [line for line in source_of(cell).splitlines()[:2] if line.lstrip().startswith(_GIVEN)]
    stub = [*given, "    # YOUR CODE HERE", "    raise NotImplementedError()"]
    desk.cells.append({**deepcopy(cell), "source": "\n".join(stub)})
    desk.save()


@repairable
def answer_under_another_name(desk: Desk) -> None:
    cell = desk.marked("solution")[-1]
    cell["id"] = cell["metadata"]["nbgrader"]["grade_id"] = "cell-41b2"
    desk.save()


@repairable
def answer_under_a_tests_name(desk: Desk) -> None:
    cell = desk.marked("solution")[-1]
    cell["metadata"]["nbgrader"]["grade_id"] = desk.marked("grade")[-1]["metadata"]["nbgrader"][
        "grade_id"
    ]
    desk.save()


@repairable
def all_marks_and_ids_lost(desk: Desk) -> None:
    for cell in desk.cells:
        cell["metadata"] = {}
        del cell["id"]
    desk.save()


@repairable
def old_marks(desk: Desk) -> None:
    for cell in desk.marked("locked") + desk.marked("solution"):
        marks = cell["metadata"]["nbgrader"]
        cell["metadata"]["nbgrader"] = {
            key: marks[key] for key in ("grade", "grade_id", "points", "solution") if key in marks
        }
    desk.save()


@repairable
def newer_marks(desk: Desk) -> None:
    for cell in desk.marked("locked") + desk.marked("solution"):
        cell["metadata"]["nbgrader"] |= {"schema_version": 9, "rubric": {"a": 1}}
    desk.save()


@repairable
def marks_of_wrong_types(desk: Desk) -> None:
    desk.marked("solution")[0]["metadata"]["nbgrader"]["grade_id"] = 7
    desk.marked("grade")[0]["metadata"]["nbgrader"] = "graded"
    desk.save()


@repairable
def ids_repeated(desk: Desk) -> None:
    for cell in desk.cells:
        cell["id"] = "cell"
    desk.save()


@repairable
def ids_that_are_none(desk: Desk) -> None:
    for number, cell in enumerate(desk.cells):
        cell["id"] = [None, 7, "", "with blanks and ü", "x" * 500][number % 5]
    desk.save()


@repairable
def thousands_of_cells(desk: Desk) -> None:
    desk.notebook["cells"] = desk.cells + [code_cell(f"n{n}", "1", {}) for n in range(3000)]
    desk.save()


@repairable
def a_picture_of_megabytes(desk: Desk) -> None:
    picture = base64.b64encode(bytes(3 * 2**20)).decode()
    desk.cells[0]["attachments"] = {"me.png": {"image/png": picture}}
    desk.save()


@repairable
def outputs_of_megabytes(desk: Desk) -> None:
    lines = ["x" * 1000 + "\n"] * 3000
    desk.marked("solution")[-1]["outputs"] = [
        {"output_type": "stream", "name": "stdout", "text": lines}
    ]
    desk.save()


@repairable
def thousands_of_blank_lines(desk: Desk) -> None:
    cell = desk.marked("solution")[-1]
    cell["source"] = "\n" * 20_000 + source_of(cell)
    desk.save()


@repairable
def a_script_in_a_text(desk: Desk) -> None:
    text = "My notes <img src=x onerror=alert(1)> [link](javascript:alert(1))"
    desk.cells.append({"cell_type": "markdown", "id": "notes", "metadata": {}, "source": text})
    desk.save()


@repairable
def a_drawing_that_is_no_picture(desk: Desk) -> None:
    drawing = base64.b64encode(b"<svg onload='alert(1)'></svg>").decode()
    desk.cells[0]["attachments"] = {"me.svg": {"image/svg+xml": drawing}}
    desk.save()


@repairable
def text_that_turns_around(desk: Desk) -> None:
    desk.cells.append(code_cell("notes", "# \u202eno text reads this way", {}))
    desk.save()


def _retype(cell: Cell, cell_type: str) -> None:
    cell["cell_type"] = cell_type
    del cell["outputs"], cell["execution_count"]
