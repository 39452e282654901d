"""A lock: only one grader at a time uses a course folder, and its gradebook if that is a file."""

import fcntl
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from autograder.system import Trouble

_FILE = ".autograder-lock"
_SHARED = stat.S_ISGID | stat.S_IWGRP  # mode of a folder in which several instructors write


@contextmanager
def one_at_a_time(root: Path, address: str, on_wait: Callable[[], object]) -> Iterator[None]:
    """Lock a course folder, and the folder of its gradebook file, during a `with` block.

    If another run has locked one of the two, call `on_wait`, then wait. However this process ends,
    the system releases the locks. Raise `Trouble` if a lock file cannot be opened for writing.

    If the group of `root` may write in it, and new files in it get this group, the group may also
    write the files that are made during the block.
    """
    folders, gradebook = {root.resolve()}, None
    with suppress(ArgumentError):  # the error is reported when the gradebook is opened
        url = make_url(address)
        if url.get_backend_name() == "sqlite" and url.database:
            file = Path(url.database).resolve()
            if os.access(file.parent, os.W_OK):
                folders.add(file.parent)
                gradebook = file
    with ExitStack() as locks:
        for folder in sorted(folders):  # in one order, so that no two runs wait for each other
            try:
                lock = os.open(folder / _FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            except OSError as error:
                raise Trouble(
                    f"{folder} cannot be written to: {error.strerror}. Nothing was changed"
                ) from error
            locks.callback(os.close, lock)
            if _is_shared(folder):
                _share(lock)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                on_wait()
                fcntl.flock(lock, fcntl.LOCK_EX)
        if _is_shared(root):
            mask = os.umask(0o022)
            os.umask(mask & ~stat.S_IRWXG)
            locks.callback(os.umask, mask)
        if gradebook is not None and _is_shared(gradebook.parent):
            locks.callback(_share, gradebook)  # SQLite makes it for its owner alone
        yield


def _share(file: int | Path) -> None:
    """Let the group read and write a file, if the file exists and this user owns it."""
    with suppress(OSError):
        os.chmod(file, os.stat(file).st_mode | stat.S_IRGRP | stat.S_IWGRP)


def _is_shared(folder: Path) -> bool:
    return folder.stat().st_mode & _SHARED == _SHARED
