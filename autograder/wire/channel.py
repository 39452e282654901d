"""One end of a wire, as the judge and the jail use it: whole frames, each in its time."""

import select
import socket
import time
from math import ceil, inf

from autograder.wire.frames import LENGTH, MAX_BYTES, WireError

_MOST = 2**18  # bytes that are read at once
_REST = 0.5  # seconds after a deadline in which a frame must be whole that has begun to come


class Channel:
    """Sends and receives frames; deadlines are of `time.monotonic()`, `None` is never."""

    def __init__(self, wire: socket.socket) -> None:
        self._wire = wire
        self._came = bytearray()

    def send(self, frames: bytes, deadline: float | None = None) -> None:
        """Sends what `pack` gave, once or several times.

        Raises `TimeoutError` at the deadline, `OSError` if the other side is gone.
        """
        if deadline is None:
            self._wire.sendall(frames)
            return
        rest = memoryview(frames)
        while rest:
            try:
                rest = rest[self._wire.send(rest, socket.MSG_DONTWAIT) :]
            except BlockingIOError:
                self._wait(select.POLLOUT, deadline)

    def receive(self, deadline: float | None = None) -> bytes:
        """Return the body of the next frame, for `unpack`.

        Raises `TimeoutError` at the deadline, `EOFError` if the other side is gone, `WireError` if
        the frame is too large. What has come of a frame until then is not lost; what came in time
        counts, however late it is looked at.
        """
        last = inf
        while not self._is_whole():
            if deadline is not None and (now := time.monotonic()) > deadline:
                last = min(last, now + _REST)
                if now > last:
                    raise TimeoutError("the rest of a frame does not come")
            try:
                chunk = self._wire.recv(_MOST, socket.MSG_DONTWAIT if deadline is not None else 0)
            except BlockingIOError:
                self._wait(select.POLLIN, deadline)
                continue
            if not chunk:
                raise EOFError("the other side has closed the wire")
            self._came += chunk
        end = self._end()
        body = bytes(self._came[LENGTH.size : end])
        del self._came[:end]
        return body

    def comes(self, seconds: float) -> bool:
        """Finds out if more comes within so many seconds."""
        return self._is_ready(select.POLLIN, seconds)

    def close(self) -> None:
        """Closes the wire."""
        self._wire.close()

    def _is_whole(self) -> bool:
        return len(self._came) >= LENGTH.size and len(self._came) >= self._end()

    def _end(self) -> int:
        """Return the place where the first frame ends in the bytes that have come."""
        (length,) = LENGTH.unpack_from(self._came)
        if length > MAX_BYTES:
            raise WireError("a frame is too large")
        return LENGTH.size + int(length)

    def _wait(self, for_what: int, deadline: float | None) -> None:
        if deadline is not None and not self._is_ready(for_what, deadline - time.monotonic()):
            raise TimeoutError("the deadline is over")

    def _is_ready(self, for_what: int, seconds: float) -> bool:
        watched = select.poll()
        watched.register(self._wire, for_what)
        return bool(watched.poll(ceil(max(seconds, 0) * 1000)))
