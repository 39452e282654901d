"""Values beyond the plainest: of which parts each kind is made, and how it is made of them again.

A value of such a kind crosses as `{"its tag": [part, part, …]}`. The parts are values themselves.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any, NamedTuple

# numpy and pandas are imported only where a value of theirs is met; they need not be installed.
_FILES = {"numpy": "arrays", "pandas": "tables", "autograder.wire.tables": "tables"}
_FILES_OF_TAGS = {
    **dict.fromkeys(("array", "numpy scalar", "dtype", "Generator"), "arrays"),
    **dict.fromkeys(("column", "frame", "series", "RangeIndex", "MultiIndex", "index"), "tables"),
    **dict.fromkeys(("Timestamp", "Timedelta", "NA", "NaT"), "tables"),
    **dict.fromkeys(("pandas dtype", "category dtype"), "tables"),
}


class Kind(NamedTuple):
    """One type of values that cross by their parts.

    `parts` takes a value apart, or raises `Unfit`. `make` puts parts together again, or raises an
    error; they are of exactly the types `of`, if it says any. `renew` makes the first value what
    the second is; `None` where values of this kind never change.
    """

    type: type
    parts: Callable[[Any], Sequence[Any]]
    make: Callable[..., Any]
    of: tuple[Any, ...] = ()
    renew: Callable[[Any, Any], None] | None = None

    def takes(self, parts: Sequence[Any]) -> bool:
        """Return true if these parts are of the right types."""
        return not self.of or all(type(part) in self.of for part in parts)


def refill(value: Any, now: Any) -> None:
    """Give a container the content of another one."""
    value.clear()
    (value.update if hasattr(value, "update") else value.extend)(now)


def kind_of(type_: type) -> tuple[str, Kind] | None:
    """The tag and the kind of values of exactly this type, if there is one."""
    found = _kinds("library")[1].get(type_)
    if found is None and type(home := type_.__module__) is str:
        file = _FILES.get(home) or _FILES.get(home.partition(".")[0])
        found = None if file is None else _kinds(file)[1].get(type_)
    return found


def kind_of_tag(tag: str) -> Kind | None:
    """The kind of a tag; raises `ImportError` where the library it is from is not installed."""
    return _kinds(_FILES_OF_TAGS.get(tag, "library"))[0].get(tag)


@lru_cache
def _kinds(file: str) -> tuple[dict[str, Kind], dict[type, tuple[str, Kind]]]:
    """The kinds in a file by their tags, and by the types of values with their tags."""
    module = import_module(f"autograder.wire.{file}")
    kinds: dict[str, Kind] = module.KINDS
    by_type = {kind.type: (tag, kind) for tag, kind in kinds.items()}
    more: dict[type, str] = getattr(module, "TAGS", {})
    return kinds, by_type | {type_: (tag, kinds[tag]) for type_, tag in more.items()}
