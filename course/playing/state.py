"""The state of a match: one value, which is never changed, only followed by the next."""

from dataclasses import dataclass

from course.rules import Board


@dataclass(frozen=True)
class State:
    """The state of a match after a turn.

    `can_continue` is true if the second chance may be taken now, `has_continued` if it was taken,
    `has_declined` if it was offered and not taken. `is_fair` is true if no turn broke a rule so
    far, `is_celebrated` if the win has been celebrated: taking a turn back changes neither.
    """

    board: Board
    score: int = 0
    moves: int = 0
    is_over: bool = False
    has_won: bool = False
    can_continue: bool = False
    has_continued: bool = False
    has_declined: bool = False
    is_fair: bool = True
    is_celebrated: bool = False
