"""Facts about objects: how errors become facts, and when facts agree."""

import re
from typing import Any

UNKNOWN = "not written yet"
NO_BOARD = "has no board"


def agrees(seen: Any, known: Any) -> bool:
    """Return true if the digests of facts that are seen equal the known ones.

    A fact that is not written yet agrees with anything.

    >>> agrees(["a", UNKNOWN], ["a", ["b", "c"]]), agrees(["d", UNKNOWN], ["a", ["b", "c"]])
    (True, False)
    """
    if type(seen) is str and seen == UNKNOWN:
        return True
    if isinstance(seen, list) and isinstance(known, list):
        return len(seen) == len(known) and all(map(agrees, seen, known))
    return bool(seen == known)


def error_fact(error: BaseException | None) -> str:
    """Return an error as a fact; errors of Python that have many causes are told more closely.

    >>> error_fact(TypeError("__str__ returned non-string (type NoneType)"))
    'gives NoneType, not a text'
    >>> error_fact(Exception("ValueError cannot be handed to the tests"))
    'gives a ValueError'
    >>> error_fact(TypeError("Score.add() takes 1 positional argument but 2 were given"))
    'is given too many arguments'
    """
    if re.search(r"takes \d+ positional arguments? but \d+ (was|were) given", str(error)):
        return "is given too many arguments"
    given = re.search(r"returned non-string \(type (\w+)\)", str(error))
    if given:
        return f"gives {given[1]}, not a text"
    odd = re.search(r"(\w+) cannot be handed to the tests", str(error))
    if odd:
        return f"gives a {odd[1]}"
    part = re.search(r"has no attribute '(\w+)'", str(error))
    said = part[0] if part else str(error) if type(error) is TypeError else ""
    return f"raises {type(error).__name__}" + (f": {said}" if said else "")
