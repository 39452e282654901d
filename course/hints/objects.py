"""Facts about objects of a small class, and about the answers of a duel agent, as plain data."""

from collections.abc import Callable
from typing import Any

from course.answers import call_many, has_no_text, lacks
from course.hints.facts import UNKNOWN, error_fact
from course.hints.slips.of_kinds import of_error


def using(make: Callable[..., Any], probes: list[tuple[str, tuple[Any, ...]]]) -> list[Any]:
    """Return the facts of all probes: the arguments of each are steps with a new object.

    A step is a list of a method's name and its arguments, or the name of an attribute, or `"str"`.
    In a probe `apart(...)`, the methods are called on one object, and the last step reads another.
    """
    return [_used(make, kind == "apart", steps) for kind, steps in probes]


def _used(make: Callable[..., Any], is_apart: bool, steps: tuple[Any, ...]) -> Any:
    """Return the facts of all steps; if `is_apart`, only the last, of an object made before."""
    try:
        thing, other = make(), make()
    except Exception as error:
        return UNKNOWN if isinstance(error, NotImplementedError) else _error(error)
    if not is_apart:
        return [_fact(other, step) for step in steps]
    facts = [_fact(other if isinstance(step, list) else thing, step) for step in steps]
    return facts[-1:]


def _fact(thing: Any, step: Any) -> Any:
    try:
        value = _done(thing, step)
    except NotImplementedError:
        return UNKNOWN
    except Exception as error:
        return UNKNOWN if _is_unwritten(step, error) else _error(error)
    if step == "str" and has_no_text(value):
        return UNKNOWN
    if value is None or type(value) in (bool, int, str):
        return value
    return {"a": "method" if callable(value) else "something else"}


def _error(error: Exception) -> dict[str, str]:
    return {"error": error_fact(error)}


def _done(thing: Any, step: Any) -> Any:
    if isinstance(step, list):
        return getattr(thing, step[0])(*step[1:])
    return str(thing) if step == "str" else getattr(thing, step)


def _is_unwritten(step: Any, error: Exception) -> bool:
    """Return true if a method, or a property such as `is_high`, is not there at all."""
    name = step[0] if isinstance(step, list) else step
    is_part = isinstance(step, list) or name.startswith(("is_", "has_"))
    return is_part and lacks(error, name)


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
        facts.append(_played(make, phase, view, legal))
    return facts


def _played(make: Callable[..., Any], phase: str, view: dict[str, Any], legal: list[Any]) -> Any:
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
