"""A frame: four bytes of length, then one JSON object. Nothing else is ever read from a socket."""

import json
import re
import struct
from typing import Any

MAX_BYTES = 16 * 2**20
MAX_WEIGHT = 100_000_000

LENGTH = struct.Struct(">I")


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
