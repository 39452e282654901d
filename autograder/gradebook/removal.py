"""Removing a folder, however deep it is and whatever its permissions."""

import os
from itertools import count
from pathlib import Path


def remove(path: Path) -> None:
    """Remove a file, a link or a folder with all that is in it; it is no error if nothing is there.

    The folders in a folder are moved up beside it one after the other, so that no path gets too
    long for the system. Raise `OSError` for what cannot be removed.
    """
    if not os.path.lexists(path):
        return
    if path.is_symlink() or not path.is_dir():
        path.unlink()
        return
    numbers = count()
    folders = [path]
    while folders:
        folder = folders.pop()
        folder.chmod(0o700)
        for entry in list(os.scandir(folder)):
            if entry.is_dir(follow_symlinks=False):
                folders.append(_beside(path, numbers))
                os.chmod(entry.path, 0o700)
                os.rename(entry.path, folders[-1])
            else:
                os.unlink(entry.path)
        if folder != path:
            folder.rmdir()
    path.rmdir()


def _beside(path: Path, numbers: "count[int]") -> Path:
    """Return a free path beside a folder."""
    names = (path.with_name(f"{path.name[:100]}.{number}") for number in numbers)
    return next(name for name in names if not os.path.lexists(name))
