"""A deadline for code that may never come to its end, in the learner's own process."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from course.answers import NoAnswer
from course.loops import AGAIN, IS_BROWSER, loops_end_in


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raises `NoAnswer` in what runs inside after that many seconds, where the system can.

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
    previous = signal.signal(signal.SIGALRM, _give_up)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:  # also where the last alarm came while the first `finally` was at work
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def _give_up(*_: object) -> None:
    raise NoAnswer
