"""An alarm over code of the instructor's that an odd answer may keep from coming to its end."""

import ctypes
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

_LOOK = 0.1  # seconds between two looks at what is due
_AGAIN = 1.0  # seconds after which it rings once more: Python drops what is raised in a `__del__`

_due: dict[int, float] = {}  # thread → when its alarm rings
_lock = threading.Lock()


class _Rang(BaseException):
    """The time is over; no test takes it for an error that it waits for."""


@contextmanager
def alarm(seconds: float, error: BaseException) -> Iterator[None]:
    """Raises an error in the code of a `with` that is not at its end after so many seconds.

    It works in any thread. What does not come back to Python, such as one very large power, is not
    ended.
    """
    _start()
    thread = threading.get_ident()
    with _lock:
        _due[thread] = time.monotonic() + seconds
    try:
        try:
            yield
        finally:
            with _lock:
                _due.pop(thread, None)
            _listen()
    except _Rang:
        raise error from None


def _listen() -> None:
    """Python raises what is to be raised in a thread at the latest where a function begins."""


@cache
def _start() -> None:
    threading.Thread(target=_watch, name="rings the alarms", daemon=True).start()


def _watch() -> None:
    while True:
        time.sleep(_LOOK)
        with _lock:
            for thread in [one for one, end in _due.items() if time.monotonic() > end]:
                _due[thread] = time.monotonic() + _AGAIN
                number = ctypes.c_ulong(thread)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(number, ctypes.py_object(_Rang))
