"""Temporary files and folders, which are removed when this process ends unless it is killed."""

import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from autograder.ending import add_last, drop_last


@contextmanager
def at_the_end(do: Callable[[], object], make: Callable[[], object] = int) -> Iterator[None]:
    """Have `do` called if this process ends inside the block; `make` makes what `do` removes."""
    add_last(do, make)
    try:
        yield
    finally:
        drop_last(do)


@contextmanager
def scratch_folder(prefix: str, place: Path | None = None) -> Iterator[Path]:
    """Make a temporary folder for the block, and remove it afterwards or when this process ends."""
    folder = Path(place or tempfile.gettempdir(), prefix + secrets.token_hex(8))
    remove = partial(shutil.rmtree, folder, ignore_errors=True)
    with at_the_end(remove, partial(folder.mkdir, 0o700)):
        try:
            yield folder
        finally:
            remove()
