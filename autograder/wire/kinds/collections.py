"""Containers of Python's library: Counter, deque, views of dicts, and others."""

from collections import Counter, OrderedDict, defaultdict, deque
from typing import Any

from autograder.wire.frames import Unfit
from autograder.wire.kinds.kind import Kind, exactly

MAX_STEPS = 10**7  # of a range: a test may well make a list of it

_FACTORIES = {kind.__name__: kind for kind in (int, float, str, list, dict, set, tuple, bool)}
_DICT: dict[Any, Any] = {}
_KEYS, _VALUES, _ITEMS = type(_DICT.keys()), type(_DICT.values()), type(_DICT.items())


def _renew_dict(value: dict[Any, Any], now: dict[Any, Any]) -> None:
    value.clear()
    dict.update(value, now)


def _renew_defaultdict(value: defaultdict[Any, Any], now: defaultdict[Any, Any]) -> None:
    _renew_dict(value, now)
    value.default_factory = now.default_factory


def _renew_deque(value: deque[Any], now: deque[Any]) -> None:
    value.clear()
    value.extend(now)


def _counter(content: Any) -> Counter[Any]:
    counted: Counter[Any] = Counter()
    dict.update(counted, exactly(content, dict))
    return counted


def _defaultdict(factory: Any, content: Any) -> defaultdict[Any, Any]:
    """Return a defaultdict; a factory of the student's own, which stays in the jail, is missing."""
    return defaultdict(_FACTORIES.get(exactly(factory, str)), exactly(content, dict))


def _factory(value: defaultdict[Any, Any]) -> str:
    return next((name for name, kind in _FACTORIES.items() if kind is value.default_factory), "")


def _deque(content: Any, most: Any) -> deque[Any]:
    return deque(exactly(content, list), exactly(most, int, type(None)))


def _range_parts(value: range) -> list[int]:
    if abs(value.stop - value.start) > MAX_STEPS * abs(value.step):
        raise Unfit("a range is too long")
    return [value.start, value.stop, value.step]


def _range(*parts: Any) -> range:
    start, stop, step = (exactly(part, int) for part in parts)
    if abs(stop - start) > MAX_STEPS * abs(step):
        raise ValueError("a range is too long")
    return range(start, stop, step)


KINDS = {
    "range": Kind(range, _range_parts, _range),
    "Counter": Kind(Counter, lambda value: [dict(value)], _counter, _renew_dict),
    "OrderedDict": Kind(
        OrderedDict,
        lambda value: [dict(value)],
        lambda content: OrderedDict(exactly(content, dict)),
        _renew_dict,
    ),
    "defaultdict": Kind(
        defaultdict,
        lambda value: [_factory(value), dict(value)],
        _defaultdict,
        _renew_defaultdict,
    ),
    "deque": Kind(deque, lambda value: [list(value), value.maxlen], _deque, _renew_deque),
    "keys": Kind(
        _KEYS,
        lambda value: [dict.fromkeys(value)],
        lambda content: exactly(content, dict).keys(),
    ),
    "values": Kind(
        _VALUES,
        lambda value: [list(value)],
        lambda content: dict(enumerate(exactly(content, list))).values(),
    ),
    "items": Kind(
        _ITEMS, lambda value: [dict(value)], lambda content: exactly(content, dict).items()
    ),
}
