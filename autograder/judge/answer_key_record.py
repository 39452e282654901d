"""Notes on what the tests got from the answer key. Students' answers must match these notes.

The notes are made when the answer key is graded. If a test got plain data from the answer key at
some place, it accepts no object of a student's class there, because that object could claim to be
equal to everything. If the answer key took a name from a library, the test takes this name from the
same library, also when a student's program is graded.
"""

import dis
import json
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import CodeType, FrameType
from typing import Any

from autograder.wire import WireError, encoded
from autograder.wire.type_codecs import kind_of

# For each kind of a student's object, the kinds of the answer key's objects that it may replace.
_INSTEAD = {
    "instance": ("instance", "callable instance", "iterator"),
    "iterator": ("instance", "callable instance", "iterator"),
    "callable instance": ("instance", "callable instance", "iterator", "function", "class"),
    "function": ("function", "class", "callable instance"),
    "class": ("function", "class", "callable instance"),
}


@dataclass
class Uses:
    """Notes on what the tests got from one answer key.

    - `objects`: pairs (test, text) for the places where a test got an object, and not plain data;
      the text has the place and the kind of the object. `None`: any object is accepted anywhere
    - `names`: the names that the answer key took from a library: name → full name in the library
    - `scores`: the tests whose last value is a number of points
    - `alone`: the tests without hidden lines whose results do not depend on hidden lines
    - `cases`: JSON text of the course's test cases that the tests ask for, to be made in advance
    - `traces`: test → what `Trace.of_key` returns
    - `is_learning`: true while the answer key itself is graded, which may give any object anywhere
    """

    objects: set[tuple[str, str]] | None = None
    names: dict[str, str] = field(default_factory=dict)
    scores: set[str] = field(default_factory=set)
    alone: set[str] = field(default_factory=set)
    cases: str = ""
    traces: dict[str, list[list[str]]] = field(default_factory=dict)
    is_learning: bool = False

    def __post_init__(self) -> None:
        if self.is_learning:
            self.objects = self.objects or set()

    @property
    def is_known(self) -> bool:
        """True if there are notes, and a student's program is graded, not the answer key."""
        return self.objects is not None and not self.is_learning

    def update(self, data: Mapping[str, Any]) -> None:
        """If the answer key is now graded, take over the notes that a fork has sent as JSON."""
        if self.is_learning:
            vars(self).update(vars(Uses.from_json(data)), is_learning=True)

    def may_come(self, test: str, place: str, kind: str) -> bool:
        """Return true if a test accepts an object of this kind at this place, not only plain data.

        It does if the answer key gave an object of this kind, or of one that `kind` can replace.
        While the answer key is graded, the place is noted.
        """
        if self.objects is None:
            return True
        if self.is_learning:
            self.objects.add((test, f"{place} {kind}"))
        return any((test, f"{place} {one}") in self.objects for one in _INSTEAD.get(kind, (kind,)))

    def may_score(self, test: str, value: object) -> bool:
        """Return true if the last value of a test may say its points.

        It may if the answer key's last value was a number, or if there are no notes. While the
        answer key is graded, the test is noted if the value is a number.
        """
        if self.is_learning and type(value) in (int, float):
            self.scores.add(test)
        return self.objects is None or test in self.scores

    def as_json(self) -> dict[str, Any]:
        """Return the notes as data for JSON; they are stored in the `Plan` of a notebook."""
        objects = sorted(map(list, self.objects or ()))
        lists = {"objects": objects, "scores": sorted(self.scores), "alone": sorted(self.alone)}
        return {"names": self.names, "cases": self.cases, "traces": self.traces, **lists}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Uses":
        """Return the notes in `data`, which `as_json` has returned.

        >>> Uses.from_json(Uses({("test", "1:0")}).as_json()).objects
        {('test', '1:0')}
        """
        objects = {(test, place) for test, place in data["objects"]}
        names, traces = dict(data["names"]), dict(data["traces"])
        return cls(objects, names, set(data["scores"]), set(data["alone"]), data["cases"], traces)


def place_in(test: str) -> tuple[str, bool]:
    """Return the position at which a test cell now runs, or "", and a flag.

    If the test has called functions of the instructor's, from any cell or a file beside the
    notebook, the position in the innermost of them follows. The functions between are left out,
    because their calls may depend on the student's data. The flag is true if the line that now asks
    for a value throws it away.
    """
    frame: FrameType | None = sys._getframe(1)
    folder = os.getcwd() + os.sep
    places: list[str] = []  # the innermost first
    outermost, is_unused = 0, False
    while frame is not None:
        code = frame.f_code
        is_test = code.co_filename == test
        is_own = frame.f_globals.get("__name__") == "__main__"
        if is_test or is_own or code.co_filename.startswith(folder):
            position, is_dropped = _position(code, frame.f_lasti)
            is_unused = is_unused if places else is_dropped
            file = code.co_filename.removeprefix(folder)
            places.append(position if is_test else f"in {file} {position}")
            outermost = len(places) if is_test else outermost
        frame = frame.f_back
    ends = (places[outermost - 1], places[0]) if outermost else ()
    return "; ".join(dict.fromkeys(ends)), is_unused


@lru_cache(maxsize=4096)
def _position(code: CodeType, instruction: int) -> tuple[str, bool]:
    line, end_line, column, end = list(code.co_positions())[instruction // 2]
    later = (one.opname for one in dis.get_instructions(code) if one.offset > instruction)
    return f"{line}:{column}-{end_line}:{end}", next(later, "") == "POP_TOP"


def as_text(value: Any) -> str:
    """Return a value as text; "" for a random generator, or a value that is not plain data."""
    if type(value).__name__ in ("Random", "Generator"):
        return ""
    try:
        return json.dumps(encoded(value))
    except WireError:
        return ""


def containers_in(value: Any) -> Iterator[Any]:
    """Yield each list, tuple, table and the like in a value, and the value itself if it is one.

    >>> from collections import OrderedDict
    >>> [2] in containers_in(OrderedDict(tiles=[2]))
    True
    """
    waiting, seen = [value], dict[int, Any]()  # by id; what is kept here cannot share an id
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen[id(one)] = one
        if type(one).__hash__ is None or type(one) is tuple:
            yield one
        if type(one) in (list, tuple):
            waiting += one
        elif type(one) is dict:
            waiting += one.values()
        elif (found := kind_of(type(one))) and {list, dict}.intersection(found[1].of):
            waiting += found[1].parts(one)  # such as an `OrderedDict`
