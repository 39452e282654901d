"""The keyboard of a terminal: keys as they are pressed, none of them lost, and no Enter."""

import os
import re
import select
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import TextIO

import typer

# An arrow key arrives as several characters, such as ESC [ A.
KEY = re.compile(r"\x1b[\[O][0-9;]*[A-Za-z~]|.", re.DOTALL)
UNFINISHED = re.compile(r"\x1b([\[O][0-9;]*)?\Z")
MOMENT = 0.05  # seconds: the rest of an arrow key is there by then
END = "\x04"  # Ctrl+D


def keys_typed(source: TextIO) -> Generator[str, None, None]:
    """Yield keys one by one as they are pressed; words, if the source is not a terminal.

    Ends at the end of the source, at Ctrl+D and at Ctrl+C.
    """
    try:
        if not source.isatty():
            for line in source:
                yield from line.split()
        elif sys.platform == "win32":
            while True:
                yield typer.getchar()
        else:
            with _without_enter(source.fileno()):
                yield from _pressed(source.fileno())
    except (EOFError, KeyboardInterrupt):
        return


def _pressed(terminal: int) -> Iterator[str]:
    while True:
        keys = os.read(terminal, 1024)
        while UNFINISHED.search(keys.decode(errors="ignore")) and _has_more(terminal):
            keys += os.read(terminal, 1024)
        for key in KEY.findall(keys.decode(errors="replace")):
            if key == END:
                return
            yield key


def _has_more(terminal: int) -> bool:
    return bool(select.select([terminal], [], [], MOMENT)[0])


@contextmanager
def _without_enter(terminal: int) -> Iterator[None]:
    """Make the terminal hand over every key at once, and restore it at the end."""
    import termios  # not on Windows
    import tty

    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal, termios.TCSADRAIN)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
