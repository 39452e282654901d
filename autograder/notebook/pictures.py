"""Pictures of students: those that a browser can show without being held up by them."""

import struct
from base64 import b64decode
from contextlib import suppress

_MOST_PIXELS = 25_000_000  # a few thousand bytes can hold more, which fill a browser's memory
_SIZE_IN_JPEG = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}  # markers of the part with the size
_ALONE_IN_JPEG = {0x01, *range(0xD0, 0xD9)}  # markers of parts without a length


def is_picture(kind: str, text: str) -> bool:
    """Return true if a base64 text is a png, jpeg, gif or webp picture of this type and usual size.

    The type and the size are read from the first bytes of the picture.

    >>> dot = "R0lGODlhAQABAAAAACw="
    >>> is_picture("image/gif", dot), is_picture("image/png", dot)
    (True, False)
    """
    with suppress(ValueError, IndexError, struct.error):
        found, width, height = _measure(b64decode("".join(text.split()), validate=True))
        return found == kind and 0 < width * height <= _MOST_PIXELS
    return False


def _measure(data: bytes) -> tuple[str, int, int]:
    """Return the type, width and height of a picture; raise an error if the data is none."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png", *struct.unpack_from(">2I", data, 16)
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif", *struct.unpack_from("<2H", data, 6)
    if data.startswith(b"RIFF") and data[8:15] == b"WEBPVP8":
        if data[15:16] == b"X":
            width, height = (int.from_bytes(data[at : at + 3], "little") + 1 for at in (24, 27))
        elif data[15:16] == b"L":
            (both,) = struct.unpack_from("<I", data, 21)
            width, height = (both & 0x3FFF) + 1, (both >> 14 & 0x3FFF) + 1
        else:
            width, height = (side & 0x3FFF for side in struct.unpack_from("<2H", data, 26))
        return "image/webp", width, height
    at = 2 if data.startswith(b"\xff\xd8") else len(data)
    while data[at] == 0xFF and data[at + 1] not in _SIZE_IN_JPEG:
        if data[at + 1] == 0xFF:  # a filling byte
            at += 1
        else:
            is_alone = data[at + 1] in _ALONE_IN_JPEG
            at += 2 if is_alone else 2 + int.from_bytes(data[at + 2 : at + 4])
    if data[at] != 0xFF:
        raise ValueError("no picture")
    height, width = struct.unpack_from(">2H", data, at + 5)
    return "image/jpeg", width, height
