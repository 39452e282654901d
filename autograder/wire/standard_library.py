"""The kinds of values that Python's standard library has: numbers, times, containers, `Random`.

A kind says how values of one type are taken apart to cross the wire, and made again:
`type_codecs.py`.
"""

import struct
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from random import Random
from types import NoneType
from typing import Any
from zoneinfo import ZoneInfo

from autograder.wire.frames import Unfit
from autograder.wire.type_codecs import Kind, refill

MAX_STEPS = 10**7  # of a range, because a test may make a list of it
# A Decimal that is compared with a Fraction is first written out as a whole number.
MAX_EXPONENT, MAX_DIGITS = 10_000, 5_000
_MOST_FIELDS = 100  # of a named tuple
_LONGEST = 100  # characters of a name
_STATE_VERSION = 3
_WORDS = struct.Struct("<625I")

_FACTORIES = {kind.__name__: kind for kind in (int, float, str, list, dict, set, tuple, bool)}
_DICT: dict[Any, Any] = {}
_OF_ALL = frozenset(vars(namedtuple("_", ()))) | {
    *("__annotations__", "__orig_bases__", "__annotate__", "__annotate_func__"),
    *("__annotations_cache__", "__firstlineno__", "__static_attributes__"),
}


def _bounded(value: Decimal) -> Decimal:
    if abs(value.adjusted()) > MAX_EXPONENT or len(value.as_tuple().digits) > MAX_DIGITS:
        raise Unfit("a Decimal is too large or too small")
    return value


def _short(value: range) -> range:
    if abs(value.stop - value.start) > MAX_STEPS * abs(value.step):
        raise Unfit("a range is too long")
    return value


def _clock(value: datetime | time) -> list[Any]:
    return [value.hour, value.minute, value.second, value.microsecond, value.tzinfo]


def _factory(value: defaultdict[Any, Any]) -> str:
    """Return the name of the factory of a `defaultdict`.

    The name is empty if there is no factory, or if the factory cannot cross, such as a function of
    the student's own.
    """
    return next((name for name, kind in _FACTORIES.items() if kind is value.default_factory), "")


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


def parts_of_named_tuple(value: tuple[Any, ...]) -> list[Any] | None:
    """Return the class name, the field names and the values of a named tuple.

    Return `None` if the value is no named tuple, or if its class has methods of its own.
    """
    kind = type(value)
    fields = getattr(kind, "_fields", None)
    if kind.__bases__ != (tuple,) or type(fields) is not tuple:
        return None
    if not set(vars(kind)) <= _OF_ALL | set(fields):
        return None
    return [kind.__name__, list(fields), list(tuple.__iter__(value))]


def _named_tuple(name: str, fields: list[Any], values: list[Any]) -> Any:
    if len(fields) > _MOST_FIELDS or any(
        type(field) is not str or len(field) > _LONGEST for field in (name, *fields)
    ):
        raise ValueError("this is no named tuple")
    return _class_of(name, tuple(fields))._make(values)


@lru_cache(maxsize=256)
def _class_of(name: str, fields: tuple[str, ...]) -> Any:
    return namedtuple(name, fields)


_CLOCK = (int, NoneType, timezone, ZoneInfo)

KINDS = {
    "complex": Kind(complex, lambda it: [it.real, it.imag], complex, (float,)),
    "Fraction": Kind(Fraction, lambda it: [it.numerator, it.denominator], Fraction, (int,)),
    "Decimal": Kind(
        Decimal, lambda it: [str(_bounded(it))], lambda text: _bounded(Decimal(text)), (str,)
    ),
    "date": Kind(date, lambda it: [it.year, it.month, it.day], date, (int,)),
    "datetime": Kind(
        datetime,
        lambda it: [it.fold, it.year, it.month, it.day, *_clock(it)],
        lambda fold, *parts: datetime(*parts, fold=fold),
        _CLOCK,
    ),
    "time": Kind(
        time,
        lambda it: [it.fold, *_clock(it)],
        lambda fold, *parts: time(*parts, fold=fold),
        _CLOCK,
    ),
    "timedelta": Kind(
        timedelta, lambda it: [it.days, it.seconds, it.microseconds], timedelta, (int,)
    ),
    "timezone": Kind(timezone, lambda it: it.__getinitargs__(), timezone, (timedelta, str)),
    "ZoneInfo": Kind(ZoneInfo, lambda it: [it.key], ZoneInfo, (str,)),
    "range": Kind(
        range,
        lambda it: [_short(it).start, it.stop, it.step],
        lambda *parts: _short(range(*parts)),
        (int,),
    ),
    "Counter": Kind(Counter, lambda it: [dict(it)], Counter, (dict,), refill),
    "OrderedDict": Kind(OrderedDict, lambda it: [dict(it)], OrderedDict, (dict,), refill),
    "defaultdict": Kind(
        defaultdict,
        lambda it: [_factory(it), dict(it)],
        lambda factory, content: defaultdict(_FACTORIES.get(factory), content),
        (str, dict),
        refill,
    ),
    "deque": Kind(deque, lambda it: [list(it), it.maxlen], deque, (list, int, NoneType), refill),
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
    "named tuple": Kind(
        tuple, lambda it: parts_of_named_tuple(it) or [], _named_tuple, (str, list)
    ),
}
