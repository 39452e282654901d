"""Files that are written whole or not at all, even if the machine is switched off."""

import ctypes
import os
import tempfile
from functools import partial
from pathlib import Path

from autograder.scratch import at_the_end


def put_file(path: Path, text: str) -> None:
    """Write a file whole or not at all. Raise `OSError` if that cannot be done."""
    try:
        handle, scratch = tempfile.mkstemp(prefix=".unfinished-", dir=path.parent)
    except OSError as error:  # it names a file that nobody has asked for
        raise OSError(error.errno, error.strerror, str(path)) from error
    with at_the_end(partial(os.unlink, scratch)):
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())  # else the name may reach the disk before the content
            os.chmod(scratch, 0o644)
            os.replace(scratch, path)
        except BaseException:
            os.unlink(scratch)
            raise


def put_table(path: Path, text: str) -> None:
    """Write a table for a spreadsheet, with the byte order mark that tells it the encoding.

    A path that is no regular file, such as `/dev/stdout`, is written to directly. Raise `OSError`
    if that cannot be done.
    """
    marked = f"\ufeff{text}"
    if path.exists() and not path.is_file():
        path.write_text(marked, encoding="utf-8", newline="")
    else:
        put_file(path.resolve(), marked)


def keep_on_disk(folder: Path) -> None:
    """Wait until all that was written to the file system of a folder would survive a loss of power.

    For many files at once this takes far less time than waiting for each of them.
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
