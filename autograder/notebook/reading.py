"""Reading a notebook file of which nothing can be taken for granted."""

import codecs
import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MAX_BYTES = 16 * 2**20
MAX_CELLS = 2000

_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))}
_OTHER_FORMATS = {b"PK\x03\x04": "a zip archive", b"%PDF": "a PDF file", b"\x89PNG": "a picture"}


class Unreadable(Exception):  # noqa: N818 — it is a verdict on the file, not a fault of the program
    """The file holds no notebook; the message says why."""


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


@dataclass(frozen=True)
class RawNotebook:
    """The cells of a file, the kernel it asks for, and what had to be mended to read it."""

    cells: tuple[RawCell, ...]
    kernel: str | None
    problems: tuple[str, ...]


def read_bytes(path: Path) -> bytes:
    """The content of a regular file.

    Raises `Unreadable` for anything else: a folder, a pipe, a link that leads out of the file's
    own folder, or a file of more than `MAX_BYTES` bytes.
    """
    try:
        real = path.resolve(strict=True)
    except FileNotFoundError:
        reason = "is a symbolic link to nothing" if path.is_symlink() else "does not exist"
        raise Unreadable(f"{path.name} {reason}") from None
    except RuntimeError:
        raise Unreadable(f"{path.name} is a symbolic link that leads nowhere") from None
    except (OSError, ValueError) as error:
        raise Unreadable(f"{path.name} can not be opened: {_cause(error)}") from None
    if path.is_symlink() and not real.is_relative_to(path.parent.resolve()):
        raise Unreadable(f"{path.name} is a symbolic link that leads out of the submission")
    try:
        # without waiting: a pipe would never answer
        handle = os.open(real, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError as error:
        raise Unreadable(f"{path.name} can not be opened: {_cause(error)}") from None
    try:
        return _content(path.name, handle)
    finally:
        os.close(handle)


def _content(name: str, handle: int) -> bytes:
    kind = os.fstat(handle)
    if not stat.S_ISREG(kind.st_mode):
        what = "a folder" if stat.S_ISDIR(kind.st_mode) else "not a file"
        raise Unreadable(f"{name} is {what}")
    if kind.st_size > MAX_BYTES:
        size, most = kind.st_size // 2**20, MAX_BYTES // 2**20
        raise Unreadable(f"{name} has {size} MiB; more than {most} are not read")
    with open(handle, "rb", closefd=False) as file:
        return file.read(MAX_BYTES)


def parse(data: bytes) -> RawNotebook:
    """The notebook that the bytes of a file hold, of whatever notebook format.

    Raises `Unreadable` if they hold none.
    """
    problems: list[str] = []
    value = _json(_text(data, problems), problems)
    if not isinstance(value, dict):
        raise Unreadable(f"it is JSON, but not a notebook: it holds {_kind_of(value)}")
    cells = _cell_list(value, problems)
    kernel = _dict(_dict(value.get("metadata")).get("kernelspec")).get("name")
    return RawNotebook(
        tuple(_cells(cells, problems)), kernel if isinstance(kernel, str) else None, tuple(problems)
    )


def _text(data: bytes, problems: list[str]) -> str:
    if not data.strip(b" \t\r\n\0"):
        raise Unreadable("the file is empty" if not data else "the file holds nothing but blanks")
    for start, what in _OTHER_FORMATS.items():
        if data.startswith(start):
            raise Unreadable(f"it is {what}, not a notebook")
    encoding: str = json.detect_encoding(data)
    for mark, marked_encoding in _BYTE_ORDER_MARKS.items():
        if data.startswith(mark):
            data, encoding = data[len(mark) :], marked_encoding
            problems.append("the file began with a byte-order mark; it was left out")
            break
    if encoding != "utf-8":
        problems.append(f"the file was {encoding}; it was read as such and written as utf-8")
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
            value = _whole_characters(value, problems)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated"):
            raise Unreadable(f"the file is cut off at its end ({where})") from None
        raise Unreadable(f"it is not JSON: {error.msg} ({where})") from None
    except (RecursionError, ValueError):
        raise Unreadable("it is JSON that no notebook would hold") from None
    if text[end:].strip("\0 \t\r\n"):
        problems.append("text after the end of the notebook was left out")
    return value


def _whole_characters(value: Any, problems: list[str]) -> Any:
    """The same value with `?` for what can not be written as UTF-8."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        problems.append("halves of characters were replaced by ?")
        return json.loads(text.encode("utf-8", "replace"))
    return value


def _cell_list(notebook: dict[str, Any], problems: list[str]) -> list[Any]:
    """The cells of a notebook of any format; before format 4 they were in worksheets."""
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
    """Pictures in a text cell: file name → type → data; none if that is not what it is."""
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


def printable(text: str) -> str:
    r"""Text that can be written and shown anywhere: no control characters, no broken bytes.

    >>> printable("red \x1b[31m")
    'red \\x1b[31m'
    """
    return text.encode("utf-8", "backslashreplace").decode().translate(_CONTROLS)


def _short(value: Any) -> str:
    if not isinstance(value, int | float | str):
        return "unknown"
    text = str(value)
    return text if len(text) <= 20 else text[:20] + "…"


def _kind_of(value: Any) -> str:
    names = {list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


def _cause(error: Exception) -> str:
    return (getattr(error, "strerror", None) or type(error).__name__).lower()
