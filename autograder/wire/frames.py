"""Frames, which are the messages on the wire: four bytes for the length, then one JSON object."""

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
_SHORTEST = 0.001  # seconds that a frame always has to be sent
_REST = 0.5  # seconds after a deadline, in which the rest of a begun frame must come

# Bytes of memory that each comma, `[`, `{` and byte of a frame takes once it is read.
_PART, _LIST, _OBJECT = 40, 64, 300
_TEXT, _ODD_TEXT = 1, 4

# The most that a byte and a part of a frame cost, as `Budget` counts, if the frame has no tags.
_PLAIN_BYTE, _PLAIN_PART = 8, 180
_LONG_NUMBER = re.compile(rb"[0-9]{16}")


class WireError(Exception):
    """An error: bytes are no frame, a frame is too large, or a value is not well formed.

    The message never repeats what was read. It may be shown, and students choose what they send.
    """


class Unfit(WireError):  # noqa: N818 — said of a value
    """An error: a value cannot cross the wire, neither by value nor through a handle."""


def pack(message: dict[str, Any]) -> bytes:
    """Return the frame of a message; raise `WireError` if it is too large or not JSON."""
    try:
        body = json.dumps(message, separators=(",", ":"), check_circular=False).encode("ascii")
    except (RecursionError, TypeError, ValueError) as error:
        raise WireError(f"this cannot be sent: {error}") from None
    if len(body) > MAX_BYTES:
        raise WireError(f"this is too much: at most {MAX_BYTES:,} bytes can be sent")
    return LENGTH.pack(len(body)) + body


class Frame(dict[str, Any]):
    """A message that was read.

    `plain_cost` is the most that its values can cost, as `Budget` counts. It is `None` if the
    message has a long number or a JSON object inside, because the cost is not known then.
    """

    plain_cost: int | None = None


def unpack(body: bytes | bytearray) -> Frame:
    """Return the message in the body of a frame; raise `WireError` if there is no message."""
    # About how many bytes of memory the frame takes once it is read.
    parts = body.count(b",") * _PART + body.count(b"[") * _LIST + body.count(b"{") * _OBJECT
    if parts + len(body) * (_ODD_TEXT if rb"\u" in body else _TEXT) > MAX_WEIGHT:
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


class Channel:
    """One end of a socket, which sends and receives frames.

    A deadline is a time of `time.monotonic()`; `None` means that there is no deadline.
    """

    def __init__(self, wire: socket.socket) -> None:
        self._wire = wire
        self._came = bytearray()

    def send(self, frames: bytes, deadline: float | None = None) -> None:
        """Send one or more frames that `pack` has returned.

        Raise `TimeoutError` at the deadline, and `OSError` if the other side is gone.
        """
        if deadline is not None:
            self._wire.settimeout(max(deadline - time.monotonic(), _SHORTEST))
        try:
            self._wire.sendall(frames)
        finally:
            self._wire.settimeout(None)

    def receive(self, deadline: float | None = None) -> bytes:
        """Return the body of the next frame, for `unpack`.

        Raise `TimeoutError` at the deadline, or up to half a second later if bytes of the frame are
        still coming. Raise `EOFError` if the other side is gone, and `WireError` if the frame is
        too large. After a `TimeoutError`, the next call goes on with the part of the frame that has
        come. A frame that came in time is returned even if this method is called late.
        """
        last = inf
        while len(self._came) < LENGTH.size or len(self._came) < self._end():
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
        """Wait at most `seconds`, and return true if there is something to read."""
        watched = select.poll()
        watched.register(self._wire, select.POLLIN)
        return bool(watched.poll(ceil(max(seconds, 0) * 1000)))

    def close(self) -> None:
        """Close the socket."""
        self._wire.close()

    def _end(self) -> int:
        """Return the index at which the first frame ends in the bytes that have come."""
        (length,) = LENGTH.unpack_from(self._came)
        if length > MAX_BYTES:
            raise WireError("a frame is too large")
        return LENGTH.size + int(length)
