"""The files that lie beside the notebooks of an assignment: data, pictures, modules.

They are read as they are. Links that lead out of their folder, pipes, what is too big or too deep,
and nbgrader's own files are left out.
"""

import os
from collections.abc import Collection, Iterator
from fnmatch import fnmatch
from pathlib import Path

from autograder.notebook.files import Unreadable, read_bytes
from autograder.notebook.text import printable

MOST_FILES = 500
MOST_BYTES = 16 * 2**20
_DEPTH = 10
_LEFT_OUT = ("*.ipynb", "timestamp.txt", ".*", "__pycache__", "*.pyc")


def files_beside(
    folder: Path, known: Collection[str] = (), most: int = MOST_BYTES, ignore: Collection[str] = ()
) -> tuple[dict[str, bytes], list[str]]:
    """Return the files in a folder except the `known` ones, and what was left out, in words.

    `most` is how many bytes all of them may have together; `ignore` are patterns of names to leave
    out.
    """
    found: dict[str, bytes] = {}
    problems: list[str] = []
    for path in _paths(folder, (*_LEFT_OUT, *ignore)):
        name = path.relative_to(folder).as_posix()
        if name in known or name != printable(name):
            continue
        if len(found) == MOST_FILES:
            problems.append(f"there are more than {MOST_FILES} files; the rest were left out")
            break
        try:
            data = read_bytes(path)
        except Unreadable as reason:
            problems.append(f"a file was not given to the program: {reason}")
            continue
        if len(data) > most:
            problems.append(f"{name} was not given to the program: there is too much beside it")
            continue
        most -= len(data)
        found[name] = data
    return found, problems


def _paths(folder: Path, ignore: Collection[str]) -> Iterator[Path]:
    """Yield the files in a folder in order, up to a depth; links to folders are not entered."""

    def wanted(name: str) -> bool:
        return not any(fnmatch(name, pattern) for pattern in ignore)

    for place, folders, names in os.walk(folder):
        depth = len(Path(place).relative_to(folder).parts)
        folders[:] = sorted(filter(wanted, folders)) if depth < _DEPTH else []
        yield from (Path(place, name) for name in sorted(filter(wanted, names)))
