"""Values that a test and the program both have: one in a notebook, outside a copy each.

If one side changes such a value and the other would see it, the test must run inside. This is found
out while the answer key is graded.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from autograder.wire import Encoder, WireError

_MOST = 300  # values that are looked at


class Aliases:
    """The arguments and answers of the test that now runs, as text."""

    def __init__(self) -> None:
        self._values: list[tuple[Any, str]] = []

    def clear(self) -> None:
        """Forget all of them: another test begins."""
        self._values = []

    def add(self, values: Iterable[Any]) -> None:
        """Note values that the program has, too, and all others as they are now."""
        known = {id(value): value for value in (*(one for one, _ in self._values), *values)}
        self._values = [(value, as_text(value)) for value in known.values()][:_MOST]

    @property
    def are_changed(self) -> bool:
        """True if the test has changed one of them since."""
        return any(as_text(value) != text for value, text in self._values)


def changed_variable(
    before: Mapping[str, tuple[str, str]], after: Mapping[str, tuple[str, str]]
) -> str:
    """Return the name of a variable whose value has changed on one side, or "".

    Both hold, by name, the program's value and the test's as text.
    """
    return next((name for name, texts in before.items() if after.get(name) != texts), "")


def as_text(value: Any) -> str:
    """Return a value as text; empty for objects, and for chance, of which a test draws, too."""
    if type(value).__name__ in ("Random", "Generator"):
        return ""
    try:
        return json.dumps(Encoder().encode(value))
    except WireError:
        return ""
