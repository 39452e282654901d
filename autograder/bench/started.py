"""The processes that a measurement starts: however it ends, none of them lives on."""

from collections.abc import Iterator
from contextlib import contextmanager

from autograder.scratch import at_the_end

SCRATCH = "autograder-bench-"  # the names of its folders begin so
_PATIENCE = 3.0  # seconds in which a program may clear up after itself


@contextmanager
def none_outlives() -> Iterator[None]:
    """Have all that this process has started ended if the process ends inside the block."""
    with at_the_end(_end_all):
        yield


def _end_all() -> None:
    from psutil import NoSuchProcess, Process, wait_procs

    started = Process().children(recursive=True)
    for ask in ("terminate", "kill"):
        for one in started:
            try:
                getattr(one, ask)()
            except NoSuchProcess:
                continue
        _, started = wait_procs(started, _PATIENCE)
