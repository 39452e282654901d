"""Facts about the answers of a duel agent, as plain data: legal, of another kind, or an error."""

from collections.abc import Callable
from typing import Any

from course.answers import call_many, lacks
from course.hints.facts import UNKNOWN
from course.hints.slips.of_errors import of_error

Call = tuple[str, tuple[Any, ...]]


def playing(make: Callable[..., Any], calls: list[Call]) -> list[Any]:
    """Return what a new agent answers to each probe `Agent(phase, board, player, number)`.

    Each is `{"gives": "a legal answer"}` (there are many, and all are right), `{"gives a": kind}`,
    or `{"raises": kind, "slips": ids of the entries that describe the error}`; for a method that is
    not there yet, it is `UNKNOWN`.
    """
    # Imported here, because where learners' code is graded there are no rules to import.
    from course.rules import legal_directions, legal_squares

    facts = []
    for _, (phase, board, player, number) in calls:
        placing = phase == "place"
        legal: list[Any] = (
            list(legal_squares(board, player, number))
            if placing
            else list(legal_directions(board, player))
        )
        view = {"board": board, "player": player, "phase": phase, "legal": legal}
        view |= {"round": 0, "rounds": 1, "numbers": [number], "last": {1: None, -1: None}}
        view |= {"time_left": None, "opponent_time_left": None}
        facts.append(_fact(make, phase, view, legal))
    return facts


def _fact(make: Callable[..., Any], phase: str, view: dict[str, Any], legal: list[Any]) -> Any:
    try:
        agent, method = make(), getattr(make, phase)
    except Exception as error:
        return UNKNOWN if lacks(error, phase) else _raised(error)
    answer = call_many(method, [(agent, view)])[0]
    if answer.error is not None:
        return _raised(answer.error)
    value = answer.value
    if type(value) in (str, tuple) and value in legal:
        return {"gives": "a legal answer"}
    return {"gives a": _kind(value, phase)}


def _raised(error: Exception) -> Any:
    return {"raises": type(error).__name__, "slips": of_error(error)}


def _kind(value: Any, phase: str) -> str:
    """Return the kind of an answer that is not legal, in words."""
    if phase == "place" and type(value) is tuple and len(value) == 2:
        return "square that is not legal"
    if type(value) is list and value and type(value[0]) is tuple:
        return "list of squares"
    if type(value) is list and [*map(type, value)] == [int, int]:
        return "square as a list"
    return type(value).__name__
