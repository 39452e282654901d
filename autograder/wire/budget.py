"""A limit on the cost of the values of a message for its reader: memory, text, comparisons."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import groupby
from typing import Any

from autograder.wire.frames import WireError

MAX_SIZE = 110_000_000
MAX_PROBES = 400_000_000

# About as many bytes as a value takes, and no less than four times the characters of its `repr`,
# which may take four bytes each. Values that repeat others are paid as if they were written out.
ITEM = 8
SCALAR = 96
CONTAINER = 64
TABLE = 256
ENTRY = 64
HANDLE = 1000
PARTS = 400  # for a value that is made of parts, beside these
_CHARACTER = 4
_ODD_CHARACTER = 40  # `repr` writes up to ten characters for it

# Shorter ints and all floats have few others of the same hash, texts and bytes a secret one.
_FIRST_HASH_TWICE = 2**61 - 1
_MOST_OF_A_HASH = 40
_APART = frozenset((bool, float, str, bytes, type(None)))


class Budget:
    """Pays for all values of a message, or of all messages of a test; then raises `WireError`."""

    def __init__(self, size: int = MAX_SIZE, probes: int = MAX_PROBES) -> None:
        self._size = size
        self._probes = probes
        self.spent = 0

    def spend(self, size: int) -> None:
        """Something of about so many bytes is there."""
        self.spent += size
        if self.spent > self._size:
            raise WireError("the values are too large, or the same lists are repeated too often")

    def spend_text(self, text: str) -> None:
        """A text is there, and may be shown."""
        is_simple = text.isascii() and text.isprintable()
        self.spend(SCALAR + len(text) * (_CHARACTER if is_simple else _ODD_CHARACTER))

    def spend_keys(self, count: int) -> None:
        """So many keys are about to share a table, each of which may have to pass all others."""
        self._probes -= count * count
        if self._probes < 0:
            raise WireError("the values have too many keys")
        self.spend(TABLE + count * ENTRY)


def may_collide(value: Any) -> bool:
    """Return true if others with the hash of a value can be made in any number."""
    kind = type(value)
    if kind is int:
        return not -_FIRST_HASH_TWICE < value < _FIRST_HASH_TWICE
    return kind not in _APART


def refuse_collisions(values: Iterable[Any]) -> None:
    """Raises `WireError` if more values have one and the same hash than chance brings together.

    As keys, here or in a set that a test makes, each would be compared with all others.
    """
    for same_hash in _by_hash(values):
        different: list[Any] = []
        for value in same_hash if len(same_hash) > _MOST_OF_A_HASH else ():
            if value not in different:
                different.append(value)
            if len(different) > _MOST_OF_A_HASH:
                raise WireError("too many values have the same hash")


def _by_hash(values: Iterable[Any]) -> Iterator[list[Any]]:
    """The values that have a hash, those of the same hash together."""
    hashed = []
    for value in values:
        with suppress(TypeError):
            hashed.append((hash(value), value))
    for _, group in groupby(sorted(hashed, key=_hash_of), _hash_of):
        yield [value for _, value in group]


def _hash_of(pair: tuple[int, Any]) -> int:
    return pair[0]
