"""Wrong answers as small boards: what went in, what came out, what the rules give."""

from collections.abc import Sequence
from typing import Any, TypedDict

from course.playing.calls import shown
from course.playing.fault import Answered, Fault
from course.rules import Board, Square
from course.rules.shape import is_board


class Picture(TypedDict):
    """A wrong answer as small boards, which take the place of some sentences of a note.

    `lines` holds the numbers of these sentences. Each part is a label with a `board` and its marked
    squares, or with a `text`.
    """

    title: str
    lines: list[int]
    parts: list[dict[str, Any]]


def drawn_first(found: Sequence[Fault]) -> list[Fault]:
    """Return the faults in the order in which they are told: first those that are drawn.

    Of the answers of one function, only the first is drawn; the others are left out.
    """
    first: dict[str, Answered] = {}
    for fault in found:
        if fault.answered is not None:
            first.setdefault(fault.answered.title, fault.answered)
    drawn = [each for each in found if each.answered in first.values()]
    return [*drawn, *(each for each in found if each.answered is None)]


def pictures_of(found: Sequence[Fault]) -> list[Picture]:
    """Return the pictures of the answers that are drawn, one for each answer."""
    pictures: list[Picture] = []
    answers: list[Answered] = []
    for number, fault in enumerate(found):
        if fault.answered is None:
            continue
        if fault.answered not in answers:
            answers.append(fault.answered)
            pictures.append(_picture(fault.answered))
        pictures[answers.index(fault.answered)]["lines"].append(number)
    return pictures


def _picture(answered: Answered) -> Picture:
    labels = ("board", answered.given), ("yours", answered.got), ("the rules give", answered.right)
    parts = [{"label": label, **_drawn(value)} for label, value in labels]
    got, right = answered.got, answered.right
    if is_board(got, signed=True) and is_board(right, signed=True):
        parts[1]["marks"] = _unlike(got, right)
    return Picture(title=answered.title, lines=[], parts=parts)


def _unlike(got: Board, right: Board) -> list[Square]:
    """Return the squares on which two boards differ; none if their shapes differ."""
    if (len(got), len(got[0])) != (len(right), len(right[0])):
        return []
    squares = [(row, column) for row in range(len(got)) for column in range(len(got[0]))]
    return [(row, column) for row, column in squares if got[row][column] != right[row][column]]


def _drawn(value: Any) -> dict[str, Any]:
    return {"board": value} if is_board(value, signed=True) else {"text": shown(value)}
