"""What the tests of an assignment use of the student's names and objects, as the answer key shows.

The shape of the answer key's answers is the contract. Where the key gave plain data, at some place
in a test, an object of the student's own is not asked there: it could agree with everything. And
an object that answers `x - 9` or `x == 9` itself is told what was expected: so it is asked such an
operator only where the key's object was. What the answer key took from a library under some name,
is taken from there for every student who has that name.
"""

import sys
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import CodeType
from typing import Any


class Uses:
    """What came where, as (test, place): objects, and the operators that they were asked; names.

    `is_learning`: the answer key is graded, which is trusted; everything may come and be asked, and
    is noted. Without `objects`, nothing is known of an answer key, and any object may come.
    """

    def __init__(
        self,
        operators: Iterable[tuple[str, str, str]] = (),
        names: Mapping[str, str] | None = None,
        objects: Iterable[tuple[str, str]] | None = None,
        is_learning: bool = False,
    ) -> None:
        self.operators = set(operators)
        self.objects = None if objects is None and not is_learning else set(objects or ())
        self.names = dict(names or {})
        self.is_learning = is_learning

    def may_come(self, test: str, place: str) -> bool:
        """Whether an object of the student's own may come at that place in a test."""
        if self.objects is None:
            return True
        if self.is_learning:
            self.objects.add((test, place))
        return (test, place) in self.objects

    def may_ask(self, test: str, place: str, operator: str) -> bool:
        """Whether an object may be asked the operator at that place in a test."""
        if self.is_learning:
            self.operators.add((test, place, operator))
        if self.objects is None and operator in ("contains", "handles"):
            return True
        return (test, place, operator) in self.operators

    def note_name(self, name: str, where: str) -> None:
        """The answer key has something of a library under a name."""
        if self.is_learning:
            self.names[name] = where

    def as_json(self) -> dict[str, Any]:
        """All of it as JSON, to be kept with the plan of a master."""
        operators, objects = (
            sorted(map(list, one)) for one in (self.operators, self.objects or ())
        )
        return {"operators": operators, "objects": objects, "names": self.names}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Uses":
        """What `as_json` gave.

        >>> said = {"operators": [["test", "1:0", "+"]], "objects": [], "names": {}}
        >>> Uses.from_json(said).operators
        {('test', '1:0', '+')}
        """
        operators = ((test, place, operator) for test, place, operator in data["operators"])
        objects = ((test, place) for test, place in data["objects"])
        return cls(operators, data["names"], objects)


def place_in(test: str) -> str:
    """Where in a test cell, line and column, its code has come to; empty if it does not run."""
    frame = sys._getframe(1)
    while frame.f_back is not None:
        if frame.f_code.co_filename == test:
            return _position(frame.f_code, frame.f_lasti)
        frame = frame.f_back
    return ""


@lru_cache(maxsize=4096)
def _position(code: CodeType, instruction: int) -> str:
    line, _, column, _ = list(code.co_positions())[instruction // 2]
    return f"{line}:{column}"
