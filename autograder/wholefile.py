"""Files that are written whole, or not at all, even where the machine is switched off."""

import ctypes
import os
import tempfile
from functools import partial
from pathlib import Path

from autograder.scratch import at_the_end


def put_file(path: Path, text: str) -> None:
    """Writes a file whole, or not at all. Raises `OSError` if that can not be done."""
    try:
        handle, scratch = tempfile.mkstemp(prefix=".unfinished-", dir=path.parent)
    except OSError as error:  # which names a file that nobody has asked for
        raise OSError(error.errno, error.strerror, str(path)) from error
    with at_the_end(partial(os.unlink, scratch)):
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())  # else the name may be there before what is in it
            os.chmod(scratch, 0o644)
            os.replace(scratch, path)
        except BaseException:
            os.unlink(scratch)
            raise


def put_table(path: Path, text: str) -> None:
    """Writes a table for a spreadsheet, with the mark that tells it how names are written.

    What is no file, such as `/dev/stdout`, is written to as it is. Raises `OSError` if it can not.
    """
    marked = f"\ufeff{text}"
    if path.exists() and not path.is_file():
        path.write_text(marked, encoding="utf-8", newline="")
    else:
        put_file(path.resolve(), marked)


def keep_on_disk(folder: Path) -> None:
    """Waits until all that was written where a folder is will be there after a loss of power.

    For many files at once: to wait for each of them takes far longer.
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
