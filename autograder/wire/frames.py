"""A frame: four bytes of length, then one JSON object. Nothing else is ever read from a socket."""

import json
import socket
import struct
import time
from typing import Any

MAX_BYTES = 16 * 2**20
MAX_WEIGHT = 100_000_000

_LENGTH = struct.Struct(">I")


# Bytes of memory that a part of a frame takes once it is read.
_PART, _LIST, _OBJECT = 40, 64, 300
_TEXT, _ODD_TEXT = 1, 4


class WireError(Exception):
    """Bytes that are no frame, a frame that is too large, or a value that is not well formed.

    The message never has a word of what was read: it may be shown, and students choose what they
    send.
    """


class Unfit(WireError):  # noqa: N818 — said of a value
    """A value that can not cross: neither plain nor reached through a handle."""


def pack(message: dict[str, Any]) -> bytes:
    """The frame of a message; raises `WireError` if it is too large."""
    try:
        body = json.dumps(message, separators=(",", ":"), check_circular=False).encode("ascii")
    except (RecursionError, TypeError, ValueError) as error:
        raise WireError(f"this can not be sent: {error}") from None
    if len(body) > MAX_BYTES:
        raise WireError(f"this is too much: at most {MAX_BYTES:,} bytes can be sent")
    return _LENGTH.pack(len(body)) + body


def unpack(body: bytes | bytearray) -> dict[str, Any]:
    """The message that a frame holds after its length; raises `WireError` if it holds none."""
    if _weight(body) > MAX_WEIGHT:
        raise WireError("the frame has too many parts")
    try:
        message = json.loads(str(body, "ascii"))
    except (ValueError, RecursionError):
        raise WireError("the frame is not JSON") from None
    if type(message) is not dict:
        raise WireError("the frame is not an object")
    return message


def _weight(body: bytes | bytearray) -> int:
    """About as many bytes of memory as a frame takes once it is read."""
    parts = body.count(b",") * _PART + body.count(b"[") * _LIST + body.count(b"{") * _OBJECT
    return parts + len(body) * (_ODD_TEXT if rb"\u" in body else _TEXT)


def send(sock: socket.socket, message: dict[str, Any], deadline: float | None = None) -> None:
    """Sends a message before the deadline of `time.monotonic()`, else raises `TimeoutError`."""
    send_frame(sock, pack(message), deadline)


def send_frame(sock: socket.socket, frame: bytes, deadline: float | None = None) -> None:
    """Sends what `pack` gave, before the deadline."""
    sock.settimeout(_left(deadline))
    sock.sendall(frame)


def receive(sock: socket.socket, deadline: float | None = None) -> dict[str, Any]:
    """The next message before the deadline of `time.monotonic()`.

    Raises `TimeoutError` at the deadline, `EOFError` if the other side is gone, `WireError` if what
    comes is not a message.
    """
    return unpack(receive_body(sock, deadline))


def receive_body(sock: socket.socket, deadline: float | None = None) -> bytearray:
    """What the next frame holds after its length, for `unpack`; raises as `receive` does."""
    (length,) = _LENGTH.unpack(_receive_bytes(sock, _LENGTH.size, deadline))
    if length > MAX_BYTES:
        raise WireError("a frame is too large")
    return _receive_bytes(sock, length, deadline)


def _receive_bytes(sock: socket.socket, count: int, deadline: float | None) -> bytearray:
    chunks = bytearray()
    while len(chunks) < count:
        sock.settimeout(_left(deadline))
        chunk = sock.recv(min(count - len(chunks), 2**18))
        if not chunk:
            raise EOFError("the other side has closed the wire")
        chunks += chunk
    return chunks


def _left(deadline: float | None) -> float | None:
    if deadline is None:
        return None
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError("the deadline is over")
    return left
