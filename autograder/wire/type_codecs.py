"""Kinds: each says how values of one type are taken apart to cross the wire, and made again.

A value crosses as `{"the tag of its kind": [part, part, …]}`. The parts are values themselves. The
kinds of Python's own library stand here, those of numpy in `numpy_codecs.py`, those of pandas in
`pandas_codecs.py`.
"""

import struct
from array import array
from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, UserString, deque
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from importlib import import_module
from pathlib import PurePosixPath
from random import Random
from types import FrameType, MappingProxyType, NoneType
from typing import Any, NamedTuple

from autograder.wire.frames import Unfit

# numpy and pandas are imported only if one of their values comes; they need not be installed.
_FILES = {
    "numpy": "numpy_codecs",
    "pandas": "pandas_codecs",
    "autograder.wire.pandas_codecs": "pandas_codecs",
}
_OF_NUMPY = ("array", "numpy scalar", "dtype")
_OF_PANDAS = (
    *("column", "frame", "series", "RangeIndex", "MultiIndex", "index", "extension array"),
    *("Timestamp", "Timedelta", "NA", "NaT", "category"),
)
_MAX_STEPS = 10**7  # of a range, because a test may make a list of it
# A Decimal that is compared with a Fraction is first written out as a whole number.
_MAX_EXPONENT, _MAX_DIGITS = 10_000, 5_000
_STATE_VERSION = 3
_WORDS = struct.Struct("<625I")
_DICT: dict[Any, Any] = {}


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
    """Replace the content of the container `value` with the content of `now`."""
    value.clear()
    (value.update if hasattr(value, "update") else value.extend)(now)


def kind_of(type_: type) -> tuple[str, Kind] | None:
    """Return the tag and the kind for values of exactly this type, or `None`."""
    found = _OF_PYTHON.get(type_)
    if found is None and type(home := type_.__module__) is str:
        file = _FILES.get(home) or _FILES.get(home.partition(".")[0])
        found = None if file is None else _kinds(file)[1].get(type_)
    return found


def kind_of_tag(tag: str) -> Kind | None:
    """Return the kind with this tag, or `None`; raise `ImportError` if its library is missing."""
    if is_of_a_library(tag):
        return _kinds("numpy_codecs" if tag in _OF_NUMPY else "pandas_codecs")[0].get(tag)
    return _KINDS.get(tag)


def is_of_a_library(tag: str) -> bool:
    """Return true if the kind with this tag is numpy's or pandas's.

    Values of these kinds hold plain data only: numpy would call methods of a student's object.
    """
    return tag in _OF_NUMPY or tag in _OF_PANDAS


@lru_cache
def _kinds(file: str) -> tuple[dict[str, Kind], dict[type, tuple[str, Kind]]]:
    """Return two dictionaries for a library's kinds: tag → kind, and type → (tag, kind)."""
    module = import_module(f"autograder.wire.{file}")
    kinds: dict[str, Kind] = module.KINDS
    by_type = {kind.type: (tag, kind) for tag, kind in kinds.items()}
    return kinds, by_type | {type_: (tag, kinds[tag]) for type_, tag in module.TAGS.items()}


def is_loading(frame: FrameType | None) -> bool:
    """Return true if the code of this stack frame runs because a file of kinds is imported."""
    while frame is not None and frame.f_code is not _kinds.__wrapped__.__code__:
        frame = frame.f_back
    return frame is not None


def _bounded(value: Decimal) -> Decimal:
    if abs(value.adjusted()) > _MAX_EXPONENT or len(value.as_tuple().digits) > _MAX_DIGITS:
        raise Unfit("a Decimal is too large or too small")
    return value


def _short(value: range) -> range:
    if abs(value.stop - value.start) > _MAX_STEPS * abs(value.step):
        raise Unfit("a range is too long")
    return value


def _moment(it: datetime) -> list[Any]:
    """Return the parts of a datetime; `Kind.takes` refuses the last one if it is a time zone."""
    day = [it.fold, it.year, it.month, it.day]
    return [*day, it.hour, it.minute, it.second, it.microsecond, it.tzinfo]


def _bytes(value: memoryview) -> list[bytes]:
    if value.format != "B" or value.ndim != 1:
        raise Unfit("a view of other values than bytes cannot be handed over")
    return [value.tobytes()]


def _renew_array(value: Any, now: Any) -> None:
    value[:] = now


def _state(value: Random) -> list[Any]:
    _version, words, gauss = value.getstate()
    return [_WORDS.pack(*words).hex(), gauss]


def _random(words: str, gauss: float | None) -> Random:
    value = Random.__new__(Random)  # without a seed of its own
    value.setstate((_STATE_VERSION, _words(words), gauss))
    return value


@lru_cache(maxsize=1024)  # tests pass the same `Random` to many functions
def _words(text: str) -> tuple[int, ...]:
    return _WORDS.unpack(bytes.fromhex(text))


_KINDS = {
    "complex": Kind(complex, lambda it: [it.real, it.imag], complex, (float,)),
    "Fraction": Kind(Fraction, lambda it: [it.numerator, it.denominator], Fraction, (int,)),
    "Decimal": Kind(
        Decimal, lambda it: [str(_bounded(it))], lambda text: _bounded(Decimal(text)), (str,)
    ),
    "date": Kind(date, lambda it: [it.year, it.month, it.day], date, (int,)),
    "datetime": Kind(
        datetime, _moment, lambda fold, *parts: datetime(*parts, fold=fold), (int, NoneType)
    ),
    "timedelta": Kind(
        timedelta, lambda it: [it.days, it.seconds, it.microseconds], timedelta, (int,)
    ),
    "range": Kind(
        range,
        lambda it: [_short(it).start, it.stop, it.step],
        lambda *parts: _short(range(*parts)),
        (int,),
    ),
    "Counter": Kind(Counter, lambda it: [dict(it)], Counter, (dict,), refill),
    "OrderedDict": Kind(OrderedDict, lambda it: [dict(it)], OrderedDict, (dict,), refill),
    "deque": Kind(deque, lambda it: [list(it), it.maxlen], deque, (list, int, NoneType), refill),
    "UserDict": Kind(UserDict, lambda it: [it.data], UserDict, (dict,), refill),
    "UserList": Kind(UserList, lambda it: [it.data], UserList, (list,), refill),
    "UserString": Kind(UserString, lambda it: [it.data], UserString, (str,)),
    "mappingproxy": Kind(MappingProxyType, lambda it: [dict(it)], MappingProxyType, (dict,)),
    "ChainMap": Kind(ChainMap, lambda it: it.maps, ChainMap, (dict,)),
    "bytearray": Kind(bytearray, lambda it: [bytes(it)], bytearray, (bytes,), _renew_array),
    "memoryview": Kind(memoryview, _bytes, memoryview, (bytes,)),
    "numbers": Kind(array, lambda it: [it.typecode, it.tolist()], array, (str, list), _renew_array),
    "path": Kind(PurePosixPath, lambda it: [str(it)], PurePosixPath, (str,)),
    "keys": Kind(type(_DICT.keys()), lambda it: [dict.fromkeys(it)], dict.keys, (dict,)),
    "values": Kind(
        type(_DICT.values()),
        lambda it: [list(it)],
        lambda content: dict(enumerate(content)).values(),
        (list,),
    ),
    "items": Kind(type(_DICT.items()), lambda it: [dict(it)], dict.items, (dict,)),
    "random": Kind(
        Random,
        _state,
        _random,
        (str, float, NoneType),
        lambda value, now: value.setstate(now.getstate()),
    ),
}
_OF_PYTHON = {kind.type: (tag, kind) for tag, kind in _KINDS.items()}
