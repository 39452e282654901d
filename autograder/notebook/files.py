"""Files that students handed in: only regular files are opened, and read as text piece by piece."""

import codecs
import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

MAX_BYTES = 16 * 2**20
PIECE = 2**20  # bytes that are read at a time

_BLANKS = b" \t\r\n\0"
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_OTHER_FORMATS = {b"PK\x03\x04": "a zip archive", b"%PDF": "a PDF file", b"\x89PNG": "a picture"}


class Unreadable(Exception):  # noqa: N818 — it is a verdict on the file, not a fault of the program
    """The file holds no notebook; the message says why."""


@contextmanager
def opened(path: Path, most: int = MAX_BYTES) -> Iterator[BinaryIO]:
    """Open a regular file for reading.

    Raise `Unreadable` for anything else: a folder, a pipe, a link that leads out of the file's own
    folder, or a file of more than `most` bytes.
    """
    handle = _open(path)
    try:
        _check_kind(path.name, os.fstat(handle), most)
        with open(handle, "rb", closefd=False) as file:
            yield file
    finally:
        os.close(handle)


def read_bytes(path: Path) -> bytes:
    """Return the content of a regular file of at most `MAX_BYTES`; raise as `opened` does."""
    with opened(path) as file:
        return file.read(MAX_BYTES)


def _open(path: Path) -> int:
    try:
        real = path.resolve(strict=True)
    except FileNotFoundError:
        reason = "is a symbolic link to nothing" if path.is_symlink() else "does not exist"
        raise Unreadable(f"{path.name} {reason}") from None
    except RuntimeError:
        raise Unreadable(f"{path.name} is a symbolic link that leads nowhere") from None
    except (OSError, ValueError) as error:
        raise Unreadable(f"{path.name} cannot be opened: {_cause(error)}") from None
    if path.is_symlink() and not real.is_relative_to(path.parent.resolve()):
        raise Unreadable(f"{path.name} is a symbolic link that leads out of the submission")
    try:
        # without waiting, because a pipe would never answer
        return os.open(real, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError as error:
        raise Unreadable(f"{path.name} cannot be opened: {_cause(error)}") from None


def _check_kind(name: str, kind: os.stat_result, most: int) -> None:
    if not stat.S_ISREG(kind.st_mode):
        what = "a folder" if stat.S_ISDIR(kind.st_mode) else "not a file"
        raise Unreadable(f"{name} is {what}")
    if kind.st_size > most:
        size, limit = kind.st_size // 2**20, most // 2**20
        raise Unreadable(f"{name} has {size} MiB; more than {limit} are not read")


def _cause(error: Exception) -> str:
    return (getattr(error, "strerror", None) or type(error).__name__).lower()


def text_of(file: BinaryIO, problems: list[str]) -> Iterator[str]:
    """Yield the text of a file in pieces, whatever its encoding; `problems` gets what was mended.

    Raise `Unreadable` if there is no text, or if the file is of another kind.
    """
    data = _first(file)
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
    yield from _decoded(data, file, encoding, problems)


def _first(file: BinaryIO) -> bytes:
    """Return the first piece that is not all blank. Raise `Unreadable` if there is none."""
    data = file.read(PIECE)
    if not data:
        raise Unreadable("the file is empty")
    while not data.strip(_BLANKS):
        data = file.read(PIECE)
        if not data:
            raise Unreadable("the file holds nothing but blanks")
    return data


def _decoded(data: bytes, file: BinaryIO, encoding: str, problems: list[str]) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(encoding)()
    while True:
        piece, state = data, decoder.getstate()
        data = file.read(PIECE)
        try:
            text = decoder.decode(piece, final=not data)
        except UnicodeDecodeError:
            problems.append(f"some bytes were not {encoding}; each was replaced by �")
            decoder = codecs.getincrementaldecoder(encoding)("replace")
            decoder.setstate(state)
            text = decoder.decode(piece, final=not data)
        if text:
            yield text
        if not data:
            return
