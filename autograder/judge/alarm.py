"""An alarm over code of the instructor's that an odd answer may keep from coming to its end."""

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class _Rang(BaseException):
    """The time is over; no test takes it for an error that it waits for."""


@contextmanager
def alarm(seconds: float, error: BaseException) -> Iterator[None]:
    """Raises an error in the code of a `with` that is not at its end after so many seconds.

    It works in any thread. What does not come back to Python, such as one very large power, is not
    ended.
    """
    thread, lock = threading.get_ident(), threading.Lock()
    is_over = False

    def ring() -> None:
        with lock:
            if not is_over:
                _raise_in(thread)

    timer = threading.Timer(seconds, ring)
    timer.daemon = True
    timer.start()
    try:
        try:
            yield
        finally:
            with lock:
                is_over = True
            timer.cancel()  # here at the latest the alarm is heard
    except _Rang:
        raise error from None


def _raise_in(thread: int) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(_Rang))
