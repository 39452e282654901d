"""Temporary folders, and files that are written whole or not at all, even if the power fails."""

import ctypes
import json
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from autograder.system.shutdown import add_last, drop_last


@contextmanager
def scratch_folder(prefix: str, place: Path | None = None) -> Iterator[Path]:
    """Yield a temporary folder; remove it after the block or at a signal, except `kill -9`."""
    folder = Path(place or tempfile.gettempdir(), prefix + secrets.token_hex(8))
    remove = partial(shutil.rmtree, folder, ignore_errors=True)
    try:
        add_last(remove, partial(folder.mkdir, 0o700))
        yield folder
    finally:
        remove()
        drop_last(remove)


def put_file(path: Path, text: str) -> None:
    """Write a file whole or not at all. Raise `OSError` if that cannot be done."""
    try:
        with scratch_folder(".unfinished-", path.parent) as scratch:
            new = scratch / path.name
            with new.open("w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                # without this, the new name may reach the disk before the content does
                os.fsync(file.fileno())
            new.chmod(0o644)
            new.replace(path)
    except OSError as error:  # its message names the temporary file, unknown to users
        raise OSError(error.errno, error.strerror, str(path)) from error


def json_lines(table: Mapping[str, object]) -> str:
    """Return a JSON object as the text of a file, with one line for each key.

    >>> print(json_lines({"merge": [2, 4], "slide": []}), end="")
    {
    "merge": [2,4],
    "slide": []
    }
    """
    encode = partial(json.dumps, ensure_ascii=False, separators=(",", ":"))
    lines = ",\n".join(f"{encode(name)}: {encode(one)}" for name, one in table.items())
    return f"{{\n{lines}\n}}\n"


def put_table(path: Path, text: str) -> None:
    """Write a table whole or not at all, with the byte order mark that spreadsheets need.

    If the path is no regular file, such as `/dev/stdout`, write into it directly.
    """
    marked = f"\ufeff{text}"
    if path.exists() and not path.is_file():
        path.write_text(marked, encoding="utf-8", newline="")
    else:
        put_file(path.resolve(), marked)


def keep_on_disk(folder: Path) -> None:
    """Wait until all files in the file system of a folder are on the disk, safe from a power cut.

    For many files, this takes far less time than to wait for each of them.
    """
    library = ctypes.CDLL(None)
    if not hasattr(library, "syncfs"):  # not Linux
        os.sync()
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        library.syncfs(handle)
    finally:
        os.close(handle)
