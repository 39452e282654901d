"""The time that agents think: seconds of the processor, so that a busy machine takes none of it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import process_time

_clock: ContextVar[Callable[[], float]] = ContextVar("_clock", default=process_time)


def thought() -> float:
    """The seconds that agents have thought so far: of this process, if they run in no other one."""
    return _clock.get()()


@contextmanager
def thinking_on(clock: Callable[[], float]) -> Iterator[None]:
    """In here agents think in another process; a call of the clock gives its seconds so far."""
    before = _clock.set(clock)
    try:
        yield
    finally:
        _clock.reset(before)
