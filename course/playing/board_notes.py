"""The note beside a board: sentences and small boards on broken rules, errors and printed lines.

A note is plain data, so that the board in a notebook, the replay and the terminal can show it.
"""

from dataclasses import dataclass, field
from typing import Any, TypedDict

from course.hints import Diagnosis
from course.playing.learner_calls import Stuck, Tail, shown
from course.playing.motion import differing
from course.rules import Board, Square
from course.rules.board import is_board

SHOWN_FAULTS = 3


@dataclass(frozen=True)
class Answered:
    """A wrong answer to a call with the board `given`; a picture shows it beside the right one."""

    title: str
    given: Board
    got: Any
    right: Any


@dataclass(frozen=True)
class Fault:
    """A broken rule: a sentence on it, and the squares on which it shows.

    `suspects` are the names of the functions or classes that may be to blame. `answered` can be
    drawn in place of the sentence.
    """

    sentence: str
    squares: tuple[Square, ...] = ()
    suspects: tuple[str, ...] = ()
    answered: Answered | None = field(default=None, compare=False)


def claim(
    what: str, given: Any, right: Any, *suspects: str, answered: Answered | None = None
) -> Fault:
    """Return a `Fault`: the call or attribute `what` gave the value `given` instead of `right`."""
    said = f"{what} gave {shown(given)}. The rules give {shown(right)}."
    return Fault(said, (), suspects, answered)


class Note(TypedDict):
    """The texts and pictures that stand beside a board.

    `kind` is `"stuck"` (the learner's code gave no usable answer), `"wrong"` (a rule is broken),
    `"printed"` (the code has only printed something) or `"won"`. `lines` are the sentences of the
    note, `code` is the line of the learner's program that the note is about, and `printed` are the
    last lines that this program printed.

    A picture shows a wrong answer as small boards, in place of some sentences: its `lines` are the
    indices of these sentences. Each of its `parts` has a `label`, and either a `board` or a `text`;
    the board of a wrong answer may have `marks`, its wrong squares.
    """

    kind: str
    title: str
    lines: list[str]
    code: str
    hint: str
    printed: list[str]
    pictures: list[dict[str, Any]]


@dataclass
class Report:
    """The faults that are found while the learner's code is called, and the text that it prints."""

    found: list[Fault] = field(default_factory=list)
    printed: Tail = field(default_factory=Tail)

    def add(self, fault: Fault) -> None:
        """Add a fault, unless it is there already."""
        if fault not in self.found:
            self.found.append(fault)

    def note(self, trouble: Stuck | None = None, diagnosis: Diagnosis | None = None) -> Note | None:
        """Return the note to show beside the board; `None` if there is nothing to say.

        The note is about `trouble`, the error that left the game without an answer, or else about
        the faults that were found. A `diagnosis` adds a hint. Of several wrong answers with the
        same title, the first is drawn, and the others are only counted.
        """
        found, printed = self.found, self.printed.lines()
        hint = diagnosis.nudge if diagnosis is not None else ""
        if trouble is not None:
            return _note("stuck", trouble.title, [trouble.text], printed, trouble.code, hint)
        if not found:
            return _note("printed", "Your code printed", [], printed) if printed else None
        drawn: dict[str, Answered] = {}
        for fault in found:
            if fault.answered is not None:
                drawn.setdefault(fault.answered.title, fault.answered)
        told = [fault for fault in found if fault.answered in drawn.values()]
        told = [*told, *(fault for fault in found if fault.answered is None)][:SHOWN_FAULTS]
        lines = [fault.sentence for fault in told]
        if len(found) > len(told):
            more = len(found) - len(told)
            things = "1 more thing is" if more == 1 else f"{more} more things are"
            lines.append(f"{things} not by the rules.")
        note = _note("wrong", "Not by the rules", lines, printed, hint=hint)
        for answered in drawn.values():
            numbers = [number for number, fault in enumerate(told) if fault.answered == answered]
            if not numbers:
                continue
            got, right = answered.got, answered.right
            named = (("board", answered.given), ("yours", got), ("the rules give", right))
            are_boards = [is_board(value, signed=True) for _, value in named]
            parts: list[dict[str, Any]] = [
                {"label": label, **({"board": value} if is_drawn else {"text": shown(value)})}
                for (label, value), is_drawn in zip(named, are_boards, strict=True)
            ]
            if all(are_boards[1:]):
                is_alike = (len(got), len(got[0])) == (len(right), len(right[0]))
                parts[1]["marks"] = differing(got, right) if is_alike else []
            note["pictures"].append({"title": answered.title, "lines": numbers, "parts": parts})
        return note


def won_note(score: int) -> Note:
    """Return the note for a game that is won by points."""
    line = f"You have {score} points. Play on as long as you like."
    return _note("won", "You made it!", [line], [])


def _note(
    kind: str, title: str, lines: list[str], printed: list[str], code: str = "", hint: str = ""
) -> Note:
    return Note(
        kind=kind, title=title, lines=lines, code=code, hint=hint, printed=printed, pictures=[]
    )
