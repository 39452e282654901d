"""A frame: four bytes of length, then one JSON object. Nothing else is ever read from a socket."""

import json
import re
import select
import socket
import struct
import time
from math import ceil, inf
from typing import Any

MAX_BYTES = 16 * 2**20
MAX_WEIGHT = 100_000_000

LENGTH = struct.Struct(">I")
_MOST = 2**18  # bytes that are read at once
_SHORTEST = 0.001  # seconds for which a frame may wait to be sent
_REST = 0.5  # seconds after a deadline in which a frame must be whole that has begun to come

# Bytes of memory that a part of a frame takes once it is read.
_PART, _LIST, _OBJECT = 40, 64, 300
_TEXT, _ODD_TEXT = 1, 4

# The most that such a part costs, as `Budget` counts, where nothing but JSON itself is in a frame.
_PLAIN_BYTE, _PLAIN_PART = 8, 180
_LONG_NUMBER = re.compile(rb"[0-9]{16}")


class WireError(Exception):
    """Bytes that are no frame, a frame that is too large, or a value that is not well formed.

    The message never has a word of what was read: it may be shown, and students choose what they
    send.
    """


class Unfit(WireError):  # noqa: N818 — said of a value
    """A value that cannot cross: neither plain nor reached through a handle."""


def pack(message: dict[str, Any]) -> bytes:
    """The frame of a message; raises `WireError` if it is too large."""
    try:
        body = json.dumps(message, separators=(",", ":"), check_circular=False).encode("ascii")
    except (RecursionError, TypeError, ValueError) as error:
        raise WireError(f"this cannot be sent: {error}") from None
    if len(body) > MAX_BYTES:
        raise WireError(f"this is too much: at most {MAX_BYTES:,} bytes can be sent")
    return LENGTH.pack(len(body)) + body


class Frame(dict[str, Any]):
    """A message that was read. `plain_cost` is what its values cost at most, if they are plain.

    Plain is what is JSON itself: no object but the message, no long number. Else it is `None`.
    """

    plain_cost: int | None = None


def unpack(body: bytes | bytearray) -> Frame:
    """The message that a frame holds after its length; raises `WireError` if it holds none."""
    if _weight(body) > MAX_WEIGHT:
        raise WireError("the frame has too many parts")
    try:
        message = json.loads(str(body, "ascii"))
    except (ValueError, RecursionError):
        raise WireError("the frame is not JSON") from None
    if type(message) is not dict:
        raise WireError("the frame is not an object")
    frame = Frame(message)
    if body.count(b"{") == 1 and not _LONG_NUMBER.search(body):
        parts = body.count(b",") + body.count(b"[")
        frame.plain_cost = len(body) * _PLAIN_BYTE + parts * _PLAIN_PART
    return frame


def _weight(body: bytes | bytearray) -> int:
    """About as many bytes of memory as a frame takes once it is read."""
    parts = body.count(b",") * _PART + body.count(b"[") * _LIST + body.count(b"{") * _OBJECT
    return parts + len(body) * (_ODD_TEXT if rb"\u" in body else _TEXT)


class Channel:
    """Sends and receives frames; deadlines are of `time.monotonic()`, `None` is never."""

    def __init__(self, wire: socket.socket) -> None:
        self._wire = wire
        self._came = bytearray()

    def send(self, frames: bytes, deadline: float | None = None) -> None:
        """Sends what `pack` gave, once or several times.

        Raises `TimeoutError` at the deadline, `OSError` if the other side is gone.
        """
        if deadline is not None:
            self._wire.settimeout(max(deadline - time.monotonic(), _SHORTEST))
        try:
            self._wire.sendall(frames)
        finally:
            self._wire.settimeout(None)

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
                if deadline is not None and not self.comes(deadline - time.monotonic()):
                    raise TimeoutError("the deadline is over") from None
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
        watched = select.poll()
        watched.register(self._wire, select.POLLIN)
        return bool(watched.poll(ceil(max(seconds, 0) * 1000)))

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
