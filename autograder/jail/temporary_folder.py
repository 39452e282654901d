"""A temporary folder of the grader, for the files of a jail.

The folder is removed with the jail, or by a later grader if this grader is killed. Its name
`jail-PID-…` has the number of the process that owns it. This process also keeps the folder locked,
because a number alone says too little if several containers share one folder for temporary files.
"""

import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import RLock

from autograder.jail.bubblewrap import JailMissing
from autograder.system.shutdown import add_last, drop_last
from autograder.system.trouble import is_full

_PREFIX = "jail-"
_FULL = (
    "There is no room left in {} for the files of a jail. Make room there, or set TMPDIR to "
    "another folder, then try again."
)


class TemporaryFolder:
    """A folder for temporary files. If this process is killed, a later grader removes it."""

    def __init__(self) -> None:
        place = Path(tempfile.gettempdir())
        remove_orphans(place)
        self.path = place / f"{_PREFIX}{os.getpid()}-{secrets.token_hex(8)}"
        self._lock = -1
        self._busy = RLock()
        add_last(self.remove, partial(self.path.mkdir, 0o700))
        self._lock = os.open(self.path, os.O_RDONLY)
        _lock(self._lock)

    def remove(self) -> None:
        """Remove the folder and all that is in it."""
        drop_last(self.remove)
        with self.writing():
            lock, self._lock = self._lock, -1  # it may be removed by two callers at once
            _remove(self.path)
            if lock >= 0:
                os.close(lock)

    @contextmanager
    def writing(self) -> Iterator[Path]:
        """Yield the path of the folder for a `with` block, in which no other thread removes it.

        Raises `JailMissing` if the disk is full.
        """
        with self._busy:
            try:
                yield self.path
            except OSError as error:
                if is_full(error):
                    raise JailMissing(_FULL.format(self.path.parent)) from error
                raise


def remove_orphans(place: Path) -> None:
    """Remove the folders of jails whose grader was killed."""
    for folder in place.glob(f"{_PREFIX}*-*"):
        owner = folder.name.split("-")[1]
        if owner.isdecimal() and not Path(f"/proc/{owner}").exists():
            with suppress(OSError):
                _remove_unlocked(folder)


def _remove_unlocked(folder: Path) -> None:
    lock = os.open(folder, os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY)
    try:
        is_ours = os.fstat(lock).st_uid == os.geteuid()
        _lock(lock)
        if is_ours:
            _remove(folder)
    finally:
        os.close(lock)


def _remove(folder: Path) -> None:
    """Remove a folder, even if it is very deep or if its owner may not write in it."""
    with suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    if folder.exists():
        for command in (["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
            subprocess.run([*command, folder], stderr=subprocess.DEVNULL, check=False)


def _lock(folder: int) -> None:
    """Lock the folder for this process; raise `OSError` if another process has locked it."""
    if sys.platform == "linux":
        import fcntl  # missing on Windows, where this module must still load

        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
