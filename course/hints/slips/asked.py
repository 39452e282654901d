"""A call of a function: what it should give, and what it gave."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from course.answers import Answer, place_of, same

LONGEST = 120  # characters of a value in an example


@dataclass(frozen=True)
class Asked:
    """One call. `text` is the call as it is typed, `given` are its arguments before the call.

    `wanted` is the right answer, and `got` is the one of the function. `alike` says when two values
    count as the same.
    """

    text: str
    given: tuple[Any, ...]
    wanted: Answer
    got: Answer
    alike: Callable[[Any, Any], bool] = same

    @property
    def is_answered_rightly(self) -> bool:
        """True if the answer is right, even if an argument was changed."""
        if self.wanted.error is not None or self.got.error is not None:
            wanted = self.wanted.error
            return wanted is not None and isinstance(self.got.error, type(wanted))
        return self.alike(self.wanted.value, self.got.value)

    @property
    def changes(self) -> bool:
        """True if the call changed an argument; one that raises an error does not count."""
        return self.got.error is None and not same(self.given, self.got.arguments)

    @property
    def example(self) -> str:
        """A sentence that shows the answer beside the right one, or where to see the change."""
        if self.is_answered_rightly:
            return f"Look at the list that was passed in before and after `{self.text}`."
        return f"For example, `{self.text}` {_said(self.got)}, and should {_wanted(self.wanted)}."


def _said(answer: Answer) -> str:
    error = answer.error
    if error is None:
        return f"gives `{_short(answer.value)}`"
    place = place_of(error)
    where = f" in line {place.number}, `{place.code}`" if place and place.code else ""
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return f"stops with `{said[:LONGEST]}`{where}"


def _wanted(answer: Answer) -> str:
    if answer.error is not None:
        return f"raise `{type(answer.error).__name__}`"
    return f"give `{_short(answer.value)}`"


def _short(value: Any) -> str:
    try:
        text = repr(value)
    except Exception:
        text = type(value).__name__
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"
