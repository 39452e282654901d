"""A fault: one rule that was broken, in a sentence and in squares."""

from dataclasses import dataclass
from typing import Any

from course.match.calls import shown
from course.rules import Square


@dataclass(frozen=True)
class Fault:
    """What broke a rule: a sentence, the squares that show it, the pieces that may be to blame."""

    sentence: str
    squares: tuple[Square, ...] = ()
    suspects: tuple[str, ...] = ()


def claim(what: str, given: Any, right: Any, *suspects: str) -> Fault:
    """Something was said to be otherwise than the rules have it.

    >>> claim("score", 0, 4).sentence
    'score gave 0. The rules give 4.'
    """
    return Fault(f"{what} gave {shown(given)}. The rules give {shown(right)}.", (), suspects)
