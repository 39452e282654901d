"""Numpy's arrays, scalars and dtypes, taken apart to cross the wire; see `type_codecs.py`."""

import re
from base64 import b64decode, b64encode
from math import prod
from typing import Any

import numpy as np

from autograder.wire.frames import Unfit
from autograder.wire.type_codecs import Kind

# Dtypes of numbers, texts and dates, not of records. An array of objects is sent as a tuple.
_DTYPE = re.compile(r"[<>|=][biufcSUmM]\d{1,6}(?:\[\d{0,4}[a-zA-Zμ]{1,2}\])?")
# An axis of length 0 counts as 1. Else the other axes of an empty array could have any length, and
# a test that uses these lengths would make a large array.
MAX_ELEMENTS = 10**7
_OBJECTS = "|O"


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
        return [_OBJECTS, value.shape, tuple(np.asarray(value).ravel().tolist())]
    return [*_dtype_parts(value.dtype), value.shape, b64encode(value.tobytes()).decode()]


def _array(dtype: str, shape: tuple[Any, ...], content: Any) -> np.ndarray[Any, Any]:
    if any(type(length) is not int or length < 0 for length in shape) or (
        prod(max(length, 1) for length in shape) > MAX_ELEMENTS
    ):
        raise ValueError("an array has no such shape")
    if dtype == _OBJECTS:
        if type(content) is not tuple:
            raise ValueError("an array of objects has no content")
        value = np.empty(len(content), object)
        for place, item in enumerate(content):
            value[place] = item
        return value.reshape(shape)
    exact, buffer = _dtype(dtype), bytearray(b64decode(content, validate=True))
    if prod(shape) * exact.itemsize != len(buffer):
        raise ValueError("an array is of another size")
    return np.ndarray(shape, exact, buffer) if buffer else np.zeros(shape, exact)


def _renew_array(value: np.ndarray[Any, Any], now: np.ndarray[Any, Any]) -> None:
    if value.dtype != now.dtype or value.size != now.size:
        raise ValueError("an array that was passed in comes back as another one")
    value.shape = now.shape
    if value.flags.writeable:
        value[...] = now


KINDS = {
    "array": Kind(np.ndarray, _array_parts, _array, (str, tuple), _renew_array),
    "numpy scalar": Kind(
        np.generic,
        lambda it: _array_parts(np.asarray(it))[::2],  # np.str_("") alone has size 0, but 4 bytes
        lambda dtype, content: _array(dtype, (1,), content)[0],
        (str,),
    ),
    "dtype": Kind(np.dtype, _dtype_parts, _dtype, (str,)),
}
# Each dtype and each scalar has a class of its own. A matrix arrives as a plain array.
TAGS: dict[type, str] = dict.fromkeys(set(np.sctypeDict.values()) - {np.object_}, "numpy scalar")
TAGS |= {type(np.dtype(code)): "dtype" for code in "?bhilqBHILQefdgFDGSUmM"}
TAGS[np.matrix] = "array"
