"""The outputs of cells, from what the jail says: only well-formed text and pictures are kept."""

from typing import Any

from autograder.notebook.pictures import is_picture
from autograder.notebook.safe_text import unturned

Output = dict[str, Any]
MOST = 2**22  # characters that all cells of one submission show together
_TEXT, _PICTURE = "text/plain", "image/png"
_STREAMS = ("stdout", "stderr")
_LEAST = 500  # characters that are added to the size of each output and of each traceback line
_CUT = "… the rest of what this submission shows was cut\n"

# Nothing that is printed may move a terminal's cursor or ring its bell.
_CONTROLS = {*range(32), *range(127, 160)} - {ord("\n"), ord("\t")}
_SEEN = dict.fromkeys(_CONTROLS, "\N{REPLACEMENT CHARACTER}")


class Outputs:
    """The outputs of one submission's cells in nbformat's form, at most `most` characters in all.

    >>> outputs = Outputs()
    >>> outputs.keep("merge", [{"output_type": "stream", "name": "stdout", "text": "2"}, "odd"])
    >>> outputs.of_cells["merge"]
    [{'output_type': 'stream', 'name': 'stdout', 'text': '2'}]
    """

    def __init__(self, most: int = MOST) -> None:
        self.of_cells: dict[str, list[Output]] = {}
        self._left = most

    def keep(self, cell: str, said: Any) -> None:
        """Store the outputs of a cell; leave out all else, and cut what goes beyond the limit."""
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
        """Store an error as the output of a cell that did not come to its end."""
        said = clean_text(message)
        error = {"output_type": "error", "ename": name, "evalue": said}
        self.of_cells[cell] = [{**error, "traceback": [f"{name}: {said}"]}]


def clean_text(text: str) -> str:
    """Return a text without characters that a database refuses or that change its direction."""
    whole = text.encode("utf-8", "replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")
    return unturned(whole)


def clean_message(text: str) -> str:
    r"""Return `clean_text` of a text; replace its control characters, so that it fits any terminal.

    >>> clean_message("got\n\x1b[2J")
    'got\n\ufffd[2J'
    """
    return clean_text(text).translate(_SEEN)


def _size(said: Any) -> int:
    """Return the number of characters of an output, in the fields that are kept."""
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
