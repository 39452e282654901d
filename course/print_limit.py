"""The output of a function that is called many times: only its first lines are shown."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO, TextIOBase
from typing import TextIO

SHOWN = 5  # lines


@contextmanager
def first_lines() -> Iterator[None]:
    """Show only the first lines that the code inside the `with` block prints.

    At the end, a line says how many more lines were printed. If standard output is a `StringIO`, or
    if the block is inside another such block, this function does nothing.
    """
    if isinstance(sys.stdout, StringIO | FirstLines):
        yield
        return
    lines = FirstLines(sys.stdout)
    try:
        with redirect_stdout(lines):
            yield
    finally:
        lines.tell_the_rest()


class FirstLines(TextIOBase):
    """A standard output that shows the first lines; `count` is the number of all characters."""

    def __init__(self, shown: TextIO) -> None:
        self.shown = shown
        self.count = self.lines = 0

    def write(self, text: str) -> int:
        self.count += len(text)
        for part in text.splitlines(keepends=True):
            if self.lines < SHOWN:
                self.shown.write(part)
            self.lines += part.endswith("\n")
        return len(text)

    def flush(self) -> None:
        self.shown.flush()

    def tell_the_rest(self) -> None:
        """Print how many lines were not shown."""
        if self.lines > SHOWN:
            self.shown.write(f"… and {self.lines - SHOWN} more lines were printed.\n")
