"""One run of the grader at a time in a course folder; the next one waits for its turn."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from autograder.trouble import Trouble

_FILE = ".autograder-lock"


@contextmanager
def one_at_a_time(root: Path, on_wait: Callable[[], object]) -> Iterator[None]:
    """Holds the lock of a course folder; calls `on_wait` first where another run has it.

    The system lets go of it when its process ends in any way. Raises `Trouble` if nothing can be
    written in the folder.
    """
    try:
        handle = os.open(root / _FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise Trouble(
            f"{root} can not be written to: {error.strerror}. Nothing was graded"
        ) from error
    try:
        _take(handle, on_wait)
        yield
    finally:
        os.close(handle)


def _take(handle: int, on_wait: Callable[[], object]) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        on_wait()
        fcntl.flock(handle, fcntl.LOCK_EX)
