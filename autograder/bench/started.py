"""What a measurement starts: however the measurement ends, none of it lives on."""

from collections.abc import Iterator
from contextlib import contextmanager

from autograder.scratch import at_the_end

SCRATCH = "autograder-bench-"  # so begin the names of its folders
_PATIENCE = 3.0  # seconds in which a program may clear up after itself


@contextmanager
def none_outlives() -> Iterator[None]:
    """Should this process end in here, all that it has started is ended before."""
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
