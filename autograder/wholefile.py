"""Files that are written whole, or not at all, even where the machine is switched off."""

import ctypes
import os
import tempfile
from pathlib import Path


def put_file(path: Path, text: str) -> None:
    """Writes a file whole, or not at all. Raises `OSError` if that can not be done."""
    handle, scratch = tempfile.mkstemp(prefix=".unfinished-", dir=path.parent)
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
