"""Facts about objects of a small class, as plain data."""

from collections.abc import Callable
from typing import Any

from course.answers import has_no_text, lacks
from course.hints.facts import UNKNOWN, error_fact


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
