"""What lies on the disk for a while only, and is removed however this process ends."""

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
    """Should this process end in here, this is done before."""
    add_last(do, make)
    try:
        yield
    finally:
        drop_last(do)


@contextmanager
def scratch_folder(prefix: str, place: Path | None = None) -> Iterator[Path]:
    """A folder for as long as it is needed."""
    folder = Path(place or tempfile.gettempdir(), prefix + secrets.token_hex(8))
    remove = partial(shutil.rmtree, folder, ignore_errors=True)
    with at_the_end(remove, partial(folder.mkdir, 0o700)):
        try:
            yield folder
        finally:
            remove()
