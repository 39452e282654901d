"""Plain values as JSON and back, by exact types.

`None`, `bool`, `float`, short `int`s and `str`s stand for themselves, a list for a list. Everything
else is an object of one key, which says what it is:

    {"int": "0x1f"}  {"str": hex of UTF-8 with surrogates}  {"bytes": hex}
    {"tuple": [...]}  {"set": [...]}  {"frozenset": [...]}  {"dict": [[key, value], ...]}
    {"random": [hex of 625 words, the next gauss or null]}
    {"ref": n}           the n-th list, dict, set or Random of this message, once more
    {"same": [n, x]}     the n-th list, dict, set or Random that was passed in, which now holds x
    {"handle": ...}      an object that stays where it is; both sides agree on what stands here
"""

import struct
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

from autograder.wire.frames import WireError

MAX_DEPTH = 60
MAX_ITEMS = 1_000_000  # of all containers of one message
MAX_KEYS = 20_000  # members of all sets and keys of all dicts of one message
MAX_REPEATED = 100_000  # of all lists that one message repeats with `ref`, written out
MAX_BITS = 14_284  # of an int: what Python still prints, and reads as JSON

_SHORT = 2**53
_SIMPLE = frozenset((bool, int, float, str))
_ONLY_INT = {int}
_CONTAINERS = frozenset((list, dict, set, tuple, frozenset))
_WORDS = struct.Struct("<625I")
_STATE_VERSION = 3


class Unfit(WireError):  # noqa: N818 — said of a value
    """A value that can not cross: neither plain nor reached through a handle."""


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
        return {"random": [_WORDS.pack(*words).hex(), gauss]}

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


class Decoder:
    """Rebuilds the values of one message from exact types, trusting nothing that it reads.

    `handle` makes an object of the JSON that stands for one, or raises `WireError`. `originals` are
    the lists, dicts, sets and Randoms that `same` speaks of; they change only on `commit`.
    """

    def __init__(
        self, handle: Callable[[Any], Any] | None = None, originals: Sequence[Any] = ()
    ) -> None:
        self._handle = handle
        self._originals = originals
        self._staged: dict[int, tuple[Any, Any]] = {}
        self._keys = 0
        self._repeated = 0
        self._sizes: dict[int, int] = {}
        self._open: set[int] = set()
        self.mutable: list[Any] = []

    def decode(self, data: Any, depth: int = 0) -> Any:
        """The value of some JSON. Raises `WireError` if it is not the JSON of a value."""
        kind = type(data)
        if data is None or kind in _SIMPLE:
            return data
        if depth > MAX_DEPTH + 1:
            raise WireError("the value is nested too deeply")
        if kind is list:
            return self._new([], data, self._fill_list, depth + 1)
        if kind is not dict or len(data) != 1:
            raise WireError("this is not the JSON of a value")
        [(tag, content)] = data.items()
        decode = _TAGS.get(tag)
        if decode is None:
            raise WireError(f"there is no kind of value {tag[:20]!r}")
        try:
            return decode(self, content, depth + 1)
        except (TypeError, ValueError, OverflowError, struct.error) as error:
            raise WireError(f"this is no {tag}: {type(error).__name__}") from None

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

    def _new(self, value: Any, content: Any, fill: Callable[..., None], depth: int) -> Any:
        number = len(self.mutable)
        self.mutable.append(value)
        self._open.add(number)
        fill(value, content, depth)
        self._open.remove(number)
        return value

    def _fill_list(self, value: list[Any], content: Any, depth: int) -> None:
        if _SIMPLE.issuperset(map(type, content)):
            value.extend(content)
        else:
            value.extend([self.decode(item, depth) for item in content])

    def _fill_set(self, value: set[Any], content: Any, depth: int) -> None:
        self._count(_list(content))
        value.update([self.decode(item, depth) for item in content])

    def _fill_dict(self, value: dict[Any, Any], content: Any, depth: int) -> None:
        self._count(_list(content))
        for pair in content:
            key, item = _list(pair)
            value[self.decode(key, depth)] = self.decode(item, depth)

    def _count(self, members: list[Any]) -> None:
        self._keys += len(members)
        if self._keys > MAX_KEYS:
            raise WireError("the message has too many keys")

    def _items(self, content: Any, depth: int) -> Iterable[Any]:
        return [self.decode(item, depth) for item in _list(content)]

    def _set(self, content: Any, depth: int) -> Any:
        return self._new(set(), content, self._fill_set, depth)

    def _frozenset(self, content: Any, depth: int) -> Any:
        self._count(_list(content))
        return frozenset(self._items(content, depth))

    def _tuple(self, content: Any, depth: int) -> Any:
        return tuple(self._items(content, depth))

    def _dict(self, content: Any, depth: int) -> Any:
        return self._new({}, content, self._fill_dict, depth)

    def _random(self, content: Any, depth: int) -> Any:
        return self._new(Random(0), content, _fill_random, depth)

    def _ref(self, content: Any, depth: int) -> Any:
        if type(content) is not int or not 0 <= content < len(self.mutable):
            raise WireError("a reference leads nowhere")
        if content in self._open:
            raise WireError("a value holds itself")
        if content not in self._sizes:
            self._sizes[content] = _size(self.mutable[content])
        self._repeated += self._sizes[content]
        if self._repeated > MAX_REPEATED:
            raise WireError("the same lists are repeated too often")
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
        value = self.decode(now, depth)
        if type(value) is not type(original):
            raise WireError("what was passed in comes back as something else")
        self._staged[index] = (original, value)
        self._sizes[number] = _size(value)
        self.mutable[number] = original
        return original

    def _handle_of(self, content: Any, depth: int) -> Any:
        if self._handle is None:
            raise WireError("there are no handles here")
        return self._handle(content)


_TAGS: dict[str, Callable[[Decoder, Any, int], Any]] = {
    "int": lambda self, content, depth: int(_hex(content), 16),
    "str": lambda self, content, depth: bytes.fromhex(content).decode("utf-8", "surrogatepass"),
    "bytes": lambda self, content, depth: bytes.fromhex(content),
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


def _size(value: Any) -> int:
    """About as many characters as the value has when it is written out."""
    kind = type(value)
    if kind is dict:
        return 1 + sum(_size(key) + _size(item) for key, item in value.items())
    if kind in _CONTAINERS:
        return 1 + sum(map(_size, value))
    if kind is int:
        return 1 + int(value.bit_length()) // 4
    return 1 + (len(value) if kind in (str, bytes) else 0)


def _hex(content: Any) -> str:
    if type(content) is not str or len(content) > MAX_BITS // 4 + 4:
        raise WireError("a number is too long")
    return content


def _fill_random(value: Random, content: Any, depth: int) -> None:
    words, gauss = _list(content)
    if gauss is not None and type(gauss) is not float:
        raise WireError("the state of a Random is not one")
    value.setstate((_STATE_VERSION, _WORDS.unpack(bytes.fromhex(words)), gauss))
