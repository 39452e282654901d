"""Cleaning of cell outputs that the jail returns: only well-formed text and pictures are kept."""

import struct
from base64 import b64decode
from contextlib import suppress
from typing import Any

from autograder.notebook.safe_text import unturned

Output = dict[str, Any]
MOST = 2**22  # characters that all cells of one submission show together
_TEXT, _PICTURE = "text/plain", "image/png"
_STREAMS = ("stdout", "stderr")
_LEAST = 500  # characters that are added to the length of each text in an output
_CUT = "… the rest of what this submission shows was cut\n"

# Nothing that is printed may move a terminal's cursor or ring its bell.
_CONTROLS = {*range(32), *range(127, 160)} - {ord("\n"), ord("\t")}
_SEEN = dict.fromkeys(_CONTROLS, "\N{REPLACEMENT CHARACTER}")

_MOST_PIXELS = 25_000_000  # more would fill a browser's memory; a small file can hold them
_SIZE_IN_JPEG = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}  # markers of a part with the size
_ALONE_IN_JPEG = {0x01, *range(0xD0, 0xD9)}  # markers of parts without a length


class Outputs:
    """The outputs of a submission's cells in nbformat's form, at most `most` characters in all."""

    def __init__(self, most: int = MOST) -> None:
        self.of_cells: dict[str, list[Output]] = {}
        self._left = most

    def keep(self, cell: str, said: Any) -> None:
        """Store the outputs of a cell, given in `said`, that are well-formed, up to the limit."""
        kept: list[Output] = []
        self.of_cells[cell] = kept
        for output in said if type(said) is list else ():
            if self._left < 0:
                return
            self._left -= _size(output)
            if self._left < 0:
                kept.append({"output_type": "stream", "name": "stderr", "text": _CUT})
            elif (cleaned := _clean(output)) is not None:
                kept.append(cleaned)

    def keep_lost(self, cell: str, name: str, message: str) -> None:
        """Store an error with this name and message as the output of a cell that did not end."""
        said = clean_text(message)
        error = {"output_type": "error", "ename": name, "evalue": said}
        self.of_cells[cell] = [{**error, "traceback": [f"{name}: {said}"]}]


def clean_text(text: str) -> str:
    """Return a text; replace characters that databases refuse or that turn its direction."""
    whole = text.encode("utf-8", "replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")
    return unturned(whole)


def clean_message(text: str) -> str:
    r"""Return `clean_text` of a text; replace control characters, so that no terminal obeys them.

    >>> clean_message("got\n\x1b[2J")
    'got\n\ufffd[2J'
    """
    return clean_text(text).translate(_SEEN)


def _size(said: Any) -> int:
    """Return the length of those texts of an output that are kept, plus `_LEAST` for each one."""
    if type(said) is not dict:
        return _LEAST
    data, lines = said.get("data"), said.get("traceback")
    texts = [said.get(key) for key in ("text", "ename", "evalue")]
    texts += [data.get(mime) for mime in (_TEXT, _PICTURE)] if type(data) is dict else []
    texts += lines if type(lines) is list else []
    return sum(_LEAST + (len(text) if type(text) is str else 0) for text in texts)


def _clean(said: Any) -> Output | None:
    if type(said) is not dict:
        return None
    kind = said.get("output_type")
    if kind == "stream" and said.get("name") in _STREAMS:
        return {"output_type": kind, "name": said["name"], "text": _text(said.get("text"))}
    if kind == "error":
        lines = said.get("traceback")
        traceback = [clean_message(_text(line)) for line in lines] if type(lines) is list else []
        texts = {key: clean_message(_text(said.get(key))) for key in ("ename", "evalue")}
        return {"output_type": kind, **texts, "traceback": traceback}
    if kind in ("execute_result", "display_data") and type(data := said.get("data")) is dict:
        more = {"execution_count": None} if kind == "execute_result" else {}
        kept = {_TEXT: _text(data[_TEXT])} if _TEXT in data else {}
        if is_picture(_PICTURE, _text(data.get(_PICTURE))):
            kept[_PICTURE] = data[_PICTURE]
        return {"output_type": kind, "data": kept, "metadata": {}, **more}
    return None


def _text(said: Any) -> str:
    return clean_text(said) if type(said) is str else ""


def is_picture(kind: str, text: str) -> bool:
    """Return true if `text` is a png, jpeg, gif or webp of type `kind` in base64, not too large."""
    with suppress(ValueError, IndexError, struct.error):
        found, width, height = _measure(b64decode("".join(text.split()), validate=True))
        return found == kind and 0 < width * height <= _MOST_PIXELS
    return False


def _measure(data: bytes) -> tuple[str, int, int]:
    """Return the type, width and height of a picture; raise an error if it is no picture."""
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
