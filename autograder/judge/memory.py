"""A limit on the memory of a test cell: numpy may spread one array over another."""

import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MOST = 2 * 2**30  # bytes by which the judge may grow in a test cell

_STATM = Path("/proc/self/statm")
_PAGE = resource.getpagesize()
_SOFT, _HARD = resource.getrlimit(resource.RLIMIT_AS)


@contextmanager
def limited() -> Iterator[None]:
    """Within, what would take more memory raises `MemoryError`."""
    if sys.platform != "linux":
        yield
        return
    most = int(_STATM.read_bytes().split()[0]) * _PAGE + MOST
    if _SOFT != resource.RLIM_INFINITY:
        most = min(most, _SOFT)
    resource.setrlimit(resource.RLIMIT_AS, (most, _HARD))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (_SOFT, _HARD))
