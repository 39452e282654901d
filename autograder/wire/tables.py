"""The kinds of values that pandas has: frames, series, indexes, time stamps, and their dtypes.

A kind says how values of one type are taken apart to cross the wire, and made again:
`type_codecs.py`.
"""

from collections.abc import Callable
from datetime import timezone
from types import NoneType
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd

from autograder.wire.arrays import MAX_ELEMENTS
from autograder.wire.frames import Unfit
from autograder.wire.type_codecs import Kind

# Columns of these types are written as a list; one of `object` may have any value that crosses.
_LISTED = frozenset(
    (
        *("object", "str", "string", "boolean", "Float32", "Float64"),
        *("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64"),
    )
)
_LONGEST = 20  # characters of a frequency
_WITH_FREQUENCY = (pd.DatetimeIndex, pd.TimedeltaIndex)

_OF_NUMPY = (
    *(np.ndarray, pd.arrays.NumpyExtensionArray),
    *(pd.arrays.DatetimeArray, pd.arrays.TimedeltaArray),
)
_ZONES = (timezone, ZoneInfo)


class Column:
    """The values of a series or an index, without its name and its labels."""

    def __init__(self, array: Any) -> None:
        self.array = array


def _column_parts(column: Column) -> list[Any]:
    """Return the parts of a column: an array, an array and a time zone, or a list and a dtype."""
    array = column.array
    dtype = array.dtype
    if isinstance(dtype, pd.DatetimeTZDtype):
        return [pd.DatetimeIndex(array).tz_convert(None).to_numpy(), dtype.tz]
    if isinstance(dtype, pd.CategoricalDtype):
        return [list(array), dtype]
    if str(dtype) in _LISTED:
        return [list(array), str(dtype)]
    if getattr(dtype, "kind", "O") in "biufcmM" and isinstance(array, _OF_NUMPY):
        return [np.asarray(array)]
    raise Unfit(f"columns of the type {str(dtype)[:50]} cannot be handed over")


def _column(values: Any, kind: Any = None) -> Column:
    if type(values) is np.ndarray and kind is None:
        return Column(pd.Series(values).array)
    if type(values) is np.ndarray and type(kind) in _ZONES:
        return Column(pd.DatetimeIndex(values).tz_localize("UTC").tz_convert(kind).array)
    if type(values) is list and (type(kind) is pd.CategoricalDtype or kind in _LISTED):
        return Column(pd.Series(values, dtype=kind).array)
    raise ValueError("there is no such kind of column")


def _dtype(name: str) -> Any:
    if name not in _LISTED:
        raise ValueError("there is no such type of columns")
    return pd.api.types.pandas_dtype(name)


def _index_parts(index: pd.Index) -> list[Any]:
    frequency = index.freqstr if isinstance(index, _WITH_FREQUENCY) else None
    return [Column(index.array), index.name, frequency]


def _index(column: Any, name: Any, frequency: Any) -> pd.Index:
    index = pd.Index(_array_of(column), name=name)
    if frequency is None:
        return index
    is_short = type(frequency) is str and len(frequency) <= _LONGEST
    if not is_short or not isinstance(index, _WITH_FREQUENCY):
        raise ValueError("this is no frequency")
    index.freq = frequency
    return index


def _array_of(column: Any) -> Any:
    if type(column) is not Column:
        raise TypeError("a column is missing")
    return column.array


def _range_index(start: int, stop: int, step: int, name: Any) -> pd.RangeIndex:
    steps = range(start, stop, step)
    if len(steps) > MAX_ELEMENTS:
        raise ValueError("an index is too long")
    return pd.RangeIndex(steps, name=name)


def _multi_index_parts(index: pd.MultiIndex) -> list[Any]:
    codes = [pd.array(codes).to_numpy() for codes in index.codes]
    return [list(index.levels), codes, list(index.names)]


def _frame_parts(frame: pd.DataFrame) -> list[Any]:
    columns = [Column(frame.iloc[:, place].array) for place in range(frame.shape[1])]
    return [frame.columns, frame.index, columns]


def _frame(names: Any, index: Any, columns: list[Any]) -> pd.DataFrame:
    arrays = list(map(_array_of, columns))
    if any(len(array) != len(index) for array in arrays):
        raise ValueError("a column has another length")
    frame = pd.DataFrame(dict(enumerate(arrays)), index=index)
    frame.columns = names
    return frame


def _zoned_parts(moment: pd.Timestamp) -> list[Any]:
    naive = moment if moment.tz is None else moment.tz_convert(None)
    return [naive.asm8, moment.tz]


def _timestamp(moment: Any, zone: Any) -> pd.Timestamp:
    naive = pd.Timestamp(moment)
    return naive if zone is None else naive.tz_localize("UTC").tz_convert(zone)


def _again(kind: type) -> Callable[[Any, Any], None]:
    """Return a function that makes a frame or series, in place, equal to another one."""
    return lambda value, now: kind.__init__(value, now)  # type: ignore[misc]


KINDS = {
    "column": Kind(
        Column, _column_parts, _column, (np.ndarray, list, str, pd.CategoricalDtype, *_ZONES)
    ),
    "frame": Kind(pd.DataFrame, _frame_parts, _frame, (), _again(pd.DataFrame)),
    "series": Kind(
        pd.Series,
        lambda it: [Column(it.array), it.index, it.name],
        lambda column, index, name: pd.Series(_array_of(column), index, name=name),
        (),
        _again(pd.Series),
    ),
    "RangeIndex": Kind(
        pd.RangeIndex, lambda it: [it.start, it.stop, it.step, it.name], _range_index
    ),
    "MultiIndex": Kind(
        pd.MultiIndex,
        _multi_index_parts,
        lambda levels, codes, names: pd.MultiIndex(levels, codes, names=names),
    ),
    "index": Kind(pd.Index, _index_parts, _index),
    "Timestamp": Kind(pd.Timestamp, _zoned_parts, _timestamp, (np.datetime64, NoneType, *_ZONES)),
    "Timedelta": Kind(pd.Timedelta, lambda it: [it.asm8], pd.Timedelta, (np.timedelta64,)),
    "pandas dtype": Kind(pd.StringDtype, lambda it: [str(it)], _dtype, (str,)),
    "category dtype": Kind(
        pd.CategoricalDtype, lambda it: [it.categories, bool(it.ordered)], pd.CategoricalDtype
    ),
    "NA": Kind(type(pd.NA), lambda _: [], lambda: pd.NA),
    "NaT": Kind(type(pd.NaT), lambda _: [], lambda: pd.NaT),
}
_INDEXES = ("Index", "DatetimeIndex", "TimedeltaIndex", "CategoricalIndex")
TAGS = {getattr(pd, name): "index" for name in _INDEXES}
TAGS |= {
    type(pd.api.types.pandas_dtype(name)): "pandas dtype" for name in sorted(_LISTED - {"object"})
}
