"""Cutting down a big notebook while it is read: what a grader does not look at is passed over.

Old outputs and widgets can be hundreds of times as big as the work itself.
"""

import re
from collections.abc import Iterator
from itertools import accumulate

from autograder.notebook.files import Unreadable

# the most characters that are kept of the whole; one value may take half of what is left
ROOM = 2**25
# the most entries of lists and names of objects that are looked at
MAX_ITEMS = 500_000

_BLANKS = re.compile(r"[ \t\r\n]*+")
_TEXT = re.compile(r'[^"\\]*+(?:\\.[^"\\]*+)*+', re.S)
_INSIDE = re.compile(r'(?:[^"{}\[\]]++|"[^"\\]*+(?:\\.[^"\\]*+)*+")*+', re.S)
_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.S)
_ANYTHING = re.compile(r'(?:[^"]++|"[^"\\]*+(?:\\.[^"\\]*+)*+")*+', re.S)
_SCALAR = re.compile(r"[^,\]}\s]*+")

_OFTEN, _LEAP = 1000, 2**16  # after so many brackets, leap over so many characters
_NO_BRACKETS = bytes(set(range(256)) - set(b"{}[]"))
_STEPS = [1 if mark in b"{[" else -1 for mark in range(256)]

# a number is the most characters of a value that is kept; "*" is any key
_Plan = int | list["_Plan"] | dict[str, "_Plan"]
_PICTURE = 2**23
_SOURCE = 2**23
_SMALL = 2**16
_CELL: _Plan = {
    "cell_type": _SMALL,
    "id": _SMALL,
    "source": _SOURCE,
    "input": _SOURCE,
    "metadata": {"nbgrader": _SMALL},
    "attachments": {"*": {"*": _PICTURE}},
}
_NOTEBOOK: _Plan = {
    "nbformat": _SMALL,
    "nbformat_minor": _SMALL,
    "metadata": {"kernelspec": _SMALL},
    "cells": [_CELL],
    "worksheets": [{"cells": [_CELL]}],
}


class Broken(Exception):  # noqa: N818 — it is said of the text
    """The text is not JSON from here on; `is_cut_off` is true if it ends too early."""

    def __init__(self, what: str, line: int, column: int, is_cut_off: bool) -> None:
        super().__init__(what, line, column)
        self.what = what
        self.where = f"line {line}, column {column}"
        self.is_cut_off = is_cut_off


def skim(pieces: Iterator[str], room: int = ROOM) -> tuple[str, int]:
    """Return the notebook as JSON with what is graded, and how many values were too big to be kept.

    Memory is bounded whatever the text is. Raise `Broken` if it is not JSON, and `Unreadable` if it
    has more than `MAX_ITEMS` entries and names.
    """
    return _Skimmer(pieces, room).notebook()


class _Skimmer:
    """One walk through the text; `_kept` holds the parts that are kept."""

    def __init__(self, pieces: Iterator[str], room: int) -> None:
        self._pieces = pieces
        self._text = ""
        self._at = 0
        self._line, self._column = 1, 1
        self._room = room
        self._kept: list[str] = []
        self._items = 0
        self._left_out = 0

    def notebook(self) -> tuple[str, int]:
        first = self._peek()
        if first != "{":
            return "[]" if first == "[" else self._text[self._at : self._at + 1000], 0
        self._value(_NOTEBOOK)
        if self._peek():
            self._kept.append("\nmore")
        for _ in self._pieces:
            pass
        return "".join(self._kept), self._left_out

    def _value(self, plan: _Plan) -> None:
        first = self._peek()
        if isinstance(plan, dict) and first == "{":
            self._object(plan)
        elif isinstance(plan, list) and first == "[":
            self._array(plan[0])
        else:
            self._whole(plan if isinstance(plan, int) else _SMALL)

    def _object(self, plan: dict[str, _Plan]) -> None:
        self._keep(self._next("{"))
        comma = ""
        while self._peek() != "}":
            self._count()
            if self._peek() != '"':
                raise self._broken("Expecting property name enclosed in double quotes")
            name = self._span(_SMALL)
            if self._peek() != ":":
                raise self._broken("Expecting ':' delimiter")
            self._next(":")
            known = plan.get((name or "")[1:-1], plan.get("*"))
            if known is None or name is None or len(name) + 8 > self._room:
                self._span(-1)
            else:
                self._keep(f"{comma}{name}:")
                self._value(known)
                comma = ","
            self._comma("}")
        self._keep(self._next("}"))

    def _array(self, plan: _Plan) -> None:
        self._keep(self._next("["))
        comma = ""
        while self._peek() != "]":
            self._count()
            self._keep(comma)
            self._value(plan)
            comma = ","
            self._comma("]")
        self._keep(self._next("]"))

    def _count(self) -> None:
        self._items += 1
        if self._items > MAX_ITEMS:
            raise Unreadable("it is JSON that no notebook would hold")

    def _comma(self, end: str) -> None:
        if self._peek() == ",":
            self._next(",")
        elif self._peek() != end:
            raise self._broken("Expecting ',' delimiter")

    def _whole(self, most: int) -> None:
        value = self._span(min(most, self._room // 2))
        self._left_out += value is None
        self._keep("null" if value is None else value)

    def _keep(self, text: str) -> None:
        self._room -= len(text)
        self._kept.append(text)

    def _span(self, most: int) -> str | None:
        """Return the next value as it is, or `None` if it has more than `most` characters."""
        parts = _Parts(most)
        first = self._peek()
        if first == '"':
            self._string(parts)
        elif first in ("{", "["):
            self._brackets(parts)
        elif first in (",", ":", "]", "}"):
            raise self._broken("Expecting value")
        else:
            while not self._pass(_SCALAR, parts):
                self._more()
        return parts.text

    def _string(self, parts: "_Parts") -> None:
        parts.add(self._next('"'))
        while not self._pass(_TEXT, parts) or self._text[self._at] != '"':
            self._more()
        parts.add(self._next('"'))

    def _brackets(self, parts: "_Parts") -> None:
        depth = seen = 0
        while True:
            seen += 1
            if seen % _OFTEN == 0:
                depth += self._leap(depth, parts)
            while not self._pass(_INSIDE, parts):
                self._more()
            mark = self._text[self._at]
            if mark == '"':
                self._string(parts)
                continue
            depth += 1 if mark in "{[" else -1
            parts.add(self._next(mark))
            if depth == 0:
                return

    def _leap(self, depth: int, parts: "_Parts") -> int:
        """Pass over many brackets at once if the value goes on; return the change of depth."""
        end = _ANYTHING.match(self._text, self._at, self._at + _LEAP).end()  # type: ignore[union-attr]
        block = self._text[self._at : end]
        marks = _STRING.sub("", block).encode("ascii", "ignore").translate(None, _NO_BRACKETS)
        depths = list(accumulate(map(_STEPS.__getitem__, marks), initial=0))
        if depth + min(depths) <= 0:
            return 0
        parts.add(block)
        self._at = end
        return depths[-1]

    def _pass(self, pattern: re.Pattern[str], parts: "_Parts") -> bool:
        """Pass over what fits the pattern; return true if this piece has more text after it."""
        end = pattern.match(self._text, self._at).end()  # type: ignore[union-attr]
        parts.add(self._text[self._at : end])
        self._at = end
        return end < len(self._text)

    def _peek(self) -> str:
        """Return the next character that is not blank, but stay before it; "" at the end."""
        while True:
            self._at = _BLANKS.match(self._text, self._at).end()  # type: ignore[union-attr]
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._load():
                return ""

    def _next(self, mark: str) -> str:
        self._at += 1
        return mark

    def _more(self) -> None:
        if not self._load():
            raise self._broken("")

    def _load(self) -> bool:
        """Add the next piece to what is left of this one; return false at the end of the text."""
        piece = next(self._pieces, "")
        self._forget()
        self._text += piece
        return bool(piece)

    def _forget(self) -> None:
        line, self._text, self._at = self._text[: self._at], self._text[self._at :], 0
        lines = line.count("\n")
        self._line += lines
        self._column = len(line) - line.rindex("\n") if lines else self._column + len(line)

    def _broken(self, what: str) -> Broken:
        is_cut_off = not self._text[self._at :].strip() and not self._load()
        self._forget()
        return Broken(what, self._line, self._column, is_cut_off)


class _Parts:
    """A value that is being collected, and is given up when it grows too big."""

    def __init__(self, most: int) -> None:
        self._room = most
        self._parts: list[str] = []

    def add(self, part: str) -> None:
        self._room -= len(part)
        if self._room < 0:
            self._parts.clear()
        else:
            self._parts.append(part)

    @property
    def text(self) -> str | None:
        return "".join(self._parts) if self._room >= 0 else None
