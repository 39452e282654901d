"""From JSON to the values that it stands for, trusting nothing that is read."""

import struct
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

from autograder.wire.budget import (
    CONTAINER,
    HANDLE,
    ITEM,
    RANDOM,
    SCALAR,
    Budget,
    may_collide,
    refuse_collisions,
)
from autograder.wire.encoder import MAX_BITS, MAX_DEPTH, WORDS
from autograder.wire.frames import WireError

_SIMPLE = frozenset((bool, int, float, str))
_STATE_VERSION = 3


class Decoder:
    """Rebuilds the values of one message from exact types.

    `handle` makes an object of the JSON that stands for one, or raises `WireError`. `originals` are
    the lists, dicts, sets and Randoms that `same` speaks of; they change only on `commit`. `budget`
    pays for all that is made, and may be shared with other decoders.
    """

    def __init__(
        self,
        handle: Callable[[Any], Any] | None = None,
        originals: Sequence[Any] = (),
        budget: Budget | None = None,
    ) -> None:
        self._handle = handle
        self._originals = originals
        self._budget = budget if budget is not None else Budget()
        self._staged: dict[int, tuple[Any, Any]] = {}
        self._sizes: dict[int, int] = {}
        self._open: set[int] = set()
        self._may_collide: list[Any] = []
        self.mutable: list[Any] = []

    def decode(self, data: Any) -> Any:
        """The value of some JSON. Raises `WireError` if it is not the JSON of a value."""
        value = self._decode(data, 0)
        refuse_collisions(self._may_collide)
        self._may_collide.clear()
        return value

    def commit(self) -> None:
        """What was passed in becomes what it is now on the other side."""
        for original, now in self._staged.values():
            if type(original) is list:
                original[:] = now
            elif type(original) is Random:
                original.setstate(now.getstate())
            else:
                original.clear()
                original.update(now)

    def _decode(self, data: Any, depth: int) -> Any:
        kind = type(data)
        if data is None or kind in _SIMPLE:
            return self._scalar(data, kind)
        if depth > MAX_DEPTH + 1:
            raise WireError("the value is nested too deeply")
        if kind is list:
            return self._new([], data, self._fill_list, depth + 1)
        if kind is not dict or len(data) != 1:
            raise WireError("this is not the JSON of a value")
        [(tag, content)] = data.items()
        decode = _TAGS.get(tag)
        if decode is None:
            raise WireError("there is no such kind of value")
        try:
            return decode(self, content, depth + 1)
        except (TypeError, ValueError, OverflowError, struct.error) as error:
            raise WireError(f"this is no {tag}: {type(error).__name__}") from None

    def _scalar(self, value: Any, kind: type) -> Any:
        if kind is str:
            self._budget.spend_text(value)
        elif kind is int:
            self._number(value)
        else:
            self._budget.spend(SCALAR)
        return value

    def _number(self, value: int) -> int:
        self._budget.spend(SCALAR + value.bit_length() * 2)
        if may_collide(value):
            self._may_collide.append(value)
        return value

    def _new(self, value: Any, content: Any, fill: Callable[..., None], depth: int) -> Any:
        number, before = len(self.mutable), self._budget.spent
        self.mutable.append(value)
        self._open.add(number)
        fill(value, content, depth)
        self._open.remove(number)
        self._sizes[number] = self._budget.spent - before
        return value

    def _fill_list(self, value: list[Any], content: Any, depth: int) -> None:
        self._budget.spend(CONTAINER + ITEM * len(content))
        for item in content:
            kind = type(item)
            is_simple = item is None or kind in _SIMPLE
            value.append(self._scalar(item, kind) if is_simple else self._decode(item, depth))

    def _fill_set(self, value: set[Any], content: Any, depth: int) -> None:
        value.update(self._keys(content, content, depth))

    def _fill_dict(self, value: dict[Any, Any], content: Any, depth: int) -> None:
        pairs = [_pair(pair) for pair in _list(content)]
        keys = self._keys(pairs, [key for key, _ in pairs], depth)
        for key, (_, item) in zip(keys, pairs, strict=True):
            value[key] = self._decode(item, depth)

    def _keys(self, content: Any, keys: Any, depth: int) -> list[Any]:
        """What is going to be looked for by its hash."""
        self._budget.spend_keys(len(_list(content)))
        decoded = [self._decode(key, depth) for key in keys]
        refuse_collisions(filter(may_collide, decoded))
        return decoded

    def _items(self, content: Any, depth: int) -> Iterable[Any]:
        self._budget.spend(CONTAINER + ITEM * len(_list(content)))
        return [self._decode(item, depth) for item in content]

    def _set(self, content: Any, depth: int) -> Any:
        return self._new(set(), content, self._fill_set, depth)

    def _frozenset(self, content: Any, depth: int) -> Any:
        value = frozenset(self._keys(content, content, depth))
        self._may_collide.append(value)
        return value

    def _tuple(self, content: Any, depth: int) -> Any:
        value = tuple(self._items(content, depth))
        self._may_collide.append(value)
        return value

    def _dict(self, content: Any, depth: int) -> Any:
        return self._new({}, content, self._fill_dict, depth)

    def _random(self, content: Any, depth: int) -> Any:
        self._budget.spend(RANDOM)
        return self._new(Random(0), content, _fill_random, depth)

    def _int(self, content: Any, depth: int) -> int:
        if type(content) is not str or len(content) > MAX_BITS // 4 + 4:
            raise WireError("a number is too long")
        return self._number(int(content, 16))

    def _str(self, content: Any, depth: int) -> str:
        value = bytes.fromhex(content).decode("utf-8", "surrogatepass")
        self._budget.spend_text(value)
        return value

    def _bytes(self, content: Any, depth: int) -> bytes:
        value = bytes.fromhex(content)
        self._budget.spend(SCALAR + 16 * len(value))
        return value

    def _ref(self, content: Any, depth: int) -> Any:
        if type(content) is not int or not 0 <= content < len(self.mutable):
            raise WireError("a reference leads nowhere")
        if content in self._open:
            raise WireError("a value holds itself")
        self._budget.spend(self._sizes[content])
        return self.mutable[content]

    def _same(self, content: Any, depth: int) -> Any:
        """The original takes the place of its new content at once, and gets it on commit."""
        index, now = _list(content)
        if type(index) is not int or not 0 <= index < len(self._originals):
            raise WireError("nothing like this was passed in")
        original, number = self._originals[index], len(self.mutable)
        if index in self._staged or type(now) not in (list, dict):
            raise WireError("what was passed in comes back twice, or not at all")
        if type(now) is dict and not set(now) <= {"set", "dict", "random"}:
            raise WireError("what was passed in comes back as something else")
        value = self._decode(now, depth)
        if index in self._staged or type(value) is not type(original):
            raise WireError("what was passed in comes back as something else")
        self._staged[index] = (original, value)
        self.mutable[number] = original
        return original

    def _handle_of(self, content: Any, depth: int) -> Any:
        if self._handle is None:
            raise WireError("there are no handles here")
        self._budget.spend(HANDLE)
        return self._handle(content)


_TAGS: dict[str, Callable[[Decoder, Any, int], Any]] = {
    "int": Decoder._int,
    "str": Decoder._str,
    "bytes": Decoder._bytes,
    "tuple": Decoder._tuple,
    "set": Decoder._set,
    "frozenset": Decoder._frozenset,
    "dict": Decoder._dict,
    "random": Decoder._random,
    "ref": Decoder._ref,
    "same": Decoder._same,
    "handle": Decoder._handle_of,
}


def _list(content: Any) -> list[Any]:
    if type(content) is not list:
        raise WireError("a list is missing")
    return content


def _pair(content: Any) -> list[Any]:
    if len(_list(content)) != 2:
        raise WireError("a key has no value")
    return list(content)


def _fill_random(value: Random, content: Any, depth: int) -> None:
    words, gauss = _list(content)
    if gauss is not None and type(gauss) is not float:
        raise WireError("the state of a Random is not one")
    value.setstate((_STATE_VERSION, WORDS.unpack(bytes.fromhex(words)), gauss))
