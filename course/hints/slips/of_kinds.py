"""Slips of answers of another kind than the right one."""

import builtins
import re
from typing import Any

from course.answers import Answer, same
from course.hints.slips.asked import Asked

_ODD = re.compile(r"(?:\w+: )?(\w+) cannot be handed to the tests")
_ITERATORS = ("map", "filter", "zip", "reversed", "generator", "enumerate", "range")
_PLAIN = (list, tuple, dict, set, frozenset)
_SAID = {
    "flag": "returns-flag",
    "text": "returns-text",
    "number": "returns-number",
    "line": "returns-list",
    "board": "returns-list",
    "squares": "returns-list",
    "list": "returns-list",
    "tuple": "returns-several",
}
_LISTS = ("line", "board", "squares", "list")


def kind_of(value: Any) -> str:
    """Return the kind of a value, in a word.

    >>> [kind_of(value) for value in ([2, 0], [[2], [0]], [(0, 1)], (0, 1), True, 2, "2", None, [])]
    ['line', 'board', 'squares', 'tuple', 'flag', 'number', 'text', 'nothing', 'list']
    """
    simple = {bool: "flag", int: "number", str: "text", tuple: "tuple", type(None): "nothing"}
    if type(value) is not list:
        return simple.get(type(value), "thing")
    inside = {type(item) for item in value}
    return {int: "line", list: "board", tuple: "squares"}.get(
        inside.pop() if len(inside) == 1 else object, "list"
    )


def name_of_odd(answer: Answer) -> str | None:
    """Return the name of the type of an answer that is no plain value; `None` if it is plain.

    If the answer is itself a type or a function, return the name of that. If the function under
    test is in another process, such an answer arrives as an error that says so.
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
    """Return true if Python has an error of that name."""
    kind = getattr(builtins, name, None)
    return isinstance(kind, type) and issubclass(kind, BaseException)


def of_kind(asked: Asked) -> list[str]:
    """Return the slips of an answer of another kind; none if it is of the right one."""
    wanted, got = asked.wanted.value, asked.got.value
    odd = name_of_odd(asked.got)
    if odd is not None:
        return _of_odd(odd, asked.got)
    if got is None:
        return ["forgets-return", "other-kind"]
    if _with_lists(wanted) == _with_lists(got) and same(_with_lists(wanted), _with_lists(got)):
        return ["wrong-brackets", "other-kind"]
    if _with_whole_numbers(got) == _with_whole_numbers(wanted):
        return ["decimal-point", "other-kind"]
    if got in ([wanted], (wanted,)):
        return ["returns-nested", "other-kind"]
    return _of_plain(kind_of(wanted), wanted, got)


def _of_odd(name: str, answer: Answer) -> list[str]:
    if is_error_name(name):
        return ["error-returned", "other-kind"]
    if name in _ITERATORS or name.endswith("iterator"):
        return ["returns-iterator", "other-kind"]
    is_made = answer.error is None and callable(answer.value)
    return ["returns-function", "other-kind"] if is_made else ["other-kind"]


def _of_plain(kind: str, wanted: Any, got: Any) -> list[str]:
    found = kind_of(got)
    if found == kind:
        return []
    if kind in _LISTS and found in _LISTS:
        if [] in (wanted, got):
            return []
        is_flat = kind in ("board", "squares") and found == "line"
        return ["rows-missing", "other-items"] if is_flat else ["other-items"]
    if found == "tuple" and (kind == "tuple" or len(got) < 2):
        return ["other-kind"]
    if kind == "flag" and found == "number" and got in (0, 1):
        return ["number-for-flag", "returns-number", "other-kind"]
    return [*filter(None, [_SAID.get(found)]), "other-kind"]


def _with_lists(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_with_lists(item) for item in value]
    return value


def _with_whole_numbers(value: Any) -> Any:
    """Return a value with each decimal number that is whole, such as 2.0, as a whole number.

    Tuples become lists, and flags become tuples, so that they differ from 0 and 1.
    """
    if isinstance(value, (list, tuple)):
        return [_with_whole_numbers(item) for item in value]
    if type(value) is float and value.is_integer():
        return int(value)
    return (value,) if type(value) is bool else value
