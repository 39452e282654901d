"""An alarm over code of the instructor's that an odd answer may keep from coming to its end."""

import ctypes
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from autograder.jail import LOOK, Meter

_AGAIN = 1.0  # seconds after which it rings once more: Python drops what is raised in a `__del__`

_alarms: dict[int, "_Alarm"] = {}  # thread → what is to ring there
_hushed: set[int] = set()  # threads in which it waits
_lock = threading.Lock()


@dataclass
class _Alarm:
    """Rings when its thread has spent that much."""

    meter: Meter
    most: float


class _Rang(BaseException):
    """The time is over; no test takes it for an error that it waits for."""


@contextmanager
def alarm(seconds: float, error: BaseException) -> Iterator[None]:
    """Raises an error in the code of a `with` that is not at its end when it has spent so much.

    They are seconds of its thread, as `Meter` counts them, and while it is hushed it may also wait.
    It works in any thread. What does not come back to Python, such as one very large power, is not
    ended.
    """
    _start()
    thread = threading.get_ident()
    rang = False
    task = Path(f"/proc/self/task/{threading.get_native_id()}")
    meter = Meter(time.pthread_getcpuclockid(thread), lambda: [task])
    with _lock:
        _alarms[thread] = _Alarm(meter, seconds)
    try:
        yield
    except _Rang:
        rang = True
    finally:
        while True:
            try:
                with _lock:
                    _alarms.pop(thread, None)
                _listen()
                break
            except _Rang:
                rang = True
        if rang:
            raise error from None


class Hushed:
    """In a `with` of this, an alarm waits: what is half done comes to its end.

    It is no generator: what Python raises between two lines of ours would leave one half done.
    """

    def __init__(self) -> None:
        self._thread = threading.get_ident()
        self._before = self._thread in _hushed

    def __enter__(self) -> None:
        try:
            _hush(self._thread, True)
            _listen()
        except _Rang:
            _hush(self._thread, self._before)
            raise

    def __exit__(self, *_error: object) -> None:
        _hush(self._thread, self._before)
        _listen()
        one = _alarms.get(self._thread)
        if one is not None and not self._before and one.meter.seconds > one.most:
            one.most += _AGAIN  # what is asked again and again is hardly ever found to listen
            raise _Rang


def _hush(thread: int, is_hushed: bool) -> None:
    with _lock:
        (_hushed.add if is_hushed else _hushed.discard)(thread)


def _listen() -> None:
    """Python raises what is to be raised in a thread at the latest where a function begins."""


@cache
def _start() -> None:
    threading.Thread(target=_watch, name="rings the alarms", daemon=True).start()


def _watch() -> None:
    while True:
        time.sleep(LOOK)
        with _lock:
            for thread in _alarms.keys() - _hushed:
                one = _alarms[thread]
                one.meter.look(LOOK)
                if one.meter.seconds > one.most:
                    one.most = one.meter.seconds + _AGAIN
                    number = ctypes.c_ulong(thread)
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(number, ctypes.py_object(_Rang))
