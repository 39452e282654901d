"""Reading of a notebook file that a student handed in; it may be damaged, or be no notebook.

A big file is cut down to the parts that are graded before it is parsed: old outputs and widgets,
which are left out, can be hundreds of times as big as the student's work.
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

MAX_NOTEBOOK = 256 * 2**20  # bytes
MAX_CELLS = 2000

_LARGE = 2 * 2**20  # bytes; larger files are cut down by `_skim` before they are parsed
_BLANKS = b" \t\r\n\0"
_MARKED = {"utf-8-sig": 3, "utf-16": 2, "utf-32": 4}  # encoding → bytes of its byte-order mark
_CONFLICT = re.compile(rb"^<{7} ", re.M)  # the first line of a conflict, as git writes it
_PYTHON = re.compile(
    rb"^(?:(?:async )?def \w+\(|class \w+[(:]|import \w|from [\w.]+ import )", re.M
)
_OTHER_FORMATS = {b"PK\x03\x04": "a zip archive", b"%PDF": "a PDF file", b"\x89PNG": "a picture"}

_NO_NOTEBOOK = "it is JSON that no notebook would hold"
_ROOM = 2**25  # bytes that are kept of a file; each value may take half of the bytes still left
_MOST_ITEMS = 500_000  # entries of lists, and names in objects, that a file may have
_MOST_MARKS = 50_000_000  # strings and brackets that one value may have

_BLANK = re.compile(rb"[ \t\r\n]*+")
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.S)
_MARKS = re.compile(rb'"(?:[^"\\]++|\\.)*+"|["{}\[\]]', re.S)
_SCALAR = re.compile(rb"[^,\]}\s]*+")

# A plan says what is kept of a value. A number: the whole value, if it has at most that many bytes.
# A list with one plan: each entry, by this plan. A dictionary: only these keys, each by its plan;
# the key "*" means any key.
_Plan = int | list["_Plan"] | dict[bytes, "_Plan"]
_SMALL, _LONG = 2**16, 2**23
_CELL: _Plan = {
    b"cell_type": _SMALL,
    b"id": _SMALL,
    b"source": _LONG,
    b"input": _LONG,
    b"metadata": {b"nbgrader": _SMALL},
    b"attachments": {b"*": {b"*": _LONG}},
}
_NOTEBOOK: _Plan = {
    b"nbformat": _SMALL,
    b"nbformat_minor": _SMALL,
    b"metadata": {b"kernelspec": _SMALL},
    b"cells": [_CELL],
    b"worksheets": [{b"cells": [_CELL]}],
}


@dataclass(frozen=True)
class RawCell:
    """One cell as it was handed in, in a form that does not depend on the notebook's format.

    `marks` are nbgrader's entries in the cell's metadata, such as `grade`. The mark `checksum` was
    computed from the cell as the student got it. So it shows who has changed the cell later: the
    student or the instructor.
    """

    cell_type: str
    source: str
    id: str | None
    marks: Mapping[str, Any]
    attachments: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def grade_id(self) -> str | None:
        """The name of the cell in its marks, or `None`."""
        name = self.marks.get("grade_id")
        return name if isinstance(name, str) else None

    @cached_property
    def plain(self) -> str:
        """The source as `plain_text`, to be compared with other sources."""
        return plain_text(self.source)

    @property
    def is_untouched(self) -> bool:
        """True if the cell is empty, or as the student got it."""
        return not self.plain or self.is_as_released

    @property
    def is_as_released(self) -> bool:
        """True if the checksum shows that the student has not changed the cell."""
        return self._checksum(self.marks) == self.marks.get("checksum")

    def changed_marks(self, marks: Mapping[str, Any]) -> list[str]:
        """Return the names of the marks that the student has changed; `marks` are the instructor's.

        The list is empty unless the checksum shows that the student got the cell with exactly these
        `marks` and with the source that it has now.
        """
        if self._checksum(marks) != self.marks.get("checksum"):
            return []
        names = ("grade", "solution", "locked", "task", "points")
        return [one for one in names if one in self.marks and self.marks[one] != marks.get(one, 0)]

    def _checksum(self, marks: Mapping[str, Any]) -> str:
        """Return nbgrader's checksum of the cell with `marks`; "" if their points are no number."""
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
    """Return the notebook in a file's `data`, of any nbformat version, or raise `Unreadable`."""
    problems: list[str] = []
    try:
        value = _json(_text(data, problems), problems)
    except _NotJson:
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
    """Return the text of a file in any encoding; of a large file, only the graded parts."""
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
        data, left_out = _skim(data)
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
        whole = json.dumps(value, ensure_ascii=False) if "\\u" in text else ""
        if (written := whole.encode("utf-8", "replace").decode()) != whole:
            problems.append("halves of characters were replaced by ?")
            value = json.loads(written)
    except json.JSONDecodeError as error:
        is_cut_off = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated")
        raise _NotJson(error.msg, error.lineno, error.colno, is_cut_off) from None
    except (RecursionError, ValueError):
        raise Unreadable(_NO_NOTEBOOK) from None
    if text[end:].strip("\0 \t\r\n"):
        problems.append("text after the end of the notebook was left out")
    return value


def _cells(notebook: dict[str, Any], problems: list[str]) -> tuple[RawCell, ...]:
    """Return the cells of a notebook, which are in worksheets before nbformat 4."""
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
    pictures = _dict(cell.get("attachments"))  # file name → (type → base64)
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
    text = str(value) if isinstance(value, int | float | str) else "unknown"
    return text if len(text) <= 20 else text[:20] + "…"


class _NotJson(Unreadable):
    """The error raised if a text is no JSON: it is cut off, or else `what` says what is wrong."""

    def __init__(self, what: str, line: int, column: int, is_cut_off: bool) -> None:
        said = "the file is cut off at its end" if is_cut_off else f"it is not JSON: {what}"
        super().__init__(f"{said} (line {line}, column {column})")


def _skim(data: bytes) -> tuple[bytes, int]:
    """Return JSON of the parts that are graded, and the number of values too big to be kept."""
    skimmer = _Skimmer(data)
    begin = skimmer.next(0)
    if data[begin : begin + 1] != b"{":
        return b"[]" if data[begin : begin + 1] == b"[" else data[begin : begin + 1000], 0
    end = skimmer.value(begin, _NOTEBOOK)
    more = b"\nmore" if skimmer.next(end) < len(data) else b""
    return b"".join([*skimmer.kept, more]), skimmer.left_out


class _Skimmer:
    """A reader that goes once through a file's bytes, and collects the graded parts in `kept`.

    `left_out` is the number of values that were too big. In all methods, `at` is a byte's index.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._room = _ROOM
        self._items = 0
        self.kept: list[bytes] = []
        self.left_out = 0

    def value(self, at: int, plan: _Plan) -> int:
        """Keep the parts of the value at `at` that the plan names; return the index after it."""
        first = self._data[at : at + 1]
        if (isinstance(plan, dict) and first == b"{") or (isinstance(plan, list) and first == b"["):
            return self._parts(at, plan)
        end = self._end(at)
        most = min(plan if isinstance(plan, int) else _SMALL, self._room // 2)
        is_kept = end - at <= most
        self.left_out += not is_kept
        self._keep(self._data[at:end] if is_kept else b"null")
        return end

    def _parts(self, at: int, plan: list[_Plan] | dict[bytes, _Plan]) -> int:
        """Do the same as `value` for a list or an object of which the plan names parts."""
        data, closing, comma = self._data, b"]" if isinstance(plan, list) else b"}", b""
        self._keep(data[at : at + 1])
        at = self.next(at + 1)
        while data[at : at + 1] != closing:
            self._items += 1
            if self._items > _MOST_ITEMS:
                raise Unreadable(_NO_NOTEBOOK)
            known: _Plan | None
            if isinstance(plan, list):
                name, known = comma, plan[0]
            else:
                if data[at : at + 1] != b'"':
                    raise self._broken("Expecting property name enclosed in double quotes", at)
                end = self._end(at)
                name, at = data[at:end], self.next(end)
                if data[at : at + 1] != b":":
                    raise self._broken("Expecting ':' delimiter", at)
                at = self.next(at + 1)
                known = plan.get(name[1:-1], plan.get(b"*"))
                known = known if len(name) + 8 <= min(_SMALL, self._room) else None
                name = comma + name + b":"
            if known is None:
                at = self._end(at)
            else:
                self._keep(name)
                at, comma = self.value(at, known), b","
            at = self.next(at)
            if data[at : at + 1] == b",":
                at = self.next(at + 1)
            elif data[at : at + 1] != closing:
                raise self._broken("Expecting ',' delimiter", at)
        self._keep(closing)
        return at + 1

    def _end(self, at: int) -> int:
        """Return the index after the value that begins at `at`."""
        first = self._data[at : at + 1]
        if first in (b",", b":", b"]", b"}", b""):
            raise self._broken("Expecting value", at)
        if first not in (b'"', b"{", b"["):
            return _SCALAR.match(self._data, at).end()  # type: ignore[union-attr]
        if first == b'"' and (string := _STRING.match(self._data, at)):
            return string.end()
        depth = 0
        for number, found in enumerate(_MARKS.finditer(self._data, at)):
            start, end = found.span()
            if number == _MOST_MARKS:
                raise Unreadable(_NO_NOTEBOOK)
            if end - start > 1:
                continue  # a string
            if self._data[start] == ord('"'):
                break  # a string without an end
            depth += 1 if self._data[start] in b"{[" else -1
            if depth == 0:
                return end
        raise self._broken("", len(self._data))

    def next(self, at: int) -> int:
        """Return the index of the next byte that is not blank."""
        return _BLANK.match(self._data, at).end()  # type: ignore[union-attr]  # it matches anything

    def _broken(self, what: str, at: int) -> Unreadable:
        data = self._data
        line, column = data.count(b"\n", 0, at) + 1, at - data.rfind(b"\n", 0, at)
        return _NotJson(what, line, column, is_cut_off=not data[at:].strip())

    def _keep(self, part: bytes) -> None:
        self._room -= len(part)
        self.kept.append(part)
