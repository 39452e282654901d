"""The time that agents think, in seconds of processor time: a busy machine takes none of it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import process_time

_clock: ContextVar[Callable[[], float]] = ContextVar("_clock", default=process_time)


def thought() -> float:
    """Return the seconds that agents have thought so far; by default, those of this process."""
    return _clock.get()()


@contextmanager
def thinking_on(clock: Callable[[], float]) -> Iterator[None]:
    """Measure how long agents in another process think; `clock` gives their seconds so far."""
    before = _clock.set(clock)
    try:
        yield
    finally:
        _clock.reset(before)
