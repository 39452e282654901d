"""What a cell has shown, as the jail says it; only well-formed text and pictures are kept."""

import re
from typing import Any

from autograder.notebook.text import unturned

Output = dict[str, Any]
_MIMES = ("text/plain", "image/png")
_BASE64 = re.compile(r"[A-Za-z0-9+/=\n]*")
_STREAMS = ("stdout", "stderr")
_MOST = 2**23  # characters of one cell, as `repr` writes them; a sound jail sends far fewer


def clean_outputs(said: Any) -> list[Output]:
    """The outputs in nbformat's form; what is not one is left out.

    >>> clean_outputs([{"output_type": "stream", "name": "stdout", "text": "2"}, "nonsense"])
    [{'output_type': 'stream', 'name': 'stdout', 'text': '2'}]
    """
    if type(said) is not list:
        return []
    kept, left = [], _MOST
    for output in said:
        cleaned = _clean(output) if type(output) is dict else None
        left -= 0 if cleaned is None else len(repr(cleaned))
        if left < 0:
            break
        if cleaned is not None:
            kept.append(cleaned)
    return kept


def error_output(name: str, message: str) -> Output:
    """The output of a cell that came to no end, in nbformat's form."""
    line = clean_text(f"{name}: {message}")
    return {
        "output_type": "error",
        "ename": name,
        "evalue": clean_text(message),
        "traceback": [line],
    }


def clean_text(text: str) -> str:
    """Text that any file and any database can hold, and that reads as it is."""
    whole = text.encode("utf-8", "replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")
    return unturned(whole)


def _clean(said: Output) -> Output | None:
    kind = said.get("output_type")
    if kind == "stream" and said.get("name") in _STREAMS:
        return {"output_type": kind, "name": said["name"], "text": _text(said.get("text"))}
    if kind == "error":
        lines = said.get("traceback")
        traceback = [_text(line) for line in lines] if type(lines) is list else []
        texts = {key: _text(said.get(key)) for key in ("ename", "evalue")}
        return {"output_type": kind, **texts, "traceback": traceback}
    if kind in ("execute_result", "display_data") and type(data := said.get("data")) is dict:
        kept = {mime: _text(data[mime]) for mime in _MIMES if mime in data}
        if not _BASE64.fullmatch(kept.get("image/png", "")):
            del kept["image/png"]
        more = {"execution_count": None} if kind == "execute_result" else {}
        return {"output_type": kind, "data": kept, "metadata": {}, **more}
    return None


def _text(said: Any) -> str:
    return clean_text(said) if type(said) is str else ""
