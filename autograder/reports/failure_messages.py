"""The message of a failed check, taken apart: the call, the values as pictures, and the rest."""

import ast
import re
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from autograder.course_adapter import FACT_LABELS, drawn, is_lesson

_LONGEST = 4000  # characters of a message that a page shows
_ERROR = re.compile(r"^(?:  got +)?(\w*(?:Error|Exception|Interrupt|Exit)\b.*)$", re.M)
_HINT = "Hint: "
_FACTS = tuple(f"  {label} " for label in FACT_LABELS)


@dataclass(frozen=True)
class Said:
    """The parts of a check's message: the call, a picture of the values, and the rest of the text.

    If there is no picture, `text` is the whole message, and `call` is empty.
    """

    call: str = ""
    picture: Markup = Markup()  # noqa: RUF009 — an empty text
    text: str = ""


def take_apart(message: str, assignment: str) -> Said:
    r"""Return the parts of a message without the hint. Only this course's lessons get a picture.

    >>> take_apart("merge([2])\n  expected  [2]\n  got       [4]\nHint: no.", "essay").text
    'merge([2])\n  expected  [2]\n  got       [4]'
    """
    lines = [line for line in message.splitlines() if not line.startswith(_HINT)]
    whole = "\n".join(lines)
    begin = next((n for n, line in enumerate(lines) if line.startswith(_FACTS)), len(lines))
    call = "\n".join(line for line in lines[:begin] if not line.startswith("  "))
    picture = drawn(whole, call, _arguments(call)) if is_lesson(assignment) else ""
    if not picture or len(whole) > _LONGEST:
        return Said(text=whole if len(whole) <= _LONGEST else f"{whole[:_LONGEST]} …")
    known = call.splitlines()
    rest = [line for line in lines if line not in known and not line.startswith(_FACTS)]
    return Said(call, Markup(picture), "\n".join(line.strip() for line in rest))


def error_in(message: str) -> str:
    r"""Return the first Python error in a message, with the error's own text, or an empty text.

    >>> error_in("merge([2])\n  got       ZeroDivisionError: division by zero")
    'ZeroDivisionError: division by zero'
    """
    found = _ERROR.search(message)
    return found[1] if found else ""


def _arguments(call: str) -> list[Any]:
    """Return those positional arguments of a call that are plain values; `call` is its source."""
    try:
        tree = ast.parse(call, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return []
    values = []
    for argument in tree.args if isinstance(tree, ast.Call) else ():
        try:
            values.append(ast.literal_eval(argument))
        except (ValueError, TypeError, MemoryError, RecursionError):
            continue
    return values
