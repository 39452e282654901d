"""Cutting down of a big notebook file before it is parsed, to the parts that are graded.

Old outputs and widgets, which are left out, can be hundreds of times as big as the student's work.
"""

import re

from autograder.notebook.submitted_files import Unreadable

NO_NOTEBOOK = "it is JSON that no notebook would hold"
ROOM = 2**25  # bytes that are kept of a file; each value may take half of the bytes still left
_MOST_ITEMS = 500_000  # entries of lists, and names of objects, in a file
_MOST_MARKS = 50_000_000  # strings and brackets that one value may have

_BLANKS = re.compile(rb"[ \t\r\n]*+")
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.S)
_MARKS = re.compile(rb'"(?:[^"\\]++|\\.)*+"|["{}\[\]]', re.S)
_SCALAR = re.compile(rb"[^,\]}\s]*+")

# A plan says what is kept of a value. A number: the whole value, if it has at most so many bytes. A
# list with one plan: each entry, by this plan. A dictionary: only these keys, by their plans, where
# the key "*" means any key.
_Plan = int | list["_Plan"] | dict[bytes, "_Plan"]
_SMALL, _LARGE = 2**16, 2**23
_CELL: _Plan = {
    b"cell_type": _SMALL,
    b"id": _SMALL,
    b"source": _LARGE,
    b"input": _LARGE,
    b"metadata": {b"nbgrader": _SMALL},
    b"attachments": {b"*": {b"*": _LARGE}},
}
_NOTEBOOK: _Plan = {
    b"nbformat": _SMALL,
    b"nbformat_minor": _SMALL,
    b"metadata": {b"kernelspec": _SMALL},
    b"cells": [_CELL],
    b"worksheets": [{b"cells": [_CELL]}],
}


class NotJson(Unreadable):
    """The error that the text of a file is not JSON."""


def broken(what: str, line: int, column: int, is_cut_off: bool) -> NotJson:
    """Return the error that a text is not JSON, because it is cut off or for the reason `what`."""
    where = f"line {line}, column {column}"
    if is_cut_off:
        return NotJson(f"the file is cut off at its end ({where})")
    return NotJson(f"it is not JSON: {what} ({where})")


def skim(data: bytes) -> tuple[bytes, int]:
    """Return the JSON of the parts that are graded, and the number of values that were too big.

    A value that is too big becomes `null`. Raise `Unreadable` if `data` is not JSON, or has more
    entries than any notebook.
    """
    skimmer = _Skimmer(data)
    begin = skimmer.next(0)
    if data[begin : begin + 1] != b"{":
        return b"[]" if data[begin : begin + 1] == b"[" else data[begin : begin + 1000], 0
    end = skimmer.value(begin, _NOTEBOOK)
    more = b"\nmore" if skimmer.next(end) < len(data) else b""
    return b"".join([*skimmer.kept, more]), skimmer.left_out


class _Skimmer:
    """A reader that goes once through the bytes of a file, and collects in `kept` what is kept.

    `left_out` is the number of values that were too big. The parameter `at` of a method is always
    an index in the bytes, at which something begins.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._room = ROOM
        self._items = 0
        self.kept: list[bytes] = []
        self.left_out = 0

    def value(self, at: int, plan: _Plan) -> int:
        first = self._data[at : at + 1]
        if (isinstance(plan, dict) and first == b"{") or (isinstance(plan, list) and first == b"["):
            return self._parts(at, plan)
        end = self._end(at)
        most = min(plan if isinstance(plan, int) else _SMALL, self._room // 2)
        is_kept = end - at <= most
        self.left_out += not is_kept
        self._keep(self._data[at:end] if is_kept else b"null")
        return end

    def _parts(self, at: int, plan: list[_Plan] | dict[bytes, _Plan]) -> int:
        """Keep the parts of a list or object that the plan has; return the index after its end."""
        data, closing, comma = self._data, b"]" if isinstance(plan, list) else b"}", b""
        self._keep(data[at : at + 1])
        at = self.next(at + 1)
        while data[at : at + 1] != closing:
            self._items += 1
            if self._items > _MOST_ITEMS:
                raise Unreadable(NO_NOTEBOOK)
            known: _Plan | None
            if isinstance(plan, list):
                name, known = comma, plan[0]
            else:
                if data[at : at + 1] != b'"':
                    raise self._broken("Expecting property name enclosed in double quotes", at)
                end = self._end(at)
                name, at = data[at:end], self.next(end)
                if data[at : at + 1] != b":":
                    raise self._broken("Expecting ':' delimiter", at)
                at = self.next(at + 1)
                known = plan.get(name[1:-1], plan.get(b"*"))
                known = known if len(name) + 8 <= min(_SMALL, self._room) else None
                name = comma + name + b":"
            if known is None:
                at = self._end(at)
            else:
                self._keep(name)
                at, comma = self.value(at, known), b","
            at = self.next(at)
            if data[at : at + 1] == b",":
                at = self.next(at + 1)
            elif data[at : at + 1] != closing:
                raise self._broken("Expecting ',' delimiter", at)
        self._keep(closing)
        return at + 1

    def _end(self, at: int) -> int:
        """Return the index after the value that begins at `at`."""
        first = self._data[at : at + 1]
        if first in (b",", b":", b"]", b"}", b""):
            raise self._broken("Expecting value", at)
        if first not in (b'"', b"{", b"["):
            return _SCALAR.match(self._data, at).end()  # type: ignore[union-attr]
        if first == b'"' and (string := _STRING.match(self._data, at)):
            return string.end()
        depth = 0
        for number, found in enumerate(_MARKS.finditer(self._data, at)):
            start, end = found.span()
            if number == _MOST_MARKS:
                raise Unreadable(NO_NOTEBOOK)
            if end - start > 1:
                continue  # a string
            if self._data[start] == ord('"'):
                break  # a string without an end
            depth += 1 if self._data[start] in b"{[" else -1
            if depth == 0:
                return end
        raise self._broken("", len(self._data))

    def next(self, at: int) -> int:
        """Return the index of the next byte that is not blank."""
        return _BLANKS.match(self._data, at).end()  # type: ignore[union-attr]  # or it has no bytes

    def _broken(self, what: str, at: int) -> Unreadable:
        data = self._data
        line, column = data.count(b"\n", 0, at) + 1, at - data.rfind(b"\n", 0, at)
        return broken(what, line, column, is_cut_off=not data[at:].strip())

    def _keep(self, part: bytes) -> None:
        self._room -= len(part)
        self.kept.append(part)
