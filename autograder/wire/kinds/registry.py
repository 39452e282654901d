"""All kinds, found by the type of a value or by the tag on the wire.

numpy and pandas are imported only where a value of theirs is met; they need not be installed.
"""

from functools import lru_cache
from importlib import import_module
from types import ModuleType

from autograder.wire.kinds import collections, numbers, times
from autograder.wire.kinds.kind import Kind

_ALWAYS: tuple[ModuleType, ...] = (numbers, times, collections)
_LATER = {"numpy": "arrays", "pandas": "tables"}
_LATER_TAGS = {
    "arrays": ("array", "numpy scalar", "dtype", "Generator"),
    "tables": (
        *("column", "frame", "series", "RangeIndex", "MultiIndex", "index"),
        *("Timestamp", "Timedelta", "NA", "NaT", "pandas dtype", "category dtype"),
    ),
}

_BY_TAG: dict[object, Kind] = {tag: kind for room in _ALWAYS for tag, kind in room.KINDS.items()}
_BY_TYPE = {kind.type: (str(tag), kind) for tag, kind in _BY_TAG.items()}


def kind_of(type_: type) -> tuple[str, Kind] | None:
    """The tag and the kind of values of exactly this type, if there is one."""
    found = _BY_TYPE.get(type_)
    if found is None and (room := _LATER.get(_package(type_) or "")) is not None:
        found = _loaded(room).get(type_)
    return found


def kind_of_tag(tag: object) -> Kind | None:
    """The kind of a tag; raises `ImportError` where the library it is from is not installed."""
    if (kind := _BY_TAG.get(tag)) is not None:
        return kind
    for room, tags in _LATER_TAGS.items():
        if tag in tags:
            kinds: dict[object, Kind] = _room(room).KINDS
            return kinds[tag]
    return None


def _package(type_: type) -> str | None:
    home = type_.__module__
    if type(home) is not str:
        return None
    return "pandas" if home == "autograder.wire.kinds.tables" else home.partition(".")[0]


@lru_cache
def _loaded(room: str) -> dict[type, tuple[str, Kind]]:
    module = _room(room)
    found = {kind.type: (tag, kind) for tag, kind in module.KINDS.items()}
    return found | {type_: (tag, module.KINDS[tag]) for type_, tag in module.TAGS.items()}


def _room(room: str) -> ModuleType:
    return import_module(f"autograder.wire.kinds.{room}")
