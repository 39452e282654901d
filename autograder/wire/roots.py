"""Variables that a test reads: what changes in one of them on one side, changes on the other.

Both sides have one of these, and tell each other what is new since they last spoke. Only plain
values need it; objects stay where they are. A value changes in place, so that whoever else has it
sees it, too.
"""

from collections.abc import Callable, Iterable, MutableMapping
from contextlib import suppress
from typing import Any

from autograder.wire.decoder import Decoder
from autograder.wire.encoder import Encoder
from autograder.wire.frames import WireError
from autograder.wire.renewal import renew, renewable

_NONE = object()


class Roots:
    """The values that the watched names have in a namespace, as the other side knows them."""

    def __init__(self) -> None:
        self._namespace: MutableMapping[str, Any] = {}
        self._values: dict[str, Any] = {}
        self._data: dict[str, Any] = {}

    def begin(self, namespace: MutableMapping[str, Any]) -> None:
        """Another test begins: no name is watched."""
        self._namespace = namespace
        self._values, self._data = {}, {}

    def watch(self, names: Iterable[str], encoder: Callable[[], Encoder]) -> None:
        """From now on changes of these names count, bound or not."""
        for name in names:
            self._note(name, self._namespace.get(name, _NONE), encoder)

    def changed(self, encoder: Callable[[], Encoder], may_bind: bool) -> dict[str, Any]:
        """The JSON of what has changed in place, and where names `may_bind` anew, of those."""
        found = {}
        for name, before in self._values.items():
            value = self._namespace.get(name, _NONE) if may_bind else before
            if value is not before or name in self._data:
                data = _encoded(value, encoder)
                if data is not None and (value is not before or data != self._data[name]):
                    found[name] = data
                if value is not before or data is not None:
                    self._values[name] = value
                    self._keep(name, value, data)
        return found

    def take(
        self, said: Any, decoder: Callable[[str], Decoder], encoder: Callable[[], Encoder]
    ) -> None:
        """What has changed on the other side; raises `WireError` if it makes no sense.

        Names that are not watched here stay what they are.
        """
        if type(said) is not dict:
            raise WireError("these are no names")
        for name in said.keys() & self._values.keys():
            data = said[name]
            now, before = decoder(name).decode(data), self._values[name]
            if type(now) is type(before) and renewable(before):
                renew(before, now)
                now = before
            elif self._namespace.get(name, _NONE) is before:
                self._namespace[name] = now
            else:
                continue  # the name has another meaning here meanwhile
            self._note(name, now, encoder)

    def _note(self, name: str, value: Any, encoder: Callable[[], Encoder]) -> None:
        self._values[name] = value
        self._keep(name, value, _encoded(value, encoder) if renewable(value) else None)

    def _keep(self, name: str, value: Any, data: Any) -> None:
        """Only of what may change in place, its JSON is looked at again."""
        self._data.pop(name, None)
        if data is not None and renewable(value):
            self._data[name] = data


def _encoded(value: Any, encoder: Callable[[], Encoder]) -> Any:
    """The JSON of a value; `None` where there is none."""
    if value is _NONE:
        return None
    with suppress(Exception):  # it can not cross, or a class of the student's keeps it from that
        return encoder().encode(value)
    return None
