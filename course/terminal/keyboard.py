"""The keyboard of a terminal: each key as soon as it is pressed, without Enter."""

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
MOMENT = 0.05  # seconds to wait for the other characters of an arrow key
END = "\x04"  # Ctrl+D


def keys_typed(source: TextIO) -> Generator[str, None, None]:
    """Yield keys until Ctrl+D, Ctrl+C or the end; of a source that is no terminal, its words."""
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
        while UNFINISHED.search(keys.decode(errors="ignore")):
            if not select.select([terminal], [], [], MOMENT)[0]:
                break
            keys += os.read(terminal, 1024)
        for key in KEY.findall(keys.decode(errors="replace")):
            if key == END:
                return
            yield key


@contextmanager
def _without_enter(terminal: int) -> Iterator[None]:
    """Make a terminal send every key at once, without Enter; restore its settings at the end."""
    import termios  # not on Windows
    import tty

    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal, termios.TCSADRAIN)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
