"""Values that may change: how one becomes what another one is, and stays the same object."""

from collections.abc import Callable
from random import Random
from typing import Any

from autograder.wire.frames import WireError
from autograder.wire.kinds import kind_of


def renew(value: Any, now: Any) -> None:
    """Makes a value what another one of its type is; raises `WireError` if it cannot be."""
    try:
        (_renewal(type(value)) or _renew_object)(value, now)
    except Exception as error:
        raise WireError(f"what was passed in cannot change so: {type(error).__name__}") from None


def _renewal(kind: type) -> Callable[[Any, Any], None] | None:
    """Return the function that turns a value of a type into another, or `None` if none changes."""
    found = kind_of(kind)
    return _RENEWALS.get(kind) if found is None else found[1].renew


def _renew_list(value: list[Any], now: list[Any]) -> None:
    value[:] = now


def _renew_table(value: Any, now: Any) -> None:
    value.clear()
    value.update(now)


def _renew_random(value: Random, now: Random) -> None:
    value.setstate(now.getstate())


def _renew_object(value: Any, now: Any) -> None:
    _renew_table(value.__dict__, now.__dict__)


_RENEWALS: dict[type, Callable[[Any, Any], None]] = {
    list: _renew_list,
    dict: _renew_table,
    set: _renew_table,
    Random: _renew_random,
}
