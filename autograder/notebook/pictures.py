"""Pictures of students: those that a browser can show without being held up by them."""

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
    with suppress(ValueError, IndexError):
        found, width, height = _measure(b64decode("".join(text.split()), validate=True))
        return found == kind and 0 < width * height <= _MOST_PIXELS
    return False


def _measure(data: bytes) -> tuple[str, int, int]:
    """Return the type, width and height of a picture; raise `ValueError` if the data is none."""

    def big(at: int, length: int) -> int:
        return int.from_bytes(data[at : at + length], "big")

    def little(at: int, length: int) -> int:
        return int.from_bytes(data[at : at + length], "little")

    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png", big(16, 4), big(20, 4)
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif", little(6, 2), little(8, 2)
    if data.startswith(b"RIFF") and data[8:15] == b"WEBPVP8":
        if data[15:16] == b"X":
            return "image/webp", little(24, 3) + 1, little(27, 3) + 1
        if data[15:16] == b"L":
            return "image/webp", (little(21, 4) & 0x3FFF) + 1, (little(21, 4) >> 14 & 0x3FFF) + 1
        return "image/webp", little(26, 2) & 0x3FFF, little(28, 2) & 0x3FFF
    at = 2 if data.startswith(b"\xff\xd8") else len(data)
    while data[at] == 0xFF and data[at + 1] not in _SIZE_IN_JPEG:
        if data[at + 1] == 0xFF:  # a filling byte
            at += 1
        else:
            at += 2 if data[at + 1] in _ALONE_IN_JPEG else 2 + big(at + 2, 2)
    if data[at] != 0xFF:
        raise ValueError("no picture")
    return "image/jpeg", big(at + 7, 2), big(at + 5, 2)
