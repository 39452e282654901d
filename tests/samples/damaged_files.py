"""Damaged notebook files: lost, cut off, of another format, or with another name."""

import codecs
import json
import os
import sys
from typing import Any

from autograder.sample.damages import Cell, Desk
from tests.samples.damage import repairable, source_of, unreadable

# -- no notebook ----------------------------------------------------------------------------------


@unreadable
def only_blanks(desk: Desk) -> None:
    desk.save(b" \n\t\n")


@unreadable
def only_zero_bytes(desk: Desk) -> None:
    desk.save(bytes(4096))


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
        cell["source"] = source_of(cell).replace("\n", "\r\n")
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


# -- the file itself ------------------------------------------------------------------------------


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


def _old_cell(cell: Cell) -> Cell:
    """Return a cell in the form that notebooks had before 2015."""
    old = {"cell_type": cell["cell_type"], "metadata": cell["metadata"]}
    if cell["cell_type"] != "code":
        return {**old, "source": cell["source"]}
    code = {"input": cell["source"], "outputs": [], "prompt_number": 1, "collapsed": False}
    return {**old, **code, "language": "python"}
