"""From values to the JSON that stands for them, by exact types."""

import struct
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from autograder.wire.frames import Unfit, WireError

MAX_DEPTH = 60
MAX_ITEMS = 1_000_000  # of all containers of one message
MAX_BITS = 14_284  # of an int: what Python still prints, and reads as JSON

_SHORT = 2**53
_ONLY_INT = {int}
_CONTAINERS = frozenset((list, dict, set, tuple, frozenset))
WORDS = struct.Struct("<625I")


class Encoder:
    """Encodes the values of one message; the same list twice stays the same list.

    `handle` is asked about everything that is not plain, and gives the JSON that stands for it or
    raises `Unfit`. `known` are the lists, dicts, sets and Randoms that came with the question.
    """

    def __init__(
        self, handle: Callable[[Any], Any] | None = None, known: Sequence[Any] = ()
    ) -> None:
        self._handle = handle
        self._known = {id(value): index for index, value in enumerate(known)}
        self._numbers: dict[int, int] = {}
        self._open: set[int] = set()
        self._items = 0
        self.mutable: list[Any] = []  # in the order of their numbers; keeps their ids their own

    def encode(self, value: Any, depth: int = 0) -> Any:
        """The JSON of a value. Raises `Unfit`, or `WireError` for one that holds itself."""
        kind = type(value)
        if value is None or kind is bool or kind is float:
            return value
        if kind is int:
            return value if -_SHORT < value < _SHORT else _long(value)
        if kind is str:
            return value if value.isascii() else _text(value)
        if depth > MAX_DEPTH:
            raise WireError(f"a value is nested more than {MAX_DEPTH} deep")
        if kind in _CONTAINERS:
            self._items += len(value)
            if self._items > MAX_ITEMS:
                raise WireError(f"more than {MAX_ITEMS:,} values are too many")
        if kind in (list, dict, set, Random):
            return self._mutable(value, kind, depth + 1)
        if kind in (tuple, frozenset):
            return {kind.__name__: [self.encode(item, depth + 1) for item in value]}
        if kind is bytes:
            return {"bytes": value.hex()}
        return self._other(value, kind, depth)

    def _mutable(self, value: Any, kind: type, depth: int) -> Any:
        key = id(value)
        if key in self._open:
            raise WireError("a value holds itself")
        if key in self._numbers:
            return {"ref": self._numbers[key]}
        self._numbers[key] = len(self._numbers)
        self.mutable.append(value)
        self._open.add(key)
        content = self._content(value, kind, depth)
        self._open.remove(key)
        return {"same": [self._known[key], content]} if key in self._known else content

    def _content(self, value: Any, kind: type, depth: int) -> Any:
        if kind is list:
            if set(map(type, value)) == _ONLY_INT and -_SHORT < min(value) <= max(value) < _SHORT:
                return list(value)
            return [self.encode(item, depth) for item in value]
        if kind is set:
            return {"set": [self.encode(item, depth) for item in value]}
        if kind is dict:
            pairs = value.items()
            return {"dict": [[self.encode(k, depth), self.encode(v, depth)] for k, v in pairs]}
        _version, words, gauss = value.getstate()
        return {"random": [WORDS.pack(*words).hex(), gauss]}

    def _other(self, value: Any, kind: type, depth: int) -> Any:
        """A subclass of a plain type crosses as that type; the rest is asked about."""
        for plain, exact in _EXACT:
            if issubclass(kind, plain):
                return self.encode(exact(value), depth)
        if self._handle is None:
            raise Unfit(f"a value of type {kind.__name__} can not be handed over")
        return {"handle": self._handle(value)}


_EXACT: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (int, int.__pos__),
    (float, float.__pos__),
    (str, str.__str__),
    (bytes, lambda value: bytes.__getitem__(value, slice(None))),
    (list, lambda value: list.__getitem__(value, slice(None))),
    (tuple, lambda value: tuple(tuple.__iter__(value))),
    (dict, lambda value: dict(dict.items(value))),
    (set, lambda value: set(set.__iter__(value))),
    (frozenset, lambda value: frozenset(frozenset.__iter__(value))),
)


def _long(value: int) -> Any:
    if value.bit_length() > MAX_BITS:
        raise WireError(f"a number of {value.bit_length():,} bits is too long")
    return {"int": hex(value)}


def _text(value: str) -> Any:
    try:
        value.encode()
    except UnicodeEncodeError:
        return {"str": value.encode("utf-8", "surrogatepass").hex()}
    return value
