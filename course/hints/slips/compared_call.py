"""A call of a function under test, with the function's answer and the right one; kinds of answers.

An answer is odd if it is no plain value, for example a function.
"""

import builtins
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from course.answer_comparison import same
from course.function_calls import Answer
from course.plain_errors import place_of, said_by

LONGEST = 120  # characters of a value in an example

_ODD = re.compile(r"(?:\w+: )?(\w+) cannot be handed to the tests")
_PLAIN = (list, tuple, dict, set, frozenset)


@dataclass(frozen=True)
class AskedCall:
    """A call of a function under test, with the right answer, `wanted`, and the function's, `got`.

    `text` is the call as it is typed, `given` are its arguments before it, and `alike` tells if two
    values count as the same.
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
        """True if the call changed an argument, and did not raise an error."""
        return self.got.error is None and not same(self.given, self.got.arguments)

    @property
    def example(self) -> str:
        """A sentence that shows both answers or, if `got` is right, where a list has changed."""
        if self.is_answered_rightly:
            return f"Look at the list that was passed in before and after `{self.text}`."
        wanted, error = f"give `{_short(self.wanted.value)}`", self.got.error
        if self.wanted.error is not None:
            wanted = f"raise `{type(self.wanted.error).__name__}`"
        does = f"gives `{_short(self.got.value)}`"
        if error is not None:
            place = place_of(error)
            where = f" in line {place.number}, `{place.code}`" if place and place.code else ""
            if place and place.caller:
                where = " in {}, `{}`".format(*place.caller.split(": ", 1))
            where += f", where {place.reach}" if place and place.reach else ""
            said = f"{type(error).__name__}: {said_by(error)}".removesuffix(": ")
            does = f"stops with `{said[:LONGEST]}`{where}"
        return f"For example, `{self.text}` {does}, and should {wanted}."


def _short(value: Any) -> str:
    try:
        text = repr(value)
    except Exception:
        text = type(value).__name__
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


def kind_of(value: Any) -> str:
    """Return the kind of a value, in a word; slips are found by the kinds of answers.

    >>> [kind_of(value) for value in ([2, 0], [[2], [0]], [(0, 1)], (0, 1), True, 2, "2", None, [])]
    ['line', 'board', 'squares', 'tuple', 'flag', 'number', 'text', 'nothing', 'list']
    """
    simple = {bool: "flag", int: "number", str: "text", tuple: "tuple", type(None): "nothing"}
    if type(value) is not list:
        return simple.get(type(value), "thing")
    kind, *others = {type(item) for item in value} or {object}
    return "list" if others else {int: "line", list: "board", tuple: "squares"}.get(kind, "list")


def name_of_odd(answer: Answer) -> str | None:
    """Return the name of the type of an answer if the answer is no plain value, and else `None`.

    Of a type or a function, return its own name. From another process, an answer that is no plain
    value arrives as an error, with the name in its message.
    """
    if answer.error is not None:
        found = _ODD.fullmatch(str(answer.error))
        return found[1] if found else None
    value = answer.value
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes, *_PLAIN)):
        return None
    name = getattr(value, "__name__", "") if callable(value) else type(value).__name__
    return str(name) or "function"


def is_error_name(name: str) -> bool:
    """Return true if `name` is the name of one of Python's built-in errors."""
    kind = getattr(builtins, name, None)
    return isinstance(kind, type) and issubclass(kind, BaseException)
