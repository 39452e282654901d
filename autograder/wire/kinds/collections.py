"""Containers of Python's library: Counter, deque, views of dicts, and others."""

from array import array
from collections import (
    ChainMap,
    Counter,
    OrderedDict,
    UserDict,
    UserList,
    UserString,
    defaultdict,
    deque,
)
from types import EllipsisType, MappingProxyType, NotImplementedType, SimpleNamespace
from typing import Any
from uuid import UUID

from autograder.wire.frames import Unfit
from autograder.wire.kinds.kind import Kind, exactly

_CODES = tuple("bBhHiIlLqQfd")
MAX_STEPS = 10**7  # of a range: a test may well make a list of it

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


def _renew_bytearray(value: bytearray, now: bytearray) -> None:
    value[:] = now


def _counter(content: Any) -> Counter[Any]:
    counted: Counter[Any] = Counter()
    dict.update(counted, exactly(content, dict))
    return counted


def _defaultdict(factory: Any, content: Any) -> defaultdict[Any, Any]:
    return defaultdict(factory, exactly(content, dict))


def _deque(content: Any, most: Any) -> deque[Any]:
    return deque(exactly(content, list), exactly(most, int, type(None)))


def _renew_user_list(value: UserList[Any], now: UserList[Any]) -> None:
    value.data[:] = now.data


def _renew_user_dict(value: UserDict[Any, Any], now: UserDict[Any, Any]) -> None:
    _renew_dict(value.data, now.data)


def _user_dict(content: Any) -> UserDict[Any, Any]:
    made: UserDict[Any, Any] = UserDict()
    made.data = exactly(content, dict)
    return made


def _chain(maps: Any) -> ChainMap[Any, Any]:
    return ChainMap(*(exactly(one, dict) for one in exactly(maps, list)))


def _renew_chain(value: ChainMap[Any, Any], now: ChainMap[Any, Any]) -> None:
    value.maps[:] = now.maps


def _namespace(content: Any) -> SimpleNamespace:
    return SimpleNamespace(**exactly(content, dict))


def _renew_namespace(value: SimpleNamespace, now: SimpleNamespace) -> None:
    _renew_dict(vars(value), vars(now))


def _array(code: Any, content: Any) -> Any:
    if exactly(code, str) not in _CODES:
        raise ValueError("there is no such array")
    made = array(code)
    made.frombytes(exactly(content, bytes))
    return made


def _renew_array(value: Any, now: Any) -> None:
    value[:] = now


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
    "slice": Kind(slice, lambda value: [value.start, value.stop, value.step], slice),
    "Ellipsis": Kind(EllipsisType, lambda _: [], lambda: ...),
    "NotImplemented": Kind(NotImplementedType, lambda _: [], lambda: NotImplemented),
    "UUID": Kind(UUID, lambda value: [value.int], lambda number: UUID(int=exactly(number, int))),
    "bytearray": Kind(
        bytearray,
        lambda value: [bytes(value)],
        lambda content: bytearray(exactly(content, bytes)),
        _renew_bytearray,
    ),
    "Counter": Kind(Counter, lambda value: [dict(value)], _counter, _renew_dict),
    "OrderedDict": Kind(
        OrderedDict,
        lambda value: [dict(value)],
        lambda content: OrderedDict(exactly(content, dict)),
        _renew_dict,
    ),
    "defaultdict": Kind(
        defaultdict,
        lambda value: [value.default_factory, dict(value)],
        _defaultdict,
        _renew_defaultdict,
    ),
    "deque": Kind(deque, lambda value: [list(value), value.maxlen], _deque, _renew_deque),
    "UserList": Kind(
        UserList,
        lambda value: [list(value.data)],
        lambda content: UserList(exactly(content, list)),
        _renew_user_list,
    ),
    "UserDict": Kind(UserDict, lambda value: [dict(value.data)], _user_dict, _renew_user_dict),
    "UserString": Kind(
        UserString, lambda value: [value.data], lambda content: UserString(exactly(content, str))
    ),
    "ChainMap": Kind(ChainMap, lambda value: [list(value.maps)], _chain, _renew_chain),
    "namespace": Kind(
        SimpleNamespace, lambda value: [dict(vars(value))], _namespace, _renew_namespace
    ),
    "array of numbers": Kind(
        array, lambda value: [value.typecode, value.tobytes()], _array, _renew_array
    ),
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
    "mappingproxy": Kind(
        MappingProxyType,
        lambda value: [dict(value)],
        lambda content: MappingProxyType(exactly(content, dict)),
    ),
}
