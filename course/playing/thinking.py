"""The time that agents think, in seconds of processor time: a busy machine takes none of it."""

from collections.abc import Callable
from time import process_time

_clock: Callable[[], float] = process_time


def thought() -> float:
    """Return the seconds that agents have thought so far; by default, those of this process."""
    return _clock()


def think_on(clock: Callable[[], float]) -> None:
    """Measure how long agents in another process think; `clock` gives their seconds so far."""
    global _clock
    _clock = clock
