"""One run of the grader at a time in a course; the next one waits for its turn."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from autograder.trouble import Trouble

_FILE = ".autograder-lock"


@contextmanager
def one_at_a_time(root: Path, address: str, on_wait: Callable[[], object]) -> Iterator[None]:
    """Hold the locks of a course folder, and of the folder where the file of its gradebook is.

    If another run has one of them, call `on_wait`, then wait. The system releases them when the
    process ends in any way. Raise `Trouble` if nothing can be written in the course folder.
    """
    with ExitStack() as locks:
        for folder in _folders(root, address):
            locks.enter_context(_locked(folder, on_wait))
        yield


def _folders(root: Path, address: str) -> list[Path]:
    """Return the folders in the same order for all runs, so that no two wait for each other."""
    found = {root.resolve()}
    try:
        url = make_url(address)
    except ArgumentError:  # the gradebook says so when it is opened
        return list(found)
    if url.get_backend_name() == "sqlite" and url.database:
        folder = Path(url.database).resolve().parent
        found |= {folder} if os.access(folder, os.W_OK) else set()
    return sorted(found)


@contextmanager
def _locked(folder: Path, on_wait: Callable[[], object]) -> Iterator[None]:
    try:
        handle = os.open(folder / _FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise Trouble(
            f"{folder} cannot be written to: {error.strerror}. Nothing was graded"
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
