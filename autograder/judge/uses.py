"""What the tests of an assignment use of the student's names and objects, as the answer key shows.

An object that answers `x - 9` or `x == 9` itself is told what was expected, and may answer what it
likes. So only what the answer key's own objects were asked, a student's are: the same operator, of
what came from the same place, in the same test. And what the answer key took from a library under
some name, is taken from there for every student who has that name.
"""

from collections.abc import Iterable, Mapping
from typing import Any


class Uses:
    """What may be asked in which test: (test, label, operator); and names: name → where from.

    `is_learning`: the answer key is graded, which is trusted; everything may be asked and is noted.
    """

    def __init__(
        self,
        operators: Iterable[tuple[str, str, str]] = (),
        names: Mapping[str, str] | None = None,
        is_learning: bool = False,
    ) -> None:
        self.operators = set(operators)
        self.names = dict(names or {})
        self.is_learning = is_learning

    def may_ask(self, test: str, label: str, operator: str) -> bool:
        """Whether an object of that label may be asked the operator in a test."""
        if self.is_learning:
            self.operators.add((test, label, operator))
        return (test, label, operator) in self.operators

    def note_name(self, name: str, where: str) -> None:
        """The answer key has something of a library under a name."""
        if self.is_learning:
            self.names[name] = where

    def as_json(self) -> dict[str, Any]:
        """All of it as JSON, to be kept with the plan of a master."""
        return {"operators": sorted(map(list, self.operators)), "names": self.names}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Uses":
        """What `as_json` gave.

        >>> Uses.from_json({"operators": [["test", "Vector", "+"]], "names": {}}).operators
        {('test', 'Vector', '+')}
        """
        operators = ((test, label, operator) for test, label, operator in data["operators"])
        return cls(operators, data["names"])
