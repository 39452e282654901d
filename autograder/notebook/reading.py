"""Reading of a notebook file that a student handed in; it may be damaged, or be no notebook.

Marks are nbgrader's entries in a cell's metadata: `grade`, `solution`, `points` and others.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import md5
from typing import Any

from autograder.notebook.safe_text import plain_text
from autograder.notebook.submitted_files import Unreadable
from autograder.notebook.trim_notebook import NO_NOTEBOOK, NotJson, broken, skim

MAX_NOTEBOOK = 256 * 2**20  # bytes
MAX_CELLS = 2000

_LARGE = 2 * 2**20  # bytes; larger files are cut down by `skim` before they are parsed
_BLANKS = b" \t\r\n\0"
_MARKED = {"utf-8-sig": 3, "utf-16": 2, "utf-32": 4}  # encoding → bytes of its byte-order mark
_CONFLICT = re.compile(rb"^<{7} ", re.M)  # the first of the lines that git writes into a file
_PYTHON = re.compile(
    rb"^(?:(?:async )?def \w+\(|class \w+[(:]|import \w|from [\w.]+ import )", re.M
)
_OTHER_FORMATS = {b"PK\x03\x04": "a zip archive", b"%PDF": "a PDF file", b"\x89PNG": "a picture"}


@dataclass(frozen=True)
class RawCell:
    """One cell as it was handed in, in a form that does not depend on the notebook's format.

    `marks` are nbgrader's. One of them is a checksum of the cell as the student got it. If the cell
    differs from the master's, the checksum shows who has changed it since: the student, or the
    instructor in the master.
    """

    cell_type: str
    source: str
    id: str | None
    marks: Mapping[str, Any]
    attachments: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def grade_id(self) -> str | None:
        """The `grade_id` in nbgrader's metadata, which is the name of the cell, or `None`."""
        name = self.marks.get("grade_id")
        return name if isinstance(name, str) else None

    @cached_property
    def plain(self) -> str:
        """The source in the form that `plain_text` returns, to be compared with other sources."""
        return plain_text(self.source)

    @property
    def is_as_released(self) -> bool:
        """True if the checksum shows that the student has not changed the cell."""
        return self._checksum(self.marks) == self.marks.get("checksum")

    def changed_marks(self, marks: Mapping[str, Any]) -> list[str]:
        """Return the names of the marks that the student has changed.

        `marks` are the marks in the master. Return an empty list unless the checksum shows that the
        student got the cell with exactly these marks and with the source that it has now.
        """
        if self._checksum(marks) != self.marks.get("checksum"):
            return []
        names = ("grade", "solution", "locked", "task", "points")
        return [one for one in names if one in self.marks and self.marks[one] != marks.get(one, 0)]

    def _checksum(self, marks: Mapping[str, Any]) -> str:
        """Return nbgrader's checksum of the cell with these marks; "" if its points are wrong."""
        is_grade, is_solution = bool(marks.get("grade")), bool(marks.get("solution"))
        is_locked = False if is_solution else is_grade or bool(marks.get("locked"))
        parts = [self.source, self.cell_type, str(is_grade), str(is_solution), str(is_locked)]
        parts.append(str(marks.get("grade_id")))
        if is_grade:
            try:
                parts.append(str(float(marks.get("points", 0))))
            except (TypeError, ValueError, OverflowError):
                return ""
        return md5("".join(parts).encode("utf-8", "replace"), usedforsecurity=False).hexdigest()


@dataclass(frozen=True)
class RawNotebook:
    """The cells of a notebook file, the kernel that it names, and sentences about its problems."""

    cells: tuple[RawCell, ...]
    kernel: str | None
    problems: tuple[str, ...]


def parse(data: bytes) -> RawNotebook:
    """Return the notebook that the bytes of a file contain, in any version of the notebook format.

    Raise `Unreadable` if the file is no notebook.
    """
    problems: list[str] = []
    try:
        value = _json(_text(data, problems), problems)
    except NotJson:
        if conflict := _CONFLICT.search(data):
            line = data.count(b"\n", 0, conflict.start()) + 1
            raise Unreadable(
                f"unresolved git conflict at line {line}: keep one of its two versions, and save"
            ) from None
        if _PYTHON.search(data) and not data.lstrip().startswith((b"{", b"[")):
            raise Unreadable(
                "it is a Python file, not a notebook: put its code into the cells of the notebook"
            ) from None
        raise
    if not isinstance(value, dict):
        names = {list: "a list", str: "a text", bool: "true or false", type(None): "null"}
        kind = names.get(type(value), "a number")
        raise Unreadable(f"it is JSON, but not a notebook: it holds {kind}")
    cells = _cells(value, problems)
    kernel = _dict(_dict(value.get("metadata")).get("kernelspec")).get("name")
    return RawNotebook(cells, kernel if isinstance(kernel, str) else None, tuple(problems))


def _text(data: bytes, problems: list[str]) -> str:
    """Return the text of a file, which may be in any encoding, and add sentences to `problems`.

    If the file is large, only the parts that are graded are returned.
    """
    if not data.strip(_BLANKS):
        raise Unreadable("the file holds nothing but blanks" if data else "the file is empty")
    for start, what in _OTHER_FORMATS.items():
        if data.startswith(start):
            raise Unreadable(f"it is {what}, not a notebook")
    encoding: str = json.detect_encoding(data)
    if size := _MARKED.get(encoding):
        order = "le" if data[0] == 0xFF else "be"
        data, encoding = data[size:], "utf-8" if size == 3 else f"{encoding}-{order}"
        problems.append("the file began with a byte-order mark; it was left out")
    if encoding != "utf-8":
        problems.append(f"the file was {encoding}; it was read as such and written as utf-8")
        data, encoding = _decoded(data, encoding, problems).encode(), "utf-8"
    if len(data) > _LARGE:
        data, left_out = skim(data)
        if left_out:
            problems.append(f"{left_out} parts of it were too big to be kept; they were left out")
    return _decoded(data, encoding, problems)


def _decoded(data: bytes, encoding: str, problems: list[str]) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        problems.append(f"some bytes were not {encoding}; each was replaced by �")
        return data.decode(encoding, "replace")


def _json(text: str, problems: list[str]) -> Any:
    start = len(text) - len(text.lstrip())
    if text[start : start + 1] == "<":
        raise Unreadable("it is a web page, not a notebook")
    try:
        value, end = json.JSONDecoder(strict=False).raw_decode(text, start)
        if "\\u" in text:
            whole = json.dumps(value, ensure_ascii=False)
            if (written := whole.encode("utf-8", "replace")) != whole.encode(
                "utf-8", "surrogatepass"
            ):
                problems.append("halves of characters were replaced by ?")
                value = json.loads(written)
    except json.JSONDecodeError as error:
        is_cut_off = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated")
        raise broken(error.msg, error.lineno, error.colno, is_cut_off) from None
    except (RecursionError, ValueError):
        raise Unreadable(NO_NOTEBOOK) from None
    if text[end:].strip("\0 \t\r\n"):
        problems.append("text after the end of the notebook was left out")
    return value


def _cells(notebook: dict[str, Any], problems: list[str]) -> tuple[RawCell, ...]:
    """Return the cells of a notebook; before nbformat 4, they were in worksheets."""
    version, minor = notebook.get("nbformat"), notebook.get("nbformat_minor")
    if version is None:
        problems.append("the notebook named no format; it was read as 4.5")
    elif version != 4 or minor != 5:
        old = _short(version) if version != 4 else f"4.{_short(minor)}"
        problems.append(f"the notebook had the format {old}; it was converted to 4.5")
    cells, sheets = notebook.get("cells"), notebook.get("worksheets")
    if not isinstance(cells, list):
        if not isinstance(sheets, list):
            raise Unreadable("it is JSON, but not a notebook: it has no list of cells")
        lists = (_dict(sheet).get("cells") for sheet in sheets)
        cells = [cell for found in lists if isinstance(found, list) for cell in found]
    if len(cells) > MAX_CELLS:
        problems.append(f"it had {len(cells)} cells; only the first {MAX_CELLS} were read")
    raw = tuple(_cell(cell) for cell in cells[:MAX_CELLS] if isinstance(cell, dict))
    if lost := min(len(cells), MAX_CELLS) - len(raw):
        problems.append(f"{lost} entries of the list of cells were no cells; they were left out")
    return raw


def _cell(cell: dict[str, Any]) -> RawCell:
    kind = cell.get("cell_type")
    if kind not in ("code", "markdown", "raw"):
        kind = "markdown" if kind in ("heading", "html") else "code"
    source = cell.get("source", cell.get("input"))
    if isinstance(source, list):
        source = "".join(line for line in source if isinstance(line, str))
    name = cell.get("id")
    pictures = _dict(cell.get("attachments"))  # file name → type → base64
    is_right = all(
        isinstance(bundle, dict) and all(isinstance(data, str) for data in bundle.values())
        for bundle in pictures.values()
    )
    return RawCell(
        cell_type=kind,
        source=source.replace("\r\n", "\n") if isinstance(source, str) else "",
        id=name if isinstance(name, str) else None,
        marks=_dict(_dict(cell.get("metadata")).get("nbgrader")),
        attachments=pictures if is_right else {},
    )


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _short(value: Any) -> str:
    if not isinstance(value, int | float | str):
        return "unknown"
    text = str(value)
    return text if len(text) <= 20 else text[:20] + "…"
