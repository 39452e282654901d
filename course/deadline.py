"""A deadline for code that may never end, in the learner's own process."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from course.browser_deadline import AGAIN, IS_BROWSER, loops_end_in
from course.function_calls import NoAnswer

_LONGER = 5  # code that sleeps or waits for input may take this many times as long
# The system's file begins with two numbers: the nanoseconds in which the main thread ran, and those
# in which it waited for a free processor.
_SCHEDULED = Path("/proc/self/schedstat")
_TIMERS = (signal.ITIMER_PROF, signal.ITIMER_REAL) if hasattr(signal, "setitimer") else ()


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Stop the code of a `with` block with `NoAnswer` if it runs longer than `seconds`.

    The seconds are processor time, so that code is not stopped just because the machine is busy.
    Code that sleeps or waits for input uses no processor time. So code is also stopped after
    `_LONGER * seconds` on the clock, unless it ran, or waited for a free processor, for half of
    them. Outside the main thread, and on a system without alarms, nothing is stopped. While an
    inner deadline runs, the timers of an outer one stand still. In a browser, all seconds are those
    on the clock, and outer deadlines do not stand still.
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
    finally:  # runs even if an alarm rings during the inner `finally`
        _stop()
        for number, before in zip((signal.SIGPROF, signal.SIGALRM), previous, strict=True):
            signal.signal(number, before)
        for timer, (left, again) in zip(_TIMERS, outer, strict=True):
            signal.setitimer(timer, left, again)


def _awake() -> float:
    """Return the seconds in which the main thread has run, or waited for a free processor."""
    with suppress(OSError):
        return sum(map(int, _SCHEDULED.read_text("ascii").split()[:2])) / 1e9
    return time.process_time()  # on systems that do not count the waiting


def _stop() -> list[tuple[float, float]]:
    """Stop both timers; return (seconds to the next alarm, seconds between alarms) for each."""
    return [signal.setitimer(timer, 0) for timer in _TIMERS]


def _give_up(*_: object) -> None:
    raise NoAnswer
