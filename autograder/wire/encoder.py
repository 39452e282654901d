"""The encoder makes JSON from values, in the form that `__init__.py` describes.

Values that already are JSON, such as small lists of numbers, have a quicker way: `encoded`.
"""

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

from autograder.wire.frames import Unfit, WireError
from autograder.wire.type_codecs import Kind, is_of_a_library, kind_of

MAX_DEPTH = 60
MAX_ITEMS = 1_000_000  # of all containers of one message
MAX_BITS = 14_284  # of an int; Python prints no longer int, and reads none as JSON

SHORT = 2**53
_ONLY_INT, _ONLY_LIST = {int}, {list}
_DEPTH, _WIDTH = 8, 100_000  # of plain values: levels, and values in one list
_CONTAINERS = frozenset((list, dict, set, tuple, frozenset))


class Encoder:
    """An encoder for the values of one message; a list that comes twice arrives as one list.

    `handle` is called with each object that cannot be sent as a value; it returns JSON by which
    both sides refer to the object, or raises `Unfit`. `known` are the lists and other mutable
    values that were passed in with the call that this message answers. `named` returns the name
    under which the other side finds a class or a function of a library, or `None`. An object whose
    class extends a plain type is sent as its plain value, and with its handle, if it has one.
    """

    def __init__(
        self,
        handle: Callable[[Any], Any] | None = None,
        known: Sequence[Any] = (),
        named: Callable[[Any], str | None] | None = None,
    ) -> None:
        self._handle = handle
        self._named = named
        self._index_of = {id(value): index for index, value in enumerate(known)}
        self._numbers: dict[int, int] = {}
        self._open: set[int] = set()
        self._items = 0
        self.mutable: list[Any] = []  # by number; kept, so that no other value gets their ids

    def encode(self, value: Any, depth: int = 0) -> Any:
        """Return the JSON of a value.

        Raise `Unfit` if the value cannot cross the wire, and `WireError` if the value is too large
        or contains itself.
        """
        kind = type(value)
        if value is None or kind is bool or kind is float:
            return value
        if kind is int:
            if -SHORT < value < SHORT:
                return value
            if value.bit_length() > MAX_BITS:
                raise WireError(f"a number of {value.bit_length():,} bits is too long")
            return {"int": hex(value)}
        if kind is str:
            try:
                value.isascii() or value.encode()
            except UnicodeEncodeError:
                return {"str": value.encode("utf-8", "surrogatepass").hex()}
            return value
        if depth > MAX_DEPTH:
            raise WireError(f"a value is nested more than {MAX_DEPTH} deep")
        if kind in _CONTAINERS:
            self._items += len(value)
            if self._items > MAX_ITEMS:
                raise WireError(f"more than {MAX_ITEMS:,} values are too many")
        if kind in (list, dict, set):
            return self._mutable(value, self._content, value, kind, depth + 1)
        if kind in (tuple, frozenset):
            return {kind.__name__: [self.encode(item, depth + 1) for item in value]}
        if kind is bytes:
            return {"bytes": value.hex()}
        return self._other(value, kind, depth)

    def _mutable(self, value: Any, encoded: Callable[..., Any], *arguments: Any) -> Any:
        key = id(value)
        if key in self._open:
            raise WireError("a value holds itself")
        if key in self._numbers:
            return {"ref": self._numbers[key]}
        self._numbers[key] = len(self._numbers)
        self.mutable.append(value)
        self._open.add(key)
        content = encoded(*arguments)
        self._open.remove(key)
        return {"same": [self._index_of[key], content]} if key in self._index_of else content

    def _content(self, value: Any, kind: type, depth: int) -> Any:
        if kind is list:
            if set(map(type, value)) == _ONLY_INT and -SHORT < min(value) <= max(value) < SHORT:
                return list(value)
            return [self.encode(item, depth) for item in value]
        if kind is set:
            return {"set": [self.encode(item, depth) for item in value]}
        pairs = value.items()
        return {"dict": [[self.encode(k, depth), self.encode(v, depth)] for k, v in pairs]}

    def _other(self, value: Any, kind: type, depth: int) -> Any:
        """Return the JSON of a value that `encode` does not write itself.

        A value with a `Kind` is written as a list of its parts, a class or function that the other
        side finds in a library as its full name, and any other value as a handle. If its class
        extends a plain type, the plain value is written beside the handle, or alone if there is no
        handle. Raise `Unfit` if there is no way to write the value.
        """
        if (found := kind_of(kind)) is not None:
            if found[1].renew is not None:
                return self._mutable(value, self._parts, value, *found, depth + 1)
            return self._parts(value, *found, depth + 1)
        if self._named is not None and (name := self._named(value)) is not None:
            return {"named": name}
        exact = next((exact for plain, exact in _EXACT if issubclass(kind, plain)), None)
        plain = None if exact is None else self.encode(exact(value), depth)
        try:
            if self._handle is None:
                raise Unfit(f"a value of type {kind.__name__} cannot be handed over")
            handle = self._handle(value)
        except (Unfit, TypeError):
            if plain is None:
                raise
            return plain
        return {"handle": handle} if plain is None else {"either": [handle, plain]}

    def _parts(self, value: Any, tag: str, kind: Kind, depth: int) -> Any:
        parts = kind.parts(value)
        if not kind.takes(parts):
            raise Unfit(f"a {tag} like this one cannot be handed over")
        handle = self._handle
        if is_of_a_library(tag):
            self._handle = None
        try:
            return {tag: [self.encode(part, depth) for part in parts]}
        finally:
            self._handle = handle


_EXACT: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (int, int.__pos__),
    (float, float.__pos__),
    (complex, complex.__pos__),
    (str, str.__str__),
    (bytes, lambda value: bytes.__getitem__(value, slice(None))),
    (list, lambda value: list.__getitem__(value, slice(None))),
    (tuple, lambda value: tuple(tuple.__iter__(value))),
    (dict, lambda value: dict(dict.items(value))),
    (set, lambda value: set(set.__iter__(value))),
    (frozenset, lambda value: frozenset(frozenset.__iter__(value))),
)


class _OtherWay(Exception):  # noqa: N818 — nothing is wrong
    """A signal that only an `Encoder` can write a value: it is not plain, or repeats a list."""


def encoded(value: Any, encoder: Callable[[], Encoder] = Encoder) -> Any:
    """Return the JSON of a value; if the value is not plain, use a new encoder, `encoder()`.

    A value is plain if it is JSON as it is, and no list comes twice in it.

    >>> encoded([[2, 0], "left"]), encoded([(2, 0)])
    ([[2, 0], 'left'], [{'tuple': [2, 0]}])
    """
    try:
        return _copied(value, set(), 0)
    except _OtherWay:
        return encoder().encode(value)


def _copied(value: Any, met: set[int], depth: int) -> Any:
    """Return a copy of a plain value; `met` are the ids of the lists that have come so far."""
    kind = type(value)
    if kind is list:
        if id(value) in met or depth > _DEPTH or len(value) > _WIDTH:
            raise _OtherWay
        met.add(id(value))
        kinds = set(map(type, value))
        if kinds == _ONLY_INT:
            if -SHORT < min(value) <= max(value) < SHORT:
                return value[:]
            raise _OtherWay
        if kinds == _ONLY_LIST and sum(map(len, value)) <= _WIDTH:  # perhaps a board
            cells = list(chain.from_iterable(value))
            if set(map(type, cells)) == _ONLY_INT and -SHORT < min(cells) <= max(cells) < SHORT:
                before = len(met)
                met.update(map(id, value))
                if len(met) < before + len(value):
                    raise _OtherWay
                return [row[:] for row in value]
        return [_copied(item, met, depth + 1) for item in value]
    is_own_json = (
        (value is None or kind is bool or kind is float)
        or (kind is int and -SHORT < value < SHORT)
        or (kind is str and value.isascii())
    )
    if not is_own_json:
        raise _OtherWay
    return value
