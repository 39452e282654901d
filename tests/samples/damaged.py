"""Damaged submissions: all that can happen to notebooks on their way to the grader.

Each `Damage` hands in a damaged copy of a right notebook. Its name says what has happened to the
copy. The most frequent kinds of damage come from `autograder sample`.
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

from autograder.sample import damages
from autograder.sample.damages import Cell, Desk

DEPTH = 100 * sys.getrecursionlimit()
GIVEN = ("def ", "class ", '"""')
Do = Callable[[Desk], object]


@dataclass(frozen=True)
class Damage:
    """One kind of damage; `is_readable` is true if a grader can still find all answers."""

    name: str
    do: Callable[[Desk], object]
    is_readable: bool

    def hand_in(self, folder: Path, name: str, notebook: dict[str, Any]) -> None:
        """Make the folder of a submission, and write a damaged copy of `notebook` into it."""
        folder.mkdir(parents=True)
        self.do(Desk(folder, name, deepcopy(notebook)))


def source_of(cell: Cell) -> str:
    """Return the source of a cell as one text."""
    return "".join(cell["source"])


def code_cell(name: str, source: str, metadata: dict[str, Any]) -> Cell:
    """Return a code cell that has not been run."""
    cell = {"cell_type": "code", "id": name, "metadata": metadata, "source": source}
    return {**cell, "outputs": [], "execution_count": None}


def first_test(desk: Desk) -> Cell:
    return desk.marked("grade")[0]


def last_answer(desk: Desk) -> Cell:
    return desk.marked("solution")[-1]


def given_cells(desk: Desk) -> list[Cell]:
    return [cell for cell in desk.marked("locked") if not marks(cell)["grade"]]


def marks(cell: Cell) -> dict[str, Any]:
    """Return the dictionary of nbgrader's marks in a cell's metadata, not a copy of it."""
    found: dict[str, Any] = cell["metadata"]["nbgrader"]
    return found


def merge_conflict(desk: Desk) -> None:
    lines = desk.as_bytes().splitlines(keepends=True)
    lines[len(lines) // 2 : len(lines) // 2] = [b"<<<<<<< HEAD\n", b"=======\n", b">>>>>>> mine\n"]
    desk.save(b"".join(lines))


def no_cells(desk: Desk) -> None:
    del desk.notebook["cells"]
    desk.save()


def cells_are_a_text(desk: Desk) -> None:
    desk.notebook["cells"] = "def merge(line): ..."
    desk.save()


def too_big(desk: Desk) -> None:
    desk.save()
    os.truncate(desk.path, 2**30)


def a_link_out_of_the_folder(desk: Desk) -> None:
    other = desk.folder.parent / "somebody-elses.ipynb"
    other.write_bytes(desk.as_bytes())
    desk.path.symlink_to(other)


# Name → what is done to the file. Nothing can be graded afterwards, so the score is 0.
UNREADABLE: dict[str, Do] = {
    "only-blanks": lambda desk: desk.save(b" \n\t\n"),
    "only-zero-bytes": lambda desk: desk.save(bytes(4096)),
    "merge-conflict": merge_conflict,
    "a-python-script": lambda desk: desk.save(b"def merge(line):\n    return line\n"),
    "a-web-page": lambda desk: desk.save(b"<!DOCTYPE html><html><body>Please log in</body></html>"),
    "a-zip-archive": lambda desk: desk.save(b"PK\x03\x04" + desk.as_bytes()[:200]),
    "a-list": lambda desk: desk.save(json.dumps(desk.cells).encode()),
    "a-number": lambda desk: desk.save(b"2048"),
    "no-cells": no_cells,
    "cells-are-a-text": cells_are_a_text,
    "nested-too-deep": lambda desk: desk.save(b'{"cells": ' + b"[" * DEPTH + b"]" * DEPTH + b"}"),
    "a-number-too-long": lambda desk: desk.save(b'{"cells": [], "nbformat": %s}' % (b"4" * 10_000)),
    "too-big": too_big,
    "a-folder-in-its-place": lambda desk: desk.path.mkdir(),
    "a-link-to-nothing": lambda desk: desk.path.symlink_to("somewhere/else.ipynb"),
    "a-link-to-itself": lambda desk: desk.path.symlink_to(desk.name),
    "a-link-out-of-the-folder": a_link_out_of_the_folder,
    "a-pipe": lambda desk: os.mkfifo(desk.path),
}


def not_utf_8(desk: Desk) -> None:
    desk.cells[0]["source"] = "Schöne Grüße"
    desk.save(desk.as_bytes().decode().encode("cp1252", "replace"))


def windows_line_ends(desk: Desk) -> None:
    for cell in desk.marked("solution"):
        cell["source"] = source_of(cell).replace("\n", "\r\n")
    desk.save(desk.as_bytes().replace(b"\n", b"\r\n"))


def format_3(desk: Desk) -> None:
    """Save the notebook of `desk` in format 3, the format that notebooks had before 2015."""
    cells = []
    for cell in desk.cells:
        old = {"cell_type": cell["cell_type"], "metadata": cell["metadata"]}
        code = {"input": cell["source"], "outputs": [], "prompt_number": 1, "collapsed": False}
        is_code = cell["cell_type"] == "code"
        more = {**code, "language": "python"} if is_code else {"source": cell["source"]}
        cells.append({**old, **more})
    form = {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": "old"}}
    desk.save(json.dumps({**form, "worksheets": [{"cells": cells, "metadata": {}}]}).encode())


def in_a_folder_in_the_folder(desk: Desk) -> None:
    inner = desk.folder / "my homework"
    inner.mkdir()
    (inner / desk.name).write_bytes(desk.as_bytes())


def two_notebooks(desk: Desk) -> None:
    (desk.folder / "merge-copy.ipynb").write_bytes(desk.as_bytes())
    desk.save()


def an_empty_file_beside_a_copy(desk: Desk) -> None:
    (desk.folder / "copy.ipynb").write_bytes(desk.as_bytes())
    desk.save(b"")


def a_link_within_the_folder(desk: Desk) -> None:
    (desk.folder / "real.ipynb").write_bytes(desk.as_bytes())
    desk.path.symlink_to("real.ipynb")


def links_beside_it(desk: Desk) -> None:
    desk.save()
    (desk.folder / "everything").symlink_to("/")
    (desk.folder / "passwords.txt").symlink_to("/etc/passwd")
    os.mkfifo(desk.folder / "pipe.txt")


def a_time_that_is_none(desk: Desk) -> None:
    desk.save()
    (desk.folder / "timestamp.txt").write_text("yesterday evening, I think")


def under_the_name(desk: Desk, name: str) -> None:
    (desk.folder / name).write_bytes(desk.as_bytes())


# Name → what is done to the file. All answers can be found afterwards, so no points are lost.
REPAIRABLE: dict[str, Do] = {
    "byte-order-mark": lambda desk: desk.save(codecs.BOM_UTF8 + desk.as_bytes()),
    "utf-16": lambda desk: desk.save(desk.as_bytes().decode().encode("utf-16")),
    "not-utf-8": not_utf_8,
    "half-characters": lambda desk: desk.save(
        desk.as_bytes().replace(b"# Merge", rb"\ud83d Merge", 1)
    ),
    "line-breaks-in-texts": lambda desk: desk.save(desk.as_bytes().replace(b"\\n", b"\n")),
    "windows-line-ends": windows_line_ends,
    "text-after-the-end": lambda desk: desk.save(desk.as_bytes() + b"\n}\n]garbage"),
    "format-3": format_3,
    "an-upper-case-ending": lambda desk: under_the_name(
        desk, desk.name.replace(".ipynb", ".IPYNB")
    ),
    "another-ending": lambda desk: under_the_name(desk, f"{desk.name}.json"),
    "in-a-folder-in-the-folder": in_a_folder_in_the_folder,
    "two-notebooks": two_notebooks,
    "an-empty-file-beside-a-copy": an_empty_file_beside_a_copy,
    "a-link-within-the-folder": a_link_within_the_folder,
    "links-beside-it": links_beside_it,
    "a-time-that-is-none": a_time_that_is_none,
}


def format_4_2_without_ids(desk: Desk) -> None:
    desk.notebook["nbformat_minor"] = 2
    for cell in desk.cells:
        cell.pop("id", None)


def metadata_of_wrong_types(desk: Desk) -> None:
    desk.notebook["metadata"] = {"kernelspec": ["python3"], "language_info": 3}
    desk.cells[0]["metadata"] = None
    desk.cells[2]["metadata"] = [1, 2]


def outputs_of_wrong_types(desk: Desk) -> None:
    for cell in desk.cells:
        cell |= {"outputs": "lost", "execution_count": {"n": 1}, "attachments": 7}


def sources_of_wrong_types(desk: Desk) -> None:
    desk.cells.insert(3, {"cell_type": "code", "metadata": {}, "source": {"text": "x"}})
    desk.cells.insert(4, {"cell_type": "code", "metadata": {}, "source": [None, "y = 1", 2]})


def delete(desk: Desk, cells: list[Cell]) -> None:
    desk.notebook["cells"] = [cell for cell in desk.cells if cell not in cells]


def twice(desk: Desk, cell: Cell) -> None:
    desk.cells.insert(desk.cells.index(cell), deepcopy(cell))


def test_cells_first(desk: Desk) -> None:
    tests = desk.marked("grade")
    desk.notebook["cells"] = tests + [cell for cell in desk.cells if cell not in tests]


def retype(cell: Cell, cell_type: str) -> None:
    cell["cell_type"] = cell_type
    del cell["outputs"], cell["execution_count"]


def rename(cell: Cell, name: str) -> None:
    cell["id"] = marks(cell)["grade_id"] = name


def points_changed(desk: Desk) -> None:
    for cell in desk.marked("grade"):
        marks(cell)["points"] = 100


def a_check_of_ones_own(desk: Desk) -> None:
    own = {"grade": True, "grade_id": "bonus", "locked": True, "points": 50, "solution": False}
    desk.cells.append(code_cell("bonus", "pass", {"nbgrader": {**own, "schema_version": 3}}))


def answer_and_an_untouched_copy(desk: Desk) -> None:
    cell = last_answer(desk)
    given = [line for line in source_of(cell).splitlines()[:2] if line.lstrip().startswith(GIVEN)]
    stub = [*given, "    # YOUR CODE HERE", "    raise NotImplementedError()"]
    desk.cells.append({**deepcopy(cell), "source": "\n".join(stub)})


def all_marks_and_ids_lost(desk: Desk) -> None:
    for cell in desk.cells:
        cell["metadata"] = {}
        del cell["id"]


def old_marks(desk: Desk) -> None:
    for cell in desk.marked("locked") + desk.marked("solution"):
        kept = ("grade", "grade_id", "points", "solution")
        cell["metadata"]["nbgrader"] = {key: marks(cell)[key] for key in kept if key in marks(cell)}


def newer_marks(desk: Desk) -> None:
    for cell in desk.marked("locked") + desk.marked("solution"):
        marks(cell).update(schema_version=9, rubric={"a": 1})


def marks_of_wrong_types(desk: Desk) -> None:
    marks(desk.marked("solution")[0])["grade_id"] = 7
    first_test(desk)["metadata"]["nbgrader"] = "graded"


def ids_repeated(desk: Desk) -> None:
    for cell in desk.cells:
        cell["id"] = "cell"


def ids_that_are_none(desk: Desk) -> None:
    for number, cell in enumerate(desk.cells):
        cell["id"] = [None, 7, "", "with blanks and ü", "x" * 500][number % 5]


def attach(desk: Desk, name: str, kind: str, data: bytes) -> None:
    desk.cells[0]["attachments"] = {name: {kind: base64.b64encode(data).decode()}}


def outputs_of_megabytes(desk: Desk) -> None:
    output = {"output_type": "stream", "name": "stdout", "text": ["x" * 1000 + "\n"] * 3000}
    last_answer(desk)["outputs"] = [output]


SCRIPT = "My notes <img src=x onerror=alert(1)> [link](javascript:alert(1))"
# Name → what is changed before the notebook is saved. All answers can be found afterwards.
EDITED: dict[str, Do] = {
    "format-4-2-without-ids": format_4_2_without_ids,
    "a-newer-format": lambda desk: desk.notebook.update(nbformat=5, nbformat_minor=1, novelty=True),
    "no-format-at-all": lambda desk: [
        desk.notebook.pop(f"nbformat{end}") for end in ("", "_minor")
    ],
    "no-metadata": lambda desk: desk.notebook.pop("metadata"),
    "another-kernel": lambda desk: desk.notebook["metadata"].update(
        kernelspec={"name": "julia-1.10", "display_name": "Julia"}
    ),
    "metadata-of-wrong-types": metadata_of_wrong_types,
    "outputs-of-wrong-types": outputs_of_wrong_types,
    "entries-that-are-no-cells": lambda desk: desk.notebook.update(
        cells=[*desk.cells[:3], None, 7, "text", [], *desk.cells[3:]]
    ),
    "sources-of-wrong-types": sources_of_wrong_types,
    "all-test-cells-deleted": lambda desk: delete(desk, desk.marked("grade")),
    "test-cell-twice": lambda desk: twice(desk, first_test(desk)),
    "test-cells-first": test_cells_first,
    "cells-backwards": lambda desk: desk.cells.reverse(),
    "test-cell-edited": lambda desk: first_test(desk).update(
        source=source_of(first_test(desk)) + "\nprint('it works')"
    ),
    "test-cell-emptied": lambda desk: first_test(desk).update(source=""),
    "test-cell-became-text": lambda desk: retype(first_test(desk), "markdown"),
    "test-cell-renamed": lambda desk: rename(first_test(desk), "cell-0f3a9c"),
    "test-marked-as-answer": lambda desk: marks(first_test(desk)).update(
        grade=False, solution=True, locked=False
    ),
    "points-changed": points_changed,
    "points-of-wrong-type": lambda desk: marks(first_test(desk)).update(points="all of them"),
    "a-check-of-ones-own": a_check_of_ones_own,
    "given-cell-deleted": lambda desk: delete(desk, given_cells(desk)),
    "given-cell-edited": lambda desk: given_cells(desk)[0].update(source="import course"),
    "answer-became-text": lambda desk: retype(last_answer(desk), "markdown"),
    "answer-became-raw": lambda desk: retype(last_answer(desk), "raw"),
    "answer-twice": lambda desk: twice(desk, last_answer(desk)),
    "answer-and-an-untouched-copy": answer_and_an_untouched_copy,
    "answer-moved-to-a-copy": lambda desk: desk.cells.insert(
        0, {**deepcopy(last_answer(desk)), "source": ""}
    ),
    "answer-under-another-name": lambda desk: rename(last_answer(desk), "cell-41b2"),
    "answer-under-a-tests-name": lambda desk: marks(last_answer(desk)).update(
        grade_id=marks(desk.marked("grade")[-1])["grade_id"]
    ),
    "all-marks-and-ids-lost": all_marks_and_ids_lost,
    "old-marks": old_marks,
    "newer-marks": newer_marks,
    "marks-of-wrong-types": marks_of_wrong_types,
    "ids-repeated": ids_repeated,
    "ids-that-are-none": ids_that_are_none,
    "thousands-of-cells": lambda desk: desk.cells.extend(
        code_cell(f"n{number}", "1", {}) for number in range(3000)
    ),
    "a-picture-of-megabytes": lambda desk: attach(desk, "me.png", "image/png", bytes(3 * 2**20)),
    "outputs-of-megabytes": outputs_of_megabytes,
    "thousands-of-blank-lines": lambda desk: last_answer(desk).update(
        source="\n" * 20_000 + source_of(last_answer(desk))
    ),
    "a-script-in-a-text": lambda desk: desk.cells.append(
        {"cell_type": "markdown", "id": "notes", "metadata": {}, "source": SCRIPT}
    ),
    "a-drawing-that-is-no-picture": lambda desk: attach(
        desk, "me.svg", "image/svg+xml", b"<svg onload='alert(1)'></svg>"
    ),
    "text-that-turns-around": lambda desk: desk.cells.append(
        code_cell("notes", "# \u202eno text reads this way", {})
    ),
}


def saved(change: Do) -> Do:
    """Return a function that makes a change and then saves the notebook."""

    def do(desk: Desk) -> None:
        change(desk)
        desk.save()

    return do


DAMAGES = [
    *(
        Damage(name, do, name not in ("empty-file", "cut-off", "no-file"))
        for name, do in damages.DAMAGES.items()
    ),
    *(Damage(name, do, is_readable=False) for name, do in UNREADABLE.items()),
    *(Damage(name, do, is_readable=True) for name, do in REPAIRABLE.items()),
    *(Damage(name, saved(change), is_readable=True) for name, change in EDITED.items()),
]
