"""Reading of files that students handed in. A link that leads out of its folder is not followed."""

import errno
import os
import stat
from collections.abc import Collection, Iterator
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

from autograder.notebook.safe_text import printable

NBGRADERS_FILES = ("timestamp.txt", "submission_secret.txt")
LARGEST = 16 * 2**20  # bytes of a file, and of all files beside a notebook
_MOST_FILES = 500
_MOST_COPIED = 2000
_DEPTH = 10
_LEFT_OUT = ("*.ipynb", ".*", "__pycache__", "*.pyc", *NBGRADERS_FILES)


class Unreadable(Exception):  # noqa: N818 — it is a verdict on the file, not a fault of the program
    """The error raised if a file cannot be read, or is no notebook; the message says why."""


def read_bytes(path: Path, most: int = LARGEST) -> bytes:
    """Return the content of a regular file of at most `most` bytes, or raise `Unreadable`."""
    try:
        real = path.resolve(strict=True)
        if path.is_symlink() and not real.is_relative_to(path.parent.resolve()):
            raise Unreadable(f"{path.name} is a symbolic link that leads out of the submission")
        # O_NONBLOCK, because opening a pipe could wait for ever
        handle = os.open(real, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except FileNotFoundError:
        reason = "is a symbolic link to nothing" if path.is_symlink() else "does not exist"
        raise Unreadable(f"{path.name} {reason}") from None
    except RuntimeError:
        raise Unreadable(f"{path.name} is a symbolic link that leads nowhere") from None
    except (OSError, ValueError) as error:
        cause = getattr(error, "strerror", None) or type(error).__name__
        raise Unreadable(f"{path.name} cannot be opened: {cause.lower()}") from None
    try:
        kind = os.fstat(handle)
        if not stat.S_ISREG(kind.st_mode):
            what = "a folder" if stat.S_ISDIR(kind.st_mode) else "not a file"
            raise Unreadable(f"{path.name} is {what}")
        if kind.st_size > most:
            size, limit = kind.st_size // 2**20, most // 2**20
            raise Unreadable(f"{path.name} has {size} MiB; more than {limit} are not read")
        with open(handle, "rb", closefd=False) as file:
            return file.read(most)
    finally:
        os.close(handle)


def files_beside(
    folder: Path, known: Collection[str] = (), most: int = LARGEST, ignore: Collection[str] = ()
) -> tuple[dict[str, bytes], list[str]]:
    """Return a dictionary from paths of files in a folder to contents, and a list of sentences.

    The sentences are about files that were left out. Some files are left out without a sentence: a
    file with a path in `known`; a file that is in the way of one, because one of the two paths lies
    below the other; and a file with a name that matches a pattern in `_LEFT_OUT` or `ignore`. All
    files together may have at most `most` bytes.
    """
    places = {str(place) for name in known for place in PurePosixPath(name).parents}
    patterns = (*_LEFT_OUT, *ignore)
    found: dict[str, bytes] = {}
    problems: list[str] = []
    for path in walk(folder, _DEPTH):
        inside = PurePosixPath(path.relative_to(folder).as_posix())
        name = str(inside)
        is_taken = name in places or not {name, *map(str, inside.parents)}.isdisjoint(known)
        if is_taken or any(fnmatch(part, one) for part in inside.parts for one in patterns):
            continue
        if name != printable(name):
            problems.append(f"{printable(name)[:80]} was left out: odd characters in its name")
            continue
        if len(found) == _MOST_FILES:
            problems.append(f"there are more than {_MOST_FILES} files; the rest were left out")
            break
        try:
            data = read_bytes(path)
        except Unreadable as reason:
            problems.append(f"a file was left out: {reason}")
            continue
        if len(data) > most:
            problems.append(f"{name} was left out: there is too much beside the notebook")
            continue
        most -= len(data)
        found[name] = data
    return found, problems


def copy_files(source: Path, target: Path, most: int) -> list[str]:
    """Copy a folder, at most `_MOST_COPIED` files; return sentences about what was not copied.

    No link is followed, even if somebody makes one during the copying. Raise `OSError` if a file
    cannot be read, or if there are more than `most` bytes.
    """
    left = []
    number = 0
    for place, folders, names, handle in os.fwalk(source):
        inside = Path(place).relative_to(source)
        (target / inside).mkdir()
        folders[:] = [] if len(inside.parts) >= _DEPTH else folders
        number += len(names) + len(folders)
        if number > _MOST_COPIED:
            left.append(f"{source} has more than {_MOST_COPIED} files; the rest were left there")
            names = sorted(names)[: max(0, _MOST_COPIED - number + len(names) + len(folders))]
            folders[:] = []
        for name in names:
            try:
                opened = os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW, dir_fd=handle)
            except OSError as error:
                if error.errno not in (errno.ELOOP, errno.ENXIO):  # a link, a socket
                    raise
                left.append(f"{Path(place, name)} was left there: it is not a file")
                continue
            with open(opened, "rb") as file:
                if not stat.S_ISREG(os.fstat(opened).st_mode):
                    left.append(f"{Path(place, name)} was left there: it is not a file")
                    continue
                is_small = os.fstat(opened).st_size <= most
                data = file.read(most + 1) if is_small else b""
            most = most - len(data) if is_small else -1
            if most < 0:
                raise OSError(errno.EFBIG, "there is too much in it", str(source))
            (target / inside / name).write_bytes(data)
    return left


def walk(folder: Path, depth: int) -> Iterator[Path]:
    """Yield the files in a folder, down to `depth` folders deep; skip hidden and linked folders."""
    for place, folders, names in os.walk(folder):
        is_deepest = len(Path(place).relative_to(folder).parts) >= depth
        folders[:] = [] if is_deepest else sorted(n for n in folders if not n.startswith("."))
        yield from (Path(place, name) for name in sorted(names))
