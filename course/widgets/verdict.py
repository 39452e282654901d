"""The verdict of the rules on a call that was watched: none, if the call is right."""

from typing import Any

from course.answers import copied, same
from course.playing.pieces import Pieces
from course.playing.wanted import RIGHT
from course.steps.recorder import Recording
from course.steps.values import Plain, rows_of, text

CHANCE = {"spawn", "new_board", "take_turn"}  # more than one answer is right


def verdict(function: Any, arguments: tuple[Any, ...], recording: Recording) -> Plain | None:
    """Return a note if a function with a name of the course gave what the rules do not give.

    There is also a note if it changed a list that it was given; otherwise the result is `None`. The
    `marks` of the note are the squares that should hold something else.
    """
    name = getattr(function, "__name__", "")
    if recording.end != "returned" or name not in RIGHT or hasattr(function, "__self__"):
        return None
    lines = []
    right = _by_the_rules(name, arguments)
    is_wrong = right is not None and not same(recording.answer, right[0])
    if is_wrong and right is not None:
        lines.append(
            f"{recording.call} gave {text(recording.answer)}. The rules give {text(right[0])}."
        )
    pairs = zip(arguments, recording.arguments, strict=True)
    if any(type(given) is list and not same(given, now) for given, now in pairs):
        lines.append(f"Your {name} changed the list that it was given.")
    if not lines:
        return None
    diagnosis = Pieces({name: function}).diagnose(function)
    hint = diagnosis.nudge if diagnosis else ""
    marks = _differing(recording.answer, right[0]) if right is not None else []
    return {
        "kind": "wrong",
        "title": "Not by the rules",
        "lines": lines,
        "hint": hint,
        "marks": marks,
    }


def _differing(answer: Any, right: Any) -> list[list[int]]:
    """Return the squares of an answer, as (row, column), that should hold something else."""
    first, second = rows_of(answer), rows_of(right)
    if first is None or second is None or len(first) != len(second):
        return []
    return [
        [row, column]
        for row, line in enumerate(first)
        for column, tile in enumerate(line)
        if tile != dict(enumerate(second[row])).get(column)
    ]


def _by_the_rules(name: str, arguments: tuple[Any, ...]) -> tuple[Any] | None:
    """Return the answer of the rules, alone in a tuple; `None` if they do not say."""
    if name in CHANCE:
        return None
    try:
        return (RIGHT[name](*copied(arguments)),)
    except Exception:
        return None
