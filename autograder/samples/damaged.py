"""Damaged submissions: everything that happens to notebook files on their way to the grader.

Each function below hands in a damaged copy of a right notebook, and is named after what happened.
It is given a `Desk`: the folder to hand in, the file name that the lesson wants, the notebook.
"""

import base64
import codecs
import json
import os
import sys
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Cell = dict[str, Any]


@dataclass(frozen=True)
class Desk:
    """Where a submission is damaged: `notebook` is a copy of a right one, free to be spoiled."""

    folder: Path
    name: str
    notebook: dict[str, Any]

    @property
    def path(self) -> Path:
        """Where the lesson's notebook belongs."""
        return self.folder / self.name

    @property
    def cells(self) -> list[Cell]:
        """All cells of the notebook."""
        cells: list[Cell] = self.notebook["cells"]
        return cells

    def marked(self, mark: str) -> list[Cell]:
        """The cells with one of nbgrader's marks: `grade`, `solution` or `locked`."""
        return [cell for cell in self.cells if cell["metadata"].get("nbgrader", {}).get(mark)]

    def save(self, data: bytes | None = None) -> None:
        """Writes the notebook, or other bytes in its place."""
        self.path.write_bytes(self.as_bytes() if data is None else data)

    def as_bytes(self) -> bytes:
        """The notebook as a file."""
        return json.dumps(self.notebook, indent=1, ensure_ascii=False).encode()


@dataclass(frozen=True)
class Damage:
    """One kind of damage. `is_readable` says whether a grader can still find the answers in it."""

    name: str
    do: Callable[[Desk], None]
    is_readable: bool

    def hand_in(self, folder: Path, name: str, notebook: dict[str, Any]) -> None:
        """Puts the damaged submission in a folder, which is made."""
        folder.mkdir(parents=True)
        self.do(Desk(folder, name, deepcopy(notebook)))


DAMAGES: list[Damage] = []


def unreadable(do: Callable[[Desk], None]) -> Callable[[Desk], None]:
    """Nothing can be graded; the score is 0, with the reason."""
    DAMAGES.append(Damage(do.__name__.replace("_", "-"), do, is_readable=False))
    return do


def repairable(do: Callable[[Desk], None]) -> Callable[[Desk], None]:
    """The answers are all there, so that every point is due."""
    DAMAGES.append(Damage(do.__name__.replace("_", "-"), do, is_readable=True))
    return do


# -- no notebook ----------------------------------------------------------------------------------


@unreadable
def empty_file(desk: Desk) -> None:
    desk.save(b"")


@unreadable
def only_blanks(desk: Desk) -> None:
    desk.save(b" \n\t\n")


@unreadable
def only_zero_bytes(desk: Desk) -> None:
    desk.save(bytes(4096))


@unreadable
def cut_off(desk: Desk) -> None:
    data = desk.as_bytes()
    desk.save(data[: len(data) // 2])


@unreadable
def merge_conflict(desk: Desk) -> None:
    lines = desk.as_bytes().splitlines(keepends=True)
    lines[len(lines) // 2 : len(lines) // 2] = [b"<<<<<<< HEAD\n", b"=======\n", b">>>>>>> mine\n"]
    desk.save(b"".join(lines))


@unreadable
def a_python_script(desk: Desk) -> None:
    desk.save(b"def merge(line):\n    return line\n")


@unreadable
def a_web_page(desk: Desk) -> None:
    desk.save(b"<!DOCTYPE html><html><body>Please log in</body></html>")


@unreadable
def a_zip_archive(desk: Desk) -> None:
    desk.save(b"PK\x03\x04" + desk.as_bytes()[:200])


@unreadable
def a_list(desk: Desk) -> None:
    desk.save(json.dumps(desk.cells).encode())


@unreadable
def a_number(desk: Desk) -> None:
    desk.save(b"2048")


@unreadable
def no_cells(desk: Desk) -> None:
    del desk.notebook["cells"]
    desk.save()


@unreadable
def cells_are_a_text(desk: Desk) -> None:
    desk.notebook["cells"] = "def merge(line): ..."
    desk.save()


@unreadable
def nested_too_deep(desk: Desk) -> None:
    depth = 100 * sys.getrecursionlimit()
    desk.save(b'{"cells": ' + b"[" * depth + b"]" * depth + b"}")


@unreadable
def a_number_too_long(desk: Desk) -> None:
    desk.save(b'{"cells": [], "nbformat": ' + b"4" * 10_000 + b"}")


@unreadable
def too_big(desk: Desk) -> None:
    desk.save()
    os.truncate(desk.path, 2**30)


@unreadable
def a_folder_in_its_place(desk: Desk) -> None:
    desk.path.mkdir()


@unreadable
def no_file(desk: Desk) -> None:
    (desk.folder / "sorry.txt").write_text("I could not upload it")


@unreadable
def a_link_to_nothing(desk: Desk) -> None:
    desk.path.symlink_to("somewhere/else.ipynb")


@unreadable
def a_link_to_itself(desk: Desk) -> None:
    desk.path.symlink_to(desk.name)


@unreadable
def a_link_out_of_the_folder(desk: Desk) -> None:
    other = desk.folder.parent / "somebody-elses.ipynb"
    other.write_bytes(desk.as_bytes())
    desk.path.symlink_to(other)


@unreadable
def a_pipe(desk: Desk) -> None:
    os.mkfifo(desk.path)


# -- odd bytes ------------------------------------------------------------------------------------


@repairable
def byte_order_mark(desk: Desk) -> None:
    desk.save(codecs.BOM_UTF8 + desk.as_bytes())


@repairable
def utf_16(desk: Desk) -> None:
    desk.save(desk.as_bytes().decode().encode("utf-16"))


@repairable
def not_utf_8(desk: Desk) -> None:
    desk.cells[0]["source"] = "Schöne Grüße"
    desk.save(desk.as_bytes().decode().encode("cp1252", "replace"))


@repairable
def half_characters(desk: Desk) -> None:
    data = desk.as_bytes().replace(b"# Merge", rb"\ud83d Merge", 1)
    desk.save(data)


@repairable
def line_breaks_in_texts(desk: Desk) -> None:
    desk.save(desk.as_bytes().replace(b"\\n", b"\n"))


@repairable
def windows_line_ends(desk: Desk) -> None:
    for cell in desk.marked("solution"):
        cell["source"] = _source(cell).replace("\n", "\r\n")
    desk.save(desk.as_bytes().replace(b"\n", b"\r\n"))


@repairable
def text_after_the_end(desk: Desk) -> None:
    desk.save(desk.as_bytes() + b"\n}\n]garbage")


# -- other formats --------------------------------------------------------------------------------


@repairable
def format_3(desk: Desk) -> None:
    cells = [_old_cell(cell) for cell in desk.cells]
    old = {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": "old"}}
    desk.save(json.dumps({**old, "worksheets": [{"cells": cells, "metadata": {}}]}).encode())


@repairable
def format_4_2_without_ids(desk: Desk) -> None:
    desk.notebook["nbformat_minor"] = 2
    for cell in desk.cells:
        cell.pop("id", None)
    desk.save()


@repairable
def a_newer_format(desk: Desk) -> None:
    desk.notebook.update(nbformat=5, nbformat_minor=1, novelty=True)
    desk.save()


@repairable
def no_format_at_all(desk: Desk) -> None:
    del desk.notebook["nbformat"], desk.notebook["nbformat_minor"]
    desk.save()


@repairable
def no_metadata(desk: Desk) -> None:
    del desk.notebook["metadata"]
    desk.save()


@repairable
def another_kernel(desk: Desk) -> None:
    desk.notebook["metadata"]["kernelspec"] = {"name": "julia-1.10", "display_name": "Julia"}
    desk.save()


@repairable
def metadata_of_wrong_types(desk: Desk) -> None:
    desk.notebook["metadata"] = {"kernelspec": ["python3"], "language_info": 3}
    desk.cells[0]["metadata"] = None
    desk.cells[2]["metadata"] = [1, 2]
    desk.save()


@repairable
def outputs_of_wrong_types(desk: Desk) -> None:
    for cell in desk.cells:
        cell |= {"outputs": "lost", "execution_count": {"n": 1}, "attachments": 7}
    desk.save()


@repairable
def entries_that_are_no_cells(desk: Desk) -> None:
    cells: list[Any] = desk.cells
    cells[3:3] = [None, 7, "text", []]
    desk.save()


@repairable
def sources_of_wrong_types(desk: Desk) -> None:
    desk.cells.insert(3, {"cell_type": "code", "metadata": {}, "source": {"text": "x"}})
    desk.cells.insert(4, {"cell_type": "code", "metadata": {}, "source": [None, "y = 1", 2]})
    desk.save()


# -- cells that nbgrader knows --------------------------------------------------------------------


@repairable
def test_cell_deleted(desk: Desk) -> None:
    desk.cells.remove(desk.marked("grade")[0])
    desk.save()


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
    cell["source"] = _source(cell) + "\nprint('it works')"
    desk.save()


@repairable
def test_cell_overwritten(desk: Desk) -> None:
    desk.marked("grade")[0]["source"] = "print('my own notes, in the wrong cell')"
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
    desk.cells.append(_code_cell("bonus", "pass", {"nbgrader": {**marks, "schema_version": 3}}))
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
    given = [line for line in _source(cell).splitlines()[:2] if line.lstrip().startswith(_GIVEN)]
    stub = [*given, "    # YOUR CODE HERE", "    raise NotImplementedError()"]
    desk.cells.append({**deepcopy(cell), "source": "\n".join(stub)})
    desk.save()


@repairable
def answer_in_a_new_cell(desk: Desk) -> None:
    cell = desk.marked("solution")[-1]
    desk.cells[desk.cells.index(cell)] = _code_cell("7b1c", _source(cell), {})
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
def all_marks_lost(desk: Desk) -> None:
    for cell in desk.cells:
        cell["metadata"] = {}
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
    desk.notebook["cells"] = desk.cells + [_code_cell(f"n{n}", "1", {}) for n in range(3000)]
    desk.save()


@repairable
def a_picture_of_megabytes(desk: Desk) -> None:
    picture = base64.b64encode(bytes(3 * 2**20)).decode()
    desk.cells[0]["attachments"] = {"me.png": {"image/png": picture}}
    desk.save()


# -- the file itself ------------------------------------------------------------------------------


@repairable
def another_file_name(desk: Desk) -> None:
    (desk.folder / "My solution (final) (2).ipynb").write_bytes(desk.as_bytes())


@repairable
def an_upper_case_ending(desk: Desk) -> None:
    (desk.folder / desk.name.replace(".ipynb", ".IPYNB")).write_bytes(desk.as_bytes())


@repairable
def another_ending(desk: Desk) -> None:
    (desk.folder / f"{desk.name}.json").write_bytes(desk.as_bytes())


@repairable
def in_a_folder_in_the_folder(desk: Desk) -> None:
    inner = desk.folder / "my homework"
    inner.mkdir()
    (inner / desk.name).write_bytes(desk.as_bytes())


@repairable
def two_notebooks(desk: Desk) -> None:
    (desk.folder / "merge-copy.ipynb").write_bytes(desk.as_bytes())
    desk.save()


@repairable
def an_empty_file_beside_a_copy(desk: Desk) -> None:
    (desk.folder / "copy.ipynb").write_bytes(desk.as_bytes())
    desk.save(b"")


@repairable
def a_link_within_the_folder(desk: Desk) -> None:
    (desk.folder / "real.ipynb").write_bytes(desk.as_bytes())
    desk.path.symlink_to("real.ipynb")


@repairable
def links_beside_it(desk: Desk) -> None:
    desk.save()
    (desk.folder / "everything").symlink_to("/")
    (desk.folder / "passwords.txt").symlink_to("/etc/passwd")
    os.mkfifo(desk.folder / "pipe.txt")


@repairable
def a_time_that_is_none(desk: Desk) -> None:
    desk.save()
    (desk.folder / "timestamp.txt").write_text("yesterday evening, I think")


_GIVEN = ("def ", "class ", '"""')


def _source(cell: Cell) -> str:
    return "".join(cell["source"])


def _code_cell(name: str, source: str, metadata: dict[str, Any]) -> Cell:
    cell = {"cell_type": "code", "id": name, "metadata": metadata, "source": source}
    return {**cell, "outputs": [], "execution_count": None}


def _retype(cell: Cell, cell_type: str) -> None:
    cell["cell_type"] = cell_type
    del cell["outputs"], cell["execution_count"]


def _old_cell(cell: Cell) -> Cell:
    """A cell as notebooks had them before 2015."""
    old = {"cell_type": cell["cell_type"], "metadata": cell["metadata"]}
    if cell["cell_type"] != "code":
        return {**old, "source": cell["source"]}
    code = {"input": cell["source"], "outputs": [], "prompt_number": 1, "collapsed": False}
    return {**old, **code, "language": "python"}
