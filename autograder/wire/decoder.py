"""The decoder makes values from the JSON that `encoder.py` writes; it trusts nothing that it reads.

A tag is the one key of a JSON object that says what type of value it describes.
"""

from collections.abc import Callable, Sequence
from typing import Any

from autograder.wire.budget import (
    CONTAINER,
    HANDLE,
    ITEM,
    PARTS,
    SCALAR,
    Budget,
    may_collide,
    refuse_collisions,
)
from autograder.wire.encoder import MAX_BITS, MAX_DEPTH
from autograder.wire.frames import WireError
from autograder.wire.type_codecs import Kind, is_of_a_library, kind_of, kind_of_tag, refill

_SIMPLE = frozenset((bool, int, float, str))
_ONLY_INT = {int}


class Decoder:
    """A decoder for the values of one message; each value gets exactly the type that it had.

    `handle` returns the object to which the JSON of a handle refers, or raises `WireError`.
    `originals` are the mutable values that were passed in with the call, to which the tag `same`
    refers; they change only on `commit`. `budget` counts the cost of all values that are made;
    several decoders may share a budget. `find` returns the class or function of a library by its
    name; without `find`, names are refused.

    A value that is sent both as a handle and as plain data becomes the object of the handle if
    `is_object` returns true. While the arguments of a call are decoded, as the call left them, the
    user of this class sets `is_result` to false.
    """

    def __init__(
        self,
        handle: Callable[[Any], Any] | None = None,
        originals: Sequence[Any] = (),
        budget: Budget | None = None,
        find: Callable[[Any], Any] | None = None,
        is_object: Callable[[], bool] = bool,
    ) -> None:
        self._handle = handle
        self._originals = originals
        self._find = find
        self._is_object = is_object
        self._budget = budget if budget is not None else Budget()
        self._staged: dict[int, tuple[Any, Any]] = {}
        self._sizes: dict[int, int] = {}
        self._open: set[int] = set()
        self._objects = 0  # decoded so far; they stay in the program
        self.is_result = True
        self._may_collide: list[Any] = []
        self.mutable: list[Any] = []

    def decode(self, data: Any) -> Any:
        """Return the value that `data` describes; raise `WireError` if it describes none."""
        value = self._decode(data, 0)
        refuse_collisions(self._may_collide)
        self._may_collide.clear()
        return value

    def commit(self) -> None:
        """Change the originals as the other side has changed its copies of them.

        Raise `WireError` if an original cannot be changed in this way.
        """
        for original, now in self._staged.values():
            found = kind_of(type(original))
            renew = found[1].renew if found is not None else None
            try:
                (renew or refill)(original, now)
            except Exception as error:
                why = f"what was passed in cannot change so: {type(error).__name__}"
                raise WireError(why) from None

    def _decode(self, data: Any, depth: int) -> Any:
        kind = type(data)
        if data is None or kind in _SIMPLE:
            return self._scalar(data, kind)
        if depth > MAX_DEPTH + 1:
            raise WireError("the value is nested too deeply")
        if kind is list:
            return self._changeable(lambda: self._items(data, depth + 1))
        if kind is not dict or len(data) != 1:
            raise WireError("this is not the JSON of a value")
        [(tag, content)] = data.items()
        try:
            if (decode := _TAGS.get(tag)) is not None:
                return decode(self, content, depth + 1)
            if (parted := kind_of_tag(tag)) is not None:
                return self._by_parts(content, tag, parted, depth + 1)
        except WireError:
            raise
        except Exception as error:
            raise WireError(f"this is no {str(tag)[:20]}: {type(error).__name__}") from None
        raise WireError("there is no such kind of value")

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

    def _changeable(self, make: Callable[[], Any]) -> Any:
        """Return the mutable value that `make` returns, and give it a number.

        Later in the message, the tag `ref` with this number stands for the value. Inside of the
        value itself, this `ref` is refused, so that no value contains itself.
        """
        number, before = len(self.mutable), self._budget.spent
        self.mutable.append(None)
        self._open.add(number)
        value = self.mutable[number] = make()
        self._open.remove(number)
        self._sizes[number] = self._budget.spent - before
        return value

    def _as_key(self, value: Any) -> Any:
        """Return the value; note it as a possible key, so that `decode` checks its hash."""
        self._may_collide.append(value)
        return value

    def _items(self, content: Any, depth: int) -> list[Any]:
        if type(content) is not list:
            raise WireError("a list is missing")
        self._budget.spend(CONTAINER + ITEM * len(content))
        if set(map(type, content)) == _ONLY_INT:
            ends = (min(content), max(content))
            if not any(map(may_collide, ends)):
                self._budget.spend(SCALAR * len(content) + 2 * sum(map(int.bit_length, content)))
                return content[:]
        return [
            self._scalar(item, type(item))
            if item is None or type(item) in _SIMPLE
            else self._decode(item, depth)
            for item in content
        ]

    def _keys(self, keys: list[Any], depth: int) -> list[Any]:
        """Return decoded keys; raise `WireError` if they cost too much or too many share a hash."""
        decoded = [self._decode(key, depth) for key in keys]
        refuse_collisions(filter(may_collide, decoded))
        self._budget.spend_keys(decoded)
        return decoded

    def _pairs(self, content: list[list[Any]], depth: int) -> dict[Any, Any]:
        keys = self._keys([key for key, _ in content], depth)
        items = (self._decode(item, depth) for _, item in content)
        return dict(zip(keys, items, strict=True))

    def _tuple(self, content: Any, depth: int) -> Any:
        before = self._objects
        value = tuple(self._items(content, depth))
        # Only the program knows the hash of its object, so a tuple with one is no key.
        return self._as_key(value) if self._objects == before else value

    def _by_parts(self, content: Any, tag: str, kind: Kind, depth: int) -> Any:
        self._budget.spend(PARTS)

        def make() -> Any:
            before = self._objects
            parts = self._items(content, depth)
            if not kind.takes(parts):
                raise WireError("a part of a value is of another type")
            if self._objects > before and is_of_a_library(tag):
                raise WireError("an array or a table holds an object")
            return kind.make(*parts)

        return self._as_key(make()) if kind.renew is None else self._changeable(make)

    def _named(self, content: Any, depth: int) -> Any:
        if self._find is None:
            raise WireError("there are no names here")
        self._budget.spend(SCALAR)
        return self._find(content)

    def _int(self, content: Any, _depth: int) -> int:
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
        """Return a value that was passed in with the call; `commit` gives it its new content."""
        index, now = content
        if type(index) is not int or not 0 <= index < len(self._originals):
            raise WireError("nothing like this was passed in")
        original, number = self._originals[index], len(self.mutable)
        if index in self._staged or type(now) not in (list, dict):
            raise WireError("what was passed in comes back twice, or not at all")
        for tag in now if type(now) is dict else ():
            found = kind_of_tag(tag)
            is_mutable = found is not None and found.renew is not None
            if not is_mutable and tag not in ("set", "dict"):
                raise WireError("what was passed in comes back as something else")
        value = self._decode(now, depth)
        if index in self._staged or type(value) is not type(original):
            raise WireError("what was passed in comes back as something else")
        self._staged[index] = (original, value)
        self.mutable[number] = original
        return original

    def _either(self, content: Any, depth: int) -> Any:
        """Return the object of a handle if `is_object` wants one, else the plain data beside it."""
        handle, plain = content
        value = self._decode(plain, depth)  # always, because a later `ref` may name a value in it
        return self._handle_of(handle, depth) if self._is_object() else value

    def _handle_of(self, content: Any, depth: int) -> Any:
        if self._handle is None:
            raise WireError("there are no handles here")
        self._budget.spend(HANDLE)
        self._objects += 1
        return self._handle(content)


_TAGS: dict[str, Callable[[Decoder, Any, int], Any]] = {
    "int": Decoder._int,
    "str": Decoder._str,
    "bytes": Decoder._bytes,
    "tuple": Decoder._tuple,
    "set": lambda it, content, depth: it._changeable(lambda: set(it._keys(content, depth))),
    "frozenset": lambda it, content, depth: it._as_key(frozenset(it._keys(content, depth))),
    "dict": lambda it, content, depth: it._changeable(lambda: it._pairs(content, depth)),
    "ref": Decoder._ref,
    "same": Decoder._same,
    "handle": Decoder._handle_of,
    "either": Decoder._either,
    "named": Decoder._named,
}
