"""Files that are written whole, or not at all."""

import os
import tempfile
from pathlib import Path


def put_file(path: Path, text: str) -> None:
    """Writes a file whole, or not at all. Raises `OSError` if that can not be done."""
    handle, scratch = tempfile.mkstemp(prefix=".unfinished-", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(scratch, 0o644)
        os.replace(scratch, path)
    except BaseException:
        os.unlink(scratch)
        raise
