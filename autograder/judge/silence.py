"""Nothing that test cells print reaches the terminal, whatever they print it with."""

import io
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakSet

_lock = threading.Lock()
_silent: WeakSet[threading.Thread] = WeakSet()  # these judge, or were begun by tests
_before: WeakSet[threading.Thread] = WeakSet()  # these were there before any test ran
_streams: list[tuple[Any, Any]] = []  # what stood there, once for each that judges now


@contextmanager
def silence() -> Iterator[None]:
    """In here this thread, and all that it begins, print nothing; others print as always."""
    thread = threading.current_thread()
    with _lock:
        if not _streams:
            _before.update(threading.enumerate())
        _streams.append((sys.stdout, sys.stderr))
        if len(_streams) == 1:
            sys.stdout, sys.stderr = _Quiet(sys.stdout), _Quiet(sys.stderr)
        _silent.add(thread)
    try:
        yield
    finally:
        with _lock:
            _silent.discard(thread)
            if len(_streams) == 1:
                sys.stdout, sys.stderr = _streams[0]
                _before.clear()
            _streams.pop()


def _is_silent() -> bool:
    thread = threading.current_thread()
    return thread in _silent or thread not in _before


class _Quiet:
    """A stream that drops what silent threads write."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return len(text) if _is_silent() else self._stream.write(text)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        if not _is_silent():
            self._stream.flush()

    @property
    def buffer(self) -> Any:
        return io.BytesIO() if _is_silent() else self._stream.buffer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
