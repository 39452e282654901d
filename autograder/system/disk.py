"""Files on the disk: temporary files, and files that are written whole or not at all.

Temporary files are removed when this process ends, except by `kill -9`. A file that was written
whole stays whole even if the machine loses power.
"""

import ctypes
import os
import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from autograder.system.shutdown import add_last, drop_last


@contextmanager
def at_the_end(do: Callable[[], object], make: Callable[[], object] = int) -> Iterator[None]:
    """Call `do` if the process is ended while the block runs, except by `kill -9`.

    If the block is left, also by an error, `do` is not called. `make` is called when the block
    begins; it makes the files that `do` removes.
    """
    add_last(do, make)
    try:
        yield
    finally:
        drop_last(do)


@contextmanager
def scratch_folder(prefix: str, place: Path | None = None) -> Iterator[Path]:
    """Make a temporary folder for the block, and remove it afterwards or when this process ends."""
    folder = Path(place or tempfile.gettempdir(), prefix + secrets.token_hex(8))
    remove = partial(shutil.rmtree, folder, ignore_errors=True)
    with at_the_end(remove, partial(folder.mkdir, 0o700)):
        try:
            yield folder
        finally:
            remove()


def put_file(path: Path, text: str) -> None:
    """Write a file whole or not at all. Raise `OSError` if that cannot be done."""
    try:
        handle, scratch = tempfile.mkstemp(prefix=".unfinished-", dir=path.parent)
    except OSError as error:  # its message names the temporary file, which no user knows
        raise OSError(error.errno, error.strerror, str(path)) from error
    with at_the_end(partial(os.unlink, scratch)):
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                # without this, the new name may reach the disk before the content does
                os.fsync(file.fileno())
            os.chmod(scratch, 0o644)
            os.replace(scratch, path)
        except BaseException:
            os.unlink(scratch)
            raise


def put_table(path: Path, text: str) -> None:
    """Write a table for a spreadsheet, with a byte order mark, which shows that it is in UTF-8.

    The file is written whole or not at all, unless the path is no regular file, such as
    `/dev/stdout`. Raise `OSError` if the table cannot be written.
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
