"""A quick way past the encoder for values that already are JSON, such as small lists of numbers."""

from itertools import chain
from typing import Any

from autograder.wire.encoder import SHORT

_DEPTH = 8
_LISTS = 1000
_LONGEST = 100  # items of one list

_ONLY_INT, _ONLY_LIST = {int}, {list}


class _OtherRoad(Exception):  # noqa: N818 — nothing is wrong
    """A signal that only the encoder can write a value: it is no plain JSON, or repeats a list."""


def plain_copy(value: Any) -> Any:
    """Return a copy of a value that already is plain JSON; `None` if only the encoder can write it.

    >>> plain_copy([[2, 0], "left"]), plain_copy([(2, 0)])
    ([[2, 0], 'left'], None)
    """
    if type(value) is list and len(value) <= _LONGEST:
        if _is_small(value):
            return value[:]
        if _is_board(value):
            return list(map(list, value))
    try:
        return _copy(value, set(), 0)
    except _OtherRoad:
        return None


def _copy(value: Any, met: set[int], depth: int) -> Any:
    kind = type(value)
    if kind is list:
        if id(value) in met or depth > _DEPTH or len(value) > _LONGEST or len(met) > _LISTS:
            raise _OtherRoad
        met.add(id(value))
        if _is_small(value):
            return value[:]
        return [_copy(item, met, depth + 1) for item in value]
    is_own_json = (
        (kind is int and -SHORT < value < SHORT)
        or (kind is str and value.isascii())
        or (value is None or kind is bool or kind is float)
    )
    if not is_own_json:
        raise _OtherRoad
    return value


def _is_board(value: list[Any]) -> bool:
    """Return true if a list has only lists of short ints in it, and none of them twice."""
    return (
        set(map(type, value)) == _ONLY_LIST
        and max(map(len, value)) <= _LONGEST
        and _is_small(list(chain.from_iterable(value)))
        and len(set(map(id, value))) == len(value)
    )


def _is_small(value: list[Any]) -> bool:
    """Return true if a list has only short ints in it: between `-SHORT` and `SHORT`."""
    return set(map(type, value)) == _ONLY_INT and -SHORT < min(value) <= max(value) < SHORT
