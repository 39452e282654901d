"""Slips (ids of general hints) for answers of a wrong kind, and for errors in place of answers.

An answer is odd if it is no plain value, but for example a function.
"""

import builtins
import re
from traceback import walk_tb
from typing import Any

from course.answer_comparison import same
from course.function_calls import Answer
from course.hints.mistakes import general_entries
from course.lessons import lessons
from course.plain_errors import name_like, place_of
from course.rules.board import DIRECTIONS

_ITERATORS = ("map", "filter", "zip", "reversed", "generator", "enumerate", "range")
_ODD = re.compile(r"(?:\w+: )?(\w+) cannot be handed to the tests")
_PLAIN = (list, tuple, dict, set, frozenset)
_LISTS = ("line", "board", "squares", "list")
# A dictionary from names of types to the slips of answers that have this type, but should not.
OF_TYPES = {
    "bool": "returns-flag",
    "str": "returns-text",
    "int": "returns-number",
    "tuple": "returns-several",
    "list": "returns-list",
}

STOPS = "stops-with-an-error"


def kind_of(value: Any) -> str:
    """Return the kind of a value in a word; some kinds are narrower than types, such as "line".

    >>> [kind_of(value) for value in ([2, 0], [[2], [0]], [(0, 1)], (0, 1), True, 2, "2", None, [])]
    ['line', 'board', 'squares', 'tuple', 'flag', 'number', 'text', 'nothing', 'list']
    """
    simple = {bool: "flag", int: "number", str: "text", tuple: "tuple", type(None): "nothing"}
    if type(value) is not list:
        return simple.get(type(value), "thing")
    kind, *others = {type(item) for item in value} or {object}
    return "list" if others else {int: "line", list: "board", tuple: "squares"}.get(kind, "list")


def name_of_odd(answer: Answer) -> str | None:
    """Return the name of an answer's type, if the answer is no plain value; else return `None`.

    For a type or a function, return its own name. From another process, an answer that is no plain
    value arrives as an error, with the name in the error's message.
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
    """Return true if `name` is the name of a built-in exception of Python."""
    kind = getattr(builtins, name, None)
    return isinstance(kind, type) and issubclass(kind, BaseException)


def of_kind(wanted: Any, answer: Answer) -> list[str]:
    """Return the ids of the hints for an answer of a wrong kind; `[]` if its kind is right."""
    got, odd = answer.value, name_of_odd(answer)
    if odd is not None:
        is_made = answer.error is None and callable(got)
        slip = "returns-function" if is_made else "other-kind"
        slip = "returns-iterator" if _is_iterator(odd) else slip
        slip = "error-returned" if is_error_name(odd) else slip
        return [*dict.fromkeys([slip, "other-kind"])]
    if got is None:
        return ["forgets-return", "other-kind"]
    if type(got) is list and any(_is_iterator(type(item).__name__) for item in got):
        return ["returns-iterator", "other-items"]
    if _is_like(wanted, got):
        return ["wrong-brackets", "other-kind"]
    if _is_like(wanted, got, with_floats=True):
        return ["decimal-point", "other-kind"]
    if same(got, [wanted]) or same(got, (wanted,)):
        return ["returns-nested", "other-kind"]
    if type(wanted) is list and any(same(one, got) for one in wanted):
        return ["one-for-list", "other-kind"]
    if type(got) in (set, frozenset) and type(wanted) is list:
        return ["returns-set", "other-kind"]
    kind, found = kind_of(wanted), kind_of(got)
    if found == kind:
        return []
    if kind in _LISTS and found in _LISTS:
        if [] in (wanted, got):
            return []
        is_flat = kind in ("board", "squares") and found == "line"
        is_of_tiles = kind == "squares" and len(wanted) == len(got)
        slip = "tiles-for-squares" if is_of_tiles else "rows-missing"
        return [slip, "other-items"] if is_flat else ["other-items"]
    if found == "tuple" and (kind == "tuple" or len(got) < 2):
        return ["other-kind"]
    if kind == "flag" and found == "number" and got in (0, 1):
        return ["number-for-flag", "returns-number", "other-kind"]
    if kind == "line" and found == "text":
        return ["line-as-text", "returns-text", "other-kind"]
    return [*dict.fromkeys([OF_TYPES.get(type(got).__name__, "other-kind"), "other-kind"])]


def _is_iterator(name: str) -> bool:
    return name in _ITERATORS or name.endswith("iterator")


def _is_like(wanted: Any, got: Any, with_floats: bool = False) -> bool:
    """Return true if two values are the same, except that one has tuples where the other has lists.

    With `with_floats`, a float in `got` may also stand for an equal whole number, as 2.0 for 2.
    """
    if isinstance(wanted, (list, tuple)) and isinstance(got, (list, tuple)):
        pairs = zip(wanted, got, strict=False)
        return len(wanted) == len(got) and all(_is_like(*pair, with_floats) for pair in pairs)
    if with_floats and type(wanted) is int and isinstance(got, float):
        return wanted == got
    return same(wanted, got)


def of_error(error: BaseException) -> list[str]:
    """Return the ids of the hints for an error in place of an answer; `[]` if there is no code yet.

    An error inside a helper, the function of another exercise, means that the helper was called
    wrongly. The helper itself is right: a wrong one would have been diagnosed instead.
    """
    place, frames = place_of(error), [frame for frame, _ in walk_tb(error.__traceback__)]
    names = [each.name for entry in lessons() for each in entry.exercises]
    calls = {frame.f_code.co_name for frame in frames} & {*names}
    is_in_helper = place is not None and place.is_elsewhere and place.function in names
    is_endless = isinstance(error, RecursionError)  # it may stop inside any helper
    if not is_endless and (is_in_helper or (place is not None and len(calls) > 1)):
        return ["helper-called-wrongly", STOPS]
    is_own = place is not None and place.code.startswith("raise ValueError")
    own = ["raises-too-often"] if is_own and isinstance(error, ValueError) else []
    last = frames[-1:]
    texts = [each for frame in last for each in frame.f_locals.values() if type(each) is str]
    if own and last:
        constants = [*last[0].f_code.co_consts]
        for each in constants:
            constants += each if isinstance(each, tuple | frozenset) else ()
        written = [each for each in constants if type(each) is str and each not in texts]
        alike = {each.lower() for each in written} & {each.lower() for each in texts}
        own = ["other-case", *own] if alike else own
    missing = str(error.name) if type(error) is NameError else ""
    if place is not None and {missing, place.function} <= {*names}:
        later = names.index(missing) > names.index(place.function)
        own += ["written-later"] if later else []
    if missing in (*texts, *DIRECTIONS):
        own.append("quotes-missing")
    elif missing and name_like(error):
        own.append("name-misspelt")
    return own + of_error_named(type(error).__name__, str(error))


def of_error_named(name: str, message: str) -> list[str]:
    """Return the ids of the hints for an error with this name and this message."""
    if name == "NotImplementedError":
        return []
    if name == "UnboundLocalError" or "cannot access local variable" in message:
        name = "UnboundLocalError"
    patterns = {id: told.get("errors", {}).get(name) for id, told in general_entries().items()}
    found = [id for id, said in patterns.items() if said is not None and re.search(said, message)]
    return [*found[:1], STOPS]


def of_no_error(got: Answer) -> list[str]:
    """Return the ids of the hints for a call that should raise an error, but gives something else.

    Return `[]` if the function is not written yet.
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
