"""Slips of errors in place of answers, and of answers in place of errors."""

import re

from course.answers import Answer, place_of
from course.hints.slips.of_kinds import is_error_name, name_of_odd

STOPS = "stops-with-an-error"
OTHER = "other-error"

# The kind of an error, a pattern in its message, and the slip that it is; the first match counts.
_SAID = (
    ("TypeError", r"exceptions must derive from BaseException", "raises-no-error"),
    ("TypeError", r"takes .*positional|missing .*required|unexpected keyword", "wrong-arguments"),
    ("TypeError", r"'NoneType'|not NoneType", "uses-nothing"),
    ("AttributeError", r"'NoneType'", "uses-nothing"),
    ("TypeError", r"is not callable", "calls-no-function"),
    ("TypeError", r"is not subscriptable|does not support item", "no-list"),
    ("TypeError", r"unsupported operand type\(s\) for .*: '(.*)' and '\1'", "sign-not-for-these"),
    ("TypeError", r"can only concatenate|unsupported operand|not supported between", "mixes-kinds"),
    ("TypeError", r"can't multiply sequence", "sign-not-for-these"),
    ("IndexError", r"assignment index out of range", "assigns-past-the-end"),
    ("IndexError", r"pop from", "pops-from-empty"),
    ("IndexError", r"", "past-the-end"),
    ("UnboundLocalError", r"", "unbound-name"),
    ("NameError", r"", "unknown-name"),
    ("AttributeError", r"", "no-attribute"),
    ("KeyError", r"", "unknown-key"),
    ("RecursionError", r"", "endless-recursion"),
)


def of_error(error: BaseException) -> list[str]:
    """Return the slips of an error in place of an answer; none if there is no code yet."""
    place = place_of(error)
    is_own = place is not None and place.code.startswith("raise ValueError")
    own = ["raises-too-often"] if is_own and isinstance(error, ValueError) else []
    return own + of_error_named(type(error).__name__, str(error))


def of_error_named(name: str, message: str) -> list[str]:
    """Return the slips of an error of which only the name and the message are known."""
    if name == "NotImplementedError":
        return []
    if name == "UnboundLocalError" or "cannot access local variable" in message:
        name = "UnboundLocalError"
    found = [slip for kind, said, slip in _SAID if kind == name and re.search(said, message)]
    return [*found[:1], STOPS]


def of_no_error(got: Answer) -> list[str]:
    """Return the slips of an answer, or of another error, in place of an error that is wanted.

    There are none if there is no code yet.
    """
    odd = name_of_odd(got)
    if odd is not None and is_error_name(odd):
        return ["error-returned", "no-error"]
    if got.error is None:
        return ["error-printed", "no-error"] if got.printed else ["no-error"]
    if type(got.error).__name__ == "NotImplementedError":
        return []
    found = of_error(got.error)
    return [*(each for each in found if each == "raises-no-error"), "other-error"]
