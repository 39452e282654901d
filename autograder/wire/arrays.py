"""The kinds of values that numpy has: arrays, scalars, dtypes and random generators.

A kind says how values of one type are taken apart to cross the wire, and made again:
`type_codecs.py`.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Iterable
from math import prod
from typing import Any

import numpy as np

from autograder.wire.frames import Unfit
from autograder.wire.type_codecs import Kind, kind_of

# Types of numbers, texts and dates, not of records. Objects are written as a tuple of plain values.
_DTYPE = re.compile(r"[<>|=][biufcSUmM]\d{1,6}(?:\[\d{0,4}[a-zA-Zμ]{1,2}\])?")
# If one axis has the length 0, the others could have any length: a test that copies such a shape
# would make a large array.
MAX_ELEMENTS = 10**7
_OBJECTS = "|O"
_PLAIN = frozenset((type(None), bool, int, float, str, bytes))
# Tags of immutable values that an array of objects may hold.
_VALUES = frozenset(
    (
        *("complex", "Fraction", "Decimal", "range"),
        *("date", "datetime", "time", "timedelta"),
        *("Timestamp", "Timedelta", "NA", "NaT"),
    )
)
_DEEPEST = 10
_PLACES = {"MT19937": ("pos", 624), "Philox": ("buffer_pos", 4)}  # of the next number
_GENERATORS = ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64")


def _dtype(text: str) -> np.dtype[Any]:
    if len(text) > 20 or not _DTYPE.fullmatch(text):
        raise ValueError("this is no dtype")
    dtype: np.dtype[Any] = np.dtype(text)
    return dtype


def _dtype_parts(value: np.dtype[Any]) -> list[str]:
    if not _DTYPE.fullmatch(value.str):
        raise Unfit(f"numpy values of the type {value.name[:50]} cannot be handed over")
    return [value.str]


def _array_parts(value: np.ndarray[Any, Any]) -> list[Any]:
    if value.dtype.str == _OBJECTS:
        items = tuple(np.asarray(value).ravel().tolist())
        if not _are_plain(items):
            raise Unfit("an array that holds more than plain values cannot be handed over")
        return [_OBJECTS, value.shape, items]
    return [*_dtype_parts(value.dtype), value.shape, b64encode(value.tobytes()).decode()]


def _array(dtype: str, shape: tuple[Any, ...], content: Any) -> np.ndarray[Any, Any]:
    if any(type(length) is not int or length < 0 for length in shape) or (
        prod(max(length, 1) for length in shape) > MAX_ELEMENTS
    ):
        raise ValueError("an array has no such shape")
    if dtype == _OBJECTS:
        return _of_objects(shape, content)
    exact, buffer = _dtype(dtype), bytearray(b64decode(content, validate=True))
    if prod(shape) * exact.itemsize != len(buffer):
        raise ValueError("an array is of another size")
    return np.ndarray(shape, exact, buffer) if buffer else np.zeros(shape, exact)


def _are_plain(items: Iterable[Any], depth: int = 0) -> bool:
    """Return true if all items, and all values inside them, are plain."""
    return depth < _DEEPEST and all(_is_plain(item, depth + 1) for item in items)


def _is_plain(item: Any, depth: int) -> bool:
    kind = type(item)
    if kind in _PLAIN or kind in _SCALARS:
        return True
    if kind is dict:
        return _are_plain(item, depth) and _are_plain(item.values(), depth)
    if kind in (list, tuple, set, frozenset):
        return _are_plain(item, depth)
    found = kind_of(kind)
    return found is not None and found[0] in _VALUES


def _of_objects(shape: tuple[int, ...], items: tuple[Any, ...]) -> np.ndarray[Any, Any]:
    if type(items) is not tuple or not _are_plain(items):
        raise ValueError("an array of objects holds more than plain values")
    value = np.empty(len(items), object)
    for place, item in enumerate(items):
        value[place] = item
    return value.reshape(shape)


def _renew_array(value: np.ndarray[Any, Any], now: np.ndarray[Any, Any]) -> None:
    if value.dtype != now.dtype or value.shape != now.shape:
        raise ValueError("an array that was passed in comes back as another one")
    if value.flags.writeable:
        value[...] = now


def _scalar_parts(value: np.generic) -> list[Any]:
    return [*_dtype_parts(value.dtype), b64encode(value.tobytes()).decode()]


def _scalar(dtype: str, content: str) -> Any:
    return _array(dtype, (1,), content)[0]


def _generator_parts(value: np.random.Generator) -> list[Any]:
    bits: Any = value.bit_generator
    state = bits.state
    if type(bits).__name__ not in _GENERATORS or type(state) is not dict:
        raise Unfit("this random generator cannot be handed over")
    return [state]


def _generator(state: dict[str, Any]) -> np.random.Generator:
    name = state["bit_generator"]
    if type(name) is not str or name not in _GENERATORS:
        raise ValueError("there is no such random generator")
    bits = getattr(np.random, name)(0)
    bits.state = state
    # numpy itself would read beyond the numbers of the state
    inner = state["state"] if name == "MT19937" else state
    place, most = _PLACES.get(name, ("has_uint32", 1))
    if not 0 <= inner[place] <= most:
        raise ValueError("this is no state of a random generator")
    return np.random.Generator(bits)


def _renew_generator(value: np.random.Generator, now: np.random.Generator) -> None:
    value.bit_generator.state = now.bit_generator.state


KINDS = {
    "array": Kind(np.ndarray, _array_parts, _array, (str, tuple), _renew_array),
    "numpy scalar": Kind(np.generic, _scalar_parts, _scalar, (str,)),
    "dtype": Kind(np.dtype, _dtype_parts, _dtype, (str,)),
    "Generator": Kind(np.random.Generator, _generator_parts, _generator, (dict,), _renew_generator),
}
# Each dtype and each scalar has a class of its own.
_SCALARS = frozenset(kind for kind in np.sctypeDict.values() if kind is not np.object_)
TAGS: dict[type, str] = dict.fromkeys(_SCALARS, "numpy scalar")
TAGS |= {type(np.dtype(code)): "dtype" for code in "?bhilqBHILQefdgFDGSUmM"}
TAGS[np.matrix] = "array"  # a matrix arrives as a plain array
