"""The note beside a board, as plain data: board, replay and terminal show the same."""

from collections.abc import Sequence
from typing import TypedDict

from course.hints import Diagnosis
from course.match.calls import Stuck
from course.match.turn import Turn

SHOWN_FAULTS = 3


class Note(TypedDict):
    """What is written beside a board, as texts.

    `kind` is `"stuck"`, `"wrong"`, `"printed"` or `"won"`; `code` is the line of the learner's
    program that it is about, `printed` what that program printed.
    """

    kind: str
    title: str
    lines: list[str]
    code: str
    hint: str
    printed: list[str]


def note_of(
    *,
    trouble: Stuck | None = None,
    faults: Sequence[str] = (),
    printed: Sequence[str] = (),
    diagnosis: Diagnosis | None = None,
) -> Note | None:
    """What there is to say; `None` where that is nothing.

    >>> note_of(faults=["a", "b", "c", "d"])["lines"]
    ['a', 'b', 'c', '… and 1 more.']
    """
    hint = diagnosis.nudge if diagnosis is not None else ""
    if trouble is not None:
        return _note("stuck", trouble.title, [trouble.text], printed, trouble.code, hint)
    if faults:
        more = len(faults) - SHOWN_FAULTS
        rest = [f"… and {more} more."] if more > 0 else []
        lines = [*faults[:SHOWN_FAULTS], *rest]
        return _note("wrong", "Not by the rules", lines, printed, hint=hint)
    return _note("printed", "Your code printed", [], printed) if printed else None


def turn_note(turn: Turn) -> Note | None:
    """What there is to say about a turn."""
    return note_of(
        trouble=turn.trouble, faults=turn.faults, printed=turn.printed, diagnosis=turn.diagnosis
    )


def won_note(score: int) -> Note:
    """The game is won by points."""
    line = f"You have {score} points. Play on as long as you like."
    return _note("won", "You made it!", [line], [])


def _note(
    kind: str,
    title: str,
    lines: list[str],
    printed: Sequence[str],
    code: str = "",
    hint: str = "",
) -> Note:
    return Note(kind=kind, title=title, lines=lines, code=code, hint=hint, printed=list(printed))
