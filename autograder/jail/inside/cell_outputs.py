"""The outputs of a cell in nbformat's form: printed text, values, and its error."""

import io
import os
import sys
import tempfile
from contextlib import suppress
from typing import Any

Output = dict[str, Any]
SHOWN = ("text/plain", "image/png")
_CUT = "\n… the rest of the output was cut\n"


class CellOutputs:
    """The outputs of the current cell so far, at most `limit` characters."""

    def __init__(self) -> None:
        self.files: dict[str, int] = {}
        self.start(0)

    def start(self, limit: int) -> None:
        """Begin a new cell, whose outputs may have at most `limit` characters."""
        self.shown: list[Output] = []
        self.limit = limit
        self._left = limit

    @property
    def size(self) -> int:
        """The number of characters so far; `limit` + 1 if something was cut."""
        return self.limit - self._left

    def write(self, name: str, text: str) -> None:
        """Add text to the stream with this name; cut what exceeds the limit, and say so."""
        if self._left < 0:
            return
        if len(text) > self._left:
            text = text[: self._left] + _CUT
            self._left = -1
        else:
            self._left -= len(text)
        last = self.shown[-1] if self.shown else {}
        if last.get("name") == name:
            last["text"].append(text)
        else:
            self.shown.append({"output_type": "stream", "name": name, "text": [text]})

    def add(self, output: Output, size: int) -> None:
        """Add an output of `size` characters if it still fits; else say that something was cut."""
        if size > self._left:
            self._left = min(self._left, 0)
            self.write("stderr", "\n")
        else:
            self._left -= size
            self.shown.append(output)

    def add_data(self, kind: str, data: dict[str, Any], **more: Any) -> None:
        """Add the text and the picture of a value; its other forms are dropped."""
        kept = {mime: str(data[mime]) for mime in SHOWN if mime in data}
        size = sum(map(len, kept.values()))
        self.add({"output_type": kind, "data": kept, "metadata": {}, **more}, size)

    def taken(self) -> list[Output]:
        """Return all outputs of the cell, each stream as one text, and forget them."""
        for name, fd in self.files.items():  # text that the files got since the last cell
            with suppress(OSError):
                if os.fstat(fd).st_size:
                    text = os.pread(fd, max(self._left, 0) + 1, 0).decode("utf-8", "replace")
                    self.write(name, text)
                    os.ftruncate(fd, 0)
        streams = [output for output in self.shown if output["output_type"] == "stream"]
        for output in streams:
            output["text"] = "".join(output["text"])
        shown, self.shown = self.shown, []
        return shown


class _Stream(io.TextIOBase):
    """The stream that `print` writes to."""

    encoding = "utf-8"
    errors = "strict"

    def __init__(self, name: str, fd: int, outputs: CellOutputs) -> None:
        self.name = name
        self._fd = fd
        self._outputs = outputs

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._fd

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._outputs.write(self.name, text)
        return len(text)


def capture(outputs: CellOutputs) -> None:
    """Keep all that is printed from now on in `outputs`; programs find nothing to read on stdin.

    Programs that a cell starts, and libraries that do not use Python's streams, write to files that
    `outputs` reads at the end of the cell.
    """
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.close(nothing)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115
    for fd, name in ((1, "stdout"), (2, "stderr")):
        with tempfile.TemporaryFile("ab") as file:
            os.dup2(file.fileno(), fd)
        outputs.files[name] = fd
        stream = _Stream(name, fd, outputs)
        for attribute in (name, f"__{name}__"):
            setattr(sys, attribute, stream)
