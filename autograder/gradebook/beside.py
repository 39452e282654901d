"""The files beside a notebook, which nbgrader copies when it grades."""

import fnmatch
import os
import shutil
import stat
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.notebook.reading import printable
from autograder.trouble import is_full

_DEPTH = 20  # folders within folders
_LENGTH = 1000  # characters of a name with its folders; systems take 4,095 of a whole path
_FILES = 5000


@dataclass(frozen=True)
class Bounds:
    """The limits in nbgrader's configuration: names that are left out, and sizes in bytes."""

    ignore: tuple[str, ...]
    one: int
    all: int

    @classmethod
    def of(cls, directory: Any) -> "Bounds":
        """Return the limits of nbgrader's `CourseDirectory`; its own sizes are in kilobytes."""
        kilobyte = 1000
        return cls(
            ignore=tuple(directory.ignore),
            one=kilobyte * directory.max_file_size,
            all=kilobyte * directory.max_dir_size,
        )


def copy_beside(
    source: Path, target: Path, bounds: Bounds, only: Collection[str] | None = None
) -> list[str]:
    """Copy the files beside the notebooks; return what could not be copied, in words.

    Links, pipes, and what is too big or too deep are left out; so are names with characters that
    move a terminal, as nbgrader prints each name when it makes feedback. With `only`, all others
    are left out. What is in the target already stays. Raise `OSError` if the disk is full.
    """
    problems: list[str] = []
    left = bounds.all
    for number, (path, size) in enumerate(_files(source, bounds.ignore, problems)):
        name = path.relative_to(source)
        if only is not None and name.as_posix() not in only:
            continue
        if number == _FILES:
            problems.append(f"there are more than {_FILES} files; the rest were not taken along")
            break
        if size > min(left, bounds.one):
            problems.append(f"{printable(str(name))} was too big to be taken along")
            continue
        if printable(str(name)) != str(name):
            problems.append(f"{_short(str(name))} was not taken along: odd characters in its name")
            continue
        left -= size
        problems += _copy(path, target / name, name)
    return problems


def _copy(path: Path, target: Path, name: Path) -> list[str]:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if not os.path.lexists(target):
            shutil.copyfile(path, target, follow_symlinks=False)
    except OSError as error:
        if is_full(error):
            raise
        return [f"{printable(str(name))} could not be taken along: {error.strerror}"]
    return []


def _files(
    folder: Path, ignore: tuple[str, ...], problems: list[str]
) -> Iterator[tuple[Path, int]]:
    """Yield the regular files that are not notebooks and not ignored, with their sizes in bytes."""

    def wanted(name: str) -> bool:
        return not any(fnmatch.fnmatch(name, pattern) for pattern in (*ignore, "*.ipynb"))

    def refused(error: OSError) -> None:
        where = os.path.relpath(error.filename, folder)
        problems.append(f"{_short(where)} could not be taken along: {error.strerror}")

    for place, folders, names in os.walk(folder, onerror=refused):
        folders[:] = sorted(filter(wanted, folders))
        inside = Path(place).relative_to(folder)
        if folders and (len(inside.parts) >= _DEPTH or len(str(inside)) > _LENGTH):
            problems.append(f"what is in {_short(str(inside))} lies too deep to be taken along")
            folders.clear()
        for name in sorted(filter(wanted, names)):
            kind = os.lstat(os.path.join(place, name))
            if stat.S_ISREG(kind.st_mode):
                yield Path(place, name), kind.st_size


def _short(name: str) -> str:
    shown = printable(name)
    return shown if len(shown) <= 80 else f"{shown[:79]}…"
