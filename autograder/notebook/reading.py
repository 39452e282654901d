"""Reading a notebook file about which nothing can be taken for granted."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from io import BytesIO
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO, cast

from autograder.notebook.files import Unreadable, opened, read_bytes, text_of
from autograder.notebook.skim import Broken, skim
from autograder.notebook.text import plain_text, printable

__all__ = [
    "RawCell",
    "RawNotebook",
    "Unreadable",
    "parse",
    "printable",
    "read_bytes",
    "read_notebook",
]

MAX_NOTEBOOK = 256 * 2**20
MAX_CELLS = 2000

_SMALL = 2  # pieces; a file of no more is read as a whole


@dataclass(frozen=True)
class RawCell:
    """One cell as it was handed in, in the plainest form that all notebook formats share."""

    cell_type: str
    source: str
    id: str | None
    marks: Mapping[str, Any]
    attachments: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def grade_id(self) -> str | None:
        """The name that nbgrader's metadata gives the cell."""
        name = self.marks.get("grade_id")
        return name if isinstance(name, str) else None

    @cached_property
    def plain(self) -> str:
        """The source without white space that does not count, and without stubs."""
        return plain_text(self.source)


@dataclass(frozen=True)
class RawNotebook:
    """The cells of a file, the kernel that it asks for, and what had to be mended to read it."""

    cells: tuple[RawCell, ...]
    kernel: str | None
    problems: tuple[str, ...]


def read_notebook(path: Path, most: int = MAX_NOTEBOOK) -> tuple[RawNotebook, str]:
    """Return the notebook in a file, and the fingerprint of the file's content.

    Raise `Unreadable` if the file holds no notebook, or more than `most` bytes.
    """
    with opened(path, most) as file:
        counted = _Fingerprinted(file)
        return _notebook(cast(BinaryIO, counted)), counted.fingerprint


def parse(data: bytes) -> RawNotebook:
    """Return the notebook that the bytes of a file hold, of whatever notebook format.

    Raise `Unreadable` if they hold none.
    """
    return _notebook(BytesIO(data))


class _Fingerprinted:
    """A file that computes a digest of all that is read from it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._hash = sha256()

    def read(self, size: int) -> bytes:
        data = self._file.read(size)
        self._hash.update(data)
        return data

    @property
    def fingerprint(self) -> str:
        return self._hash.hexdigest()


def _notebook(file: BinaryIO) -> RawNotebook:
    problems: list[str] = []
    value = _json(_text(text_of(file, problems), problems), problems)
    if not isinstance(value, dict):
        raise Unreadable(f"it is JSON, but not a notebook: it holds {_kind_of(value)}")
    cells = _cell_list(value, problems)
    kernel = _dict(_dict(value.get("metadata")).get("kernelspec")).get("name")
    return RawNotebook(
        tuple(_cells(cells, problems)), kernel if isinstance(kernel, str) else None, tuple(problems)
    )


def _text(pieces: Iterator[str], problems: list[str]) -> str:
    """Return the whole text of a small file, or of a big one the parts that a grader looks at."""
    first = list(islice(pieces, _SMALL + 1))
    if len(first) <= _SMALL:
        return "".join(first)
    try:
        text, left_out = skim(chain(first, pieces))
    except Broken as error:
        raise _broken(error.what, error.where, error.is_cut_off) from None
    if left_out:
        problems.append(f"{left_out} parts of it were too big to be kept; they were left out")
    return text


def _broken(what: str, where: str, is_cut_off: bool) -> Unreadable:
    if is_cut_off:
        return Unreadable(f"the file is cut off at its end ({where})")
    return Unreadable(f"it is not JSON: {what} ({where})")


def _json(text: str, problems: list[str]) -> Any:
    start = len(text) - len(text.lstrip())
    if text[start : start + 1] == "<":
        raise Unreadable("it is a web page, not a notebook")
    try:
        value, end = json.JSONDecoder(strict=False).raw_decode(text, start)
        if "\\u" in text:
            value = _whole_characters(value, problems)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        is_cut_off = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated")
        raise _broken(error.msg, where, is_cut_off) from None
    except (RecursionError, ValueError):
        raise Unreadable("it is JSON that no notebook would hold") from None
    if text[end:].strip("\0 \t\r\n"):
        problems.append("text after the end of the notebook was left out")
    return value


def _whole_characters(value: Any, problems: list[str]) -> Any:
    """Return the same value with `?` for what cannot be written as UTF-8."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        problems.append("halves of characters were replaced by ?")
        return json.loads(text.encode("utf-8", "replace"))
    return value


def _cell_list(notebook: dict[str, Any], problems: list[str]) -> list[Any]:
    """Return the cells of a notebook of any format; before format 4 they were in worksheets."""
    version = notebook.get("nbformat")
    if version is None:
        problems.append("the notebook named no format; it was read as 4.5")
    elif version != 4:
        problems.append(f"the notebook had the format {_short(version)}; it was converted to 4.5")
    elif notebook.get("nbformat_minor") != 5:
        minor = _short(notebook.get("nbformat_minor"))
        problems.append(f"the notebook had the format 4.{minor}; it was converted to 4.5")
    cells = notebook.get("cells")
    if isinstance(cells, list):
        return cells
    sheets = notebook.get("worksheets")
    if isinstance(sheets, list):
        return [cell for sheet in sheets for cell in _list(_dict(sheet).get("cells"))]
    raise Unreadable("it is JSON, but not a notebook: it has no list of cells")


def _cells(cells: list[Any], problems: list[str]) -> list[RawCell]:
    if len(cells) > MAX_CELLS:
        problems.append(f"it had {len(cells)} cells; only the first {MAX_CELLS} were read")
    raw = [_cell(cell) for cell in cells[:MAX_CELLS] if isinstance(cell, dict)]
    if len(raw) < len(cells[:MAX_CELLS]):
        lost = len(cells[:MAX_CELLS]) - len(raw)
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
    return RawCell(
        cell_type=kind,
        source=source.replace("\r\n", "\n") if isinstance(source, str) else "",
        id=name if isinstance(name, str) else None,
        marks=_dict(_dict(cell.get("metadata")).get("nbgrader")),
        attachments=_attachments(cell.get("attachments")),
    )


def _attachments(value: Any) -> dict[str, dict[str, str]]:
    """Return the pictures in a text cell: file name → type → data; none if malformed."""
    bundles = _dict(value)
    right = all(
        isinstance(bundle, dict) and all(isinstance(data, str) for data in bundle.values())
        for bundle in bundles.values()
    )
    return bundles if right else {}


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _short(value: Any) -> str:
    if not isinstance(value, int | float | str):
        return "unknown"
    text = str(value)
    return text if len(text) <= 20 else text[:20] + "…"


def _kind_of(value: Any) -> str:
    names = {list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")
