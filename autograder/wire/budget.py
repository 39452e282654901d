"""A limit on the memory, text and comparisons that the values of a message cost its reader."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import groupby
from operator import itemgetter
from typing import Any

from autograder.wire.frames import WireError

MAX_SIZE = 110_000_000
MAX_PROBES = 400_000_000

# Costs, in bytes. The cost of a value is about the memory that it takes, and at least four times
# the length of its `repr`, because a character may take four bytes. A value that repeats another
# one costs as much as if it were written out once more.
ITEM = 8
SCALAR = 96
CONTAINER = 64
TABLE = 256
ENTRY = 64
HANDLE = 1000
PARTS = 400  # for a value that is made of parts, besides the cost of the parts
_CHARACTER = 4
_ODD_CHARACTER = 40  # `repr` writes up to ten characters for it

# Of the ints below this one, and of floats, only few share a hash. The hash of a text or of bytes
# depends on a secret, so nobody can choose texts that share a hash.
_FIRST_HASH_TWICE = 2**61 - 1
_MOST_OF_A_HASH = 40
_OF_CHANCE = frozenset((str, bytes))
_APART = frozenset((bool, float, str, bytes, type(None)))


class Budget:
    """An account of what the values of one message, or of all messages of a test, have cost.

    Its methods raise `WireError` when the cost exceeds the limit.
    """

    def __init__(self, size: int = MAX_SIZE) -> None:
        self._size = size
        self._probes = MAX_PROBES
        self.spent = 0

    def spend(self, size: int) -> None:
        """Add about `size` bytes of memory to the cost."""
        self.spent += size
        if self.spent > self._size:
            raise WireError("the values are too large, or the same lists are repeated too often")

    def spend_text(self, text: str) -> None:
        """Add the cost of a text, including that of its `repr`."""
        is_simple = text.isascii() and text.isprintable()
        self.spend(SCALAR + len(text) * (_CHARACTER if is_simple else _ODD_CHARACTER))

    def spend_keys(self, keys: Sequence[Any]) -> None:
        """Add the cost of a dict or set with these keys.

        Python keeps keys in a table, which grows with their number. The last bits of a key's hash
        choose its place in the table. If that place is taken, Python may have to compare the key
        with all others, which takes long; so this is counted. It is not counted for texts: their
        hashes are randomized, so nobody can choose texts that want the same place.
        """
        self.spend(TABLE + len(keys) * ENTRY)
        hashes = [hash(key) for key in keys if type(key) not in _OF_CHANCE]
        size = 8
        while size < 2 * len(hashes):  # in a larger table, fewer keys want the same place
            first = hashes[:size]
            moved = len(first) - len({one & (size - 1) for one in first})
            self._probes -= moved * len(first)
            size *= 2
        if self._probes < 0:
            raise WireError("too many keys want the same place")


def may_collide(value: Any) -> bool:
    """Return true if somebody could make any number of other values with the same hash."""
    kind = type(value)
    if kind is int:
        return not -_FIRST_HASH_TWICE < value < _FIRST_HASH_TWICE
    return kind not in _APART


def refuse_collisions(values: Iterable[Any]) -> None:
    """Raise `WireError` if more different values share a hash than would happen by chance.

    If such values became keys, here or in a set that a test makes, each of them would be compared
    with all others.
    """
    hashed = []
    for value in values:
        with suppress(TypeError):
            hashed.append((hash(value), value))
    hash_of = itemgetter(0)
    for _, group in groupby(sorted(hashed, key=hash_of), hash_of):
        same_hash, different = [value for _, value in group], list[Any]()
        for value in same_hash if len(same_hash) > _MOST_OF_A_HASH else ():
            if value not in different:
                different.append(value)
            if len(different) > _MOST_OF_A_HASH:
                raise WireError("too many values have the same hash")
