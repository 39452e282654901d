"""Kinds: each says how values of one type are taken apart to cross the wire, and made again.

A value crosses as `{"the tag of its kind": [part, part, …]}`. The parts are values themselves.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib import import_module
from types import FrameType
from typing import Any, NamedTuple

# numpy and pandas are imported only if one of their values comes; they need not be installed.
_FILES = {"numpy": "arrays", "pandas": "tables", "autograder.wire.tables": "tables"}
_FILES_OF_TAGS = {
    **dict.fromkeys(("array", "numpy scalar", "dtype", "Generator"), "arrays"),
    **dict.fromkeys(("column", "frame", "series", "RangeIndex", "MultiIndex", "index"), "tables"),
    **dict.fromkeys(("Timestamp", "Timedelta", "NA", "NaT"), "tables"),
    **dict.fromkeys(("pandas dtype", "category dtype"), "tables"),
}


class Kind(NamedTuple):
    """The way in which values of one type cross: as a list of parts.

    `parts` returns the parts of a value, or raises `Unfit`. `make` returns a value made from parts,
    or raises an error. Each part must be of exactly one of the types in `of`, unless `of` is empty.
    `renew` changes its first argument in place, so that it equals the second; it is `None` if
    values of this type are immutable.
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
    """Replace the content of a container with that of `now`."""
    value.clear()
    (value.update if hasattr(value, "update") else value.extend)(now)


def kind_of(type_: type) -> tuple[str, Kind] | None:
    """Return the tag and the kind for values of exactly this type, or `None`."""
    found = _kinds("standard_library")[1].get(type_)
    if found is None and type(home := type_.__module__) is str:
        file = _FILES.get(home) or _FILES.get(home.partition(".")[0])
        found = None if file is None else _kinds(file)[1].get(type_)
    return found


def kind_of_tag(tag: str) -> Kind | None:
    """Return the kind with this tag, or `None`; raise `ImportError` if its library is missing."""
    return _kinds(_FILES_OF_TAGS.get(tag, "standard_library"))[0].get(tag)


@lru_cache
def _kinds(file: str) -> tuple[dict[str, Kind], dict[type, tuple[str, Kind]]]:
    """Return two dictionaries for a module of kinds: tag → kind, and type → (tag, kind)."""
    module = import_module(f"autograder.wire.{file}")
    kinds: dict[str, Kind] = module.KINDS
    by_type = {kind.type: (tag, kind) for tag, kind in kinds.items()}
    more: dict[type, str] = getattr(module, "TAGS", {})
    return kinds, by_type | {type_: (tag, kinds[tag]) for type_, tag in more.items()}


def is_loading(frame: FrameType | None) -> bool:
    """Return true if the code of this frame runs because a file of kinds is imported."""
    while frame is not None and frame.f_code is not _kinds.__wrapped__.__code__:
        frame = frame.f_back
    return frame is not None
