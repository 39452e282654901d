"""What lies on the disk for a while only, and is removed however this process ends."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from autograder.ending import add_last, drop_last


@contextmanager
def at_the_end(do: Callable[[], object]) -> Iterator[None]:
    """Should this process end in here, this is done before."""
    add_last(do)
    try:
        yield
    finally:
        drop_last(do)


@contextmanager
def scratch_folder(prefix: str, place: Path | None = None) -> Iterator[Path]:
    """A folder for as long as it is needed."""
    folder = tempfile.mkdtemp(prefix=prefix, dir=place)
    remove = partial(shutil.rmtree, folder, ignore_errors=True)
    with at_the_end(remove):
        try:
            yield Path(folder)
        finally:
            remove()
