"""A deadline for code that may never come to its end, in the learner's own process."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from course.answers import NoAnswer
from course.loops import AGAIN, IS_BROWSER, loops_end_in

_LONGER = 5  # times the seconds, for what waits
_SCHEDULED = Path("/proc/self/schedstat")  # nanoseconds that the main thread ran, and was queued


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raises `NoAnswer` in what runs inside after that many seconds, where the system can.

    They are seconds of the processor, so that nothing is called endless on a busy machine; what
    waits for something else has a few times as long, and what waits for a processor all it needs.
    It can where there are alarms, and only in the main thread: that is where cells run. In a
    browser, loops look at the clock.
    """
    if IS_BROWSER:
        with loops_end_in(seconds, NoAnswer):
            yield
        return
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or not hasattr(signal, "setitimer"):
        yield
        return
    awake = _awake()

    def look(*_: object) -> None:
        nonlocal awake
        before, awake = awake, _awake()
        if awake - before < _LONGER * seconds / 2:
            raise NoAnswer
        signal.setitimer(signal.ITIMER_REAL, _LONGER * seconds, AGAIN)

    previous = [signal.signal(signal.SIGPROF, _give_up), signal.signal(signal.SIGALRM, look)]
    try:
        try:
            signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN)
            signal.setitimer(signal.ITIMER_REAL, _LONGER * seconds, AGAIN)
            yield
        finally:
            _stop()
    finally:  # also where the last alarm came while the first `finally` was at work
        _stop()
        for number, before in zip((signal.SIGPROF, signal.SIGALRM), previous, strict=True):
            signal.signal(number, before)


def _awake() -> float:
    """Return the seconds in which this process had a processor, or waited for one to be free."""
    with suppress(OSError):
        return sum(map(int, _SCHEDULED.read_text("ascii").split()[:2])) / 1e9
    return time.process_time()  # where no kernel says more


def _stop() -> None:
    for timer in (signal.ITIMER_PROF, signal.ITIMER_REAL):
        signal.setitimer(timer, 0)


def _give_up(*_: object) -> None:
    raise NoAnswer
