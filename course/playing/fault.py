"""A fault: one rule that was broken, in a sentence and in squares."""

from dataclasses import dataclass, field
from typing import Any

from course.playing.calls import shown
from course.rules import Board, Square


@dataclass(frozen=True)
class Answered:
    """An answer about a board, to be drawn: what went in, what came out, what the rules give."""

    title: str
    given: Board
    got: Any
    right: Any


@dataclass(frozen=True)
class Fault:
    """A broken rule: a sentence, the squares that show it, the pieces that may be to blame.

    `answered` is what can be drawn in place of the sentence.
    """

    sentence: str
    squares: tuple[Square, ...] = ()
    suspects: tuple[str, ...] = ()
    answered: Answered | None = field(default=None, compare=False)


def claim(
    what: str, given: Any, right: Any, *suspects: str, answered: Answered | None = None
) -> Fault:
    """Return the fault of a value that is not the one that the rules give.

    >>> claim("score", 0, 4).sentence
    'score gave 0. The rules give 4.'
    """
    return Fault(
        f"{what} gave {shown(given)}. The rules give {shown(right)}.", (), suspects, answered
    )
