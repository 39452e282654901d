"""A deadline for code that may never end, in the learner's own process."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from course.endless_loops import AGAIN, IS_BROWSER, loops_end_in
from course.function_calls import NoAnswer

_LONGER = 5  # times as many seconds for code that sleeps or waits for input
# This file has the nanoseconds that the main thread has run, and has waited for a free processor.
_SCHEDULED = Path("/proc/self/schedstat")
_TIMERS = (signal.ITIMER_PROF, signal.ITIMER_REAL) if hasattr(signal, "setitimer") else ()


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raise `NoAnswer` in the code inside the `with` block if it runs longer than `seconds`.

    The seconds are processor time, so that code is not stopped just because the machine is busy.
    Code that sleeps or waits for input uses no processor time: it is stopped after a few times as
    many seconds on the clock, in which waiting for a free processor does not count. On a system
    without alarms, and outside the main thread, nothing is stopped. A deadline inside another one
    stops the clock of the outer one.
    """
    if IS_BROWSER:
        with loops_end_in(seconds, NoAnswer):
            yield
        return
    if not _TIMERS or threading.current_thread() is not threading.main_thread():
        yield
        return
    awake = _awake()

    def look(*_: object) -> None:
        nonlocal awake
        before, awake = awake, _awake()
        if awake - before < _LONGER * seconds / 2:
            raise NoAnswer
        signal.setitimer(signal.ITIMER_REAL, _LONGER * seconds, AGAIN)

    outer = _stop()
    previous = [signal.signal(signal.SIGPROF, _give_up), signal.signal(signal.SIGALRM, look)]
    try:
        try:
            signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN)
            signal.setitimer(signal.ITIMER_REAL, _LONGER * seconds, AGAIN)
            yield
        finally:
            _stop()
    finally:  # even if the last alarm came during the first `finally`
        _stop()
        for number, before in zip((signal.SIGPROF, signal.SIGALRM), previous, strict=True):
            signal.signal(number, before)
        for timer, (left, again) in zip(_TIMERS, outer, strict=True):
            signal.setitimer(timer, left, again)


def _awake() -> float:
    """Return the seconds in which the main thread ran, or waited for a free processor."""
    with suppress(OSError):
        return sum(map(int, _SCHEDULED.read_text("ascii").split()[:2])) / 1e9
    return time.process_time()  # on systems that do not count the waiting


def _stop() -> list[tuple[float, float]]:
    """Stop both timers; return what was left of each, and how often it rings after that."""
    return [signal.setitimer(timer, 0) for timer in _TIMERS]


def _give_up(*_: object) -> None:
    raise NoAnswer
