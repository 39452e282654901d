"""The note beside a board, as plain data: board, replay and terminal show the same note."""

from collections.abc import Sequence
from typing import TypedDict

from course.hints import Diagnosis
from course.playing.calls import Stuck
from course.playing.drawing import Picture, drawn_first, pictures_of
from course.playing.fault import Fault
from course.playing.turn import Turn

SHOWN_FAULTS = 3


class Note(TypedDict):
    """The texts that are written beside a board.

    `kind` is `"stuck"`, `"wrong"`, `"printed"` or `"won"`; `code` is the line of the learner's
    program that it is about, `printed` what that program printed; `pictures` show in small boards
    what some of the lines say.
    """

    kind: str
    title: str
    lines: list[str]
    code: str
    hint: str
    printed: list[str]
    pictures: list[Picture]


def note_of(
    *,
    trouble: Stuck | None = None,
    found: Sequence[Fault] = (),
    printed: Sequence[str] = (),
    diagnosis: Diagnosis | None = None,
) -> Note | None:
    """Return the note for what has happened; `None` if there is nothing to say.

    >>> note_of(found=[Fault("a"), Fault("b"), Fault("c"), Fault("d")])["lines"]
    ['a', 'b', 'c', '1 more thing is not by the rules.']
    """
    hint = diagnosis.nudge if diagnosis is not None else ""
    if trouble is not None:
        return _note("stuck", trouble.title, [trouble.text], printed, trouble.code, hint)
    if found:
        told = drawn_first(found)[:SHOWN_FAULTS]
        more = len(found) - len(told)
        things = "1 more thing is" if more == 1 else f"{more} more things are"
        rest = [f"{things} not by the rules."] if more > 0 else []
        lines = [*(fault.sentence for fault in told), *rest]
        note = _note("wrong", "Not by the rules", lines, printed, hint=hint)
        note["pictures"] = pictures_of(told)
        return note
    return _note("printed", "Your code printed", [], printed) if printed else None


def turn_note(turn: Turn) -> Note | None:
    """Return the note about a turn; `None` if there is nothing to say."""
    return note_of(
        trouble=turn.trouble, found=turn.found, printed=turn.printed, diagnosis=turn.diagnosis
    )


def won_note(score: int) -> Note:
    """Return the note for a game that is won by points."""
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
    return Note(
        kind=kind,
        title=title,
        lines=lines,
        code=code,
        hint=hint,
        printed=list(printed),
        pictures=[],
    )
