"""Values of pandas, taken apart to cross the wire: frames, series, indexes, time stamps.

`type_codecs.py` says how values are taken apart. Values with a time zone do not cross.
"""

from typing import Any

import numpy as np
import pandas as pd

from autograder.wire.frames import Unfit
from autograder.wire.numpy_codecs import MAX_ELEMENTS
from autograder.wire.type_codecs import Kind

# Columns of these types are written as a list; `object` columns may have any value that crosses.
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


class Column:
    """The values of a series or an index, without its name and its labels."""

    def __init__(self, array: Any) -> None:
        self.array = array


def _column_parts(column: Column) -> list[Any]:
    """Return the parts of a column: an array, or a list and a dtype."""
    array = column.array
    dtype = array.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return [list(array), dtype]
    if str(dtype) in _LISTED:
        return [list(array), str(dtype)]
    has_zone = isinstance(dtype, pd.DatetimeTZDtype)
    if getattr(dtype, "kind", "O") in "biufcmM" and isinstance(array, _OF_NUMPY) and not has_zone:
        return [np.asarray(array)]
    raise Unfit(f"columns of the type {str(dtype)[:50]} cannot be handed over")


def _column(values: Any, kind: Any = None) -> Column:
    if type(values) is np.ndarray and kind is None:
        return Column(pd.Series(values).array)
    if type(values) is list and (type(kind) is pd.CategoricalDtype or kind in _LISTED):
        return Column(pd.Series(values, dtype=kind).array)
    raise ValueError("there is no such kind of column")


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
    if len(range(start, stop, step)) > MAX_ELEMENTS:
        raise ValueError("an index is too long")
    return pd.RangeIndex(start, stop, step, name=name)


def _frame(names: Any, index: Any, columns: list[Any]) -> pd.DataFrame:
    arrays = list(map(_array_of, columns))
    if any(len(array) != len(index) for array in arrays):
        raise ValueError("a column has another length")
    frame = pd.DataFrame(dict(enumerate(arrays)), index=index)
    frame.columns = names
    return frame


def _numpy_parts(moment: Any) -> list[Any]:
    if getattr(moment, "tz", None) is not None:
        raise Unfit("a moment with a time zone cannot be handed over")
    return [moment.asm8]


KINDS = {
    "column": Kind(Column, _column_parts, _column, (np.ndarray, list, str, pd.CategoricalDtype)),
    "frame": Kind(
        pd.DataFrame,
        lambda it: [
            it.columns,
            it.index,
            [Column(it.iloc[:, place].array) for place in range(it.shape[1])],
        ],
        _frame,
        (),
        lambda value, now: pd.DataFrame.__init__(value, now),
    ),
    "series": Kind(
        pd.Series,
        lambda it: [Column(it.array), it.index, it.name],
        lambda column, index, name: pd.Series(_array_of(column), index, name=name),
        (),
        lambda value, now: pd.Series.__init__(value, now),
    ),
    "extension array": Kind(pd.Categorical, lambda it: [Column(it)], _array_of, (Column,)),
    "RangeIndex": Kind(
        pd.RangeIndex, lambda it: [it.start, it.stop, it.step, it.name], _range_index
    ),
    "MultiIndex": Kind(
        pd.MultiIndex,
        lambda it: [
            list(it.levels),
            [pd.array(codes).to_numpy() for codes in it.codes],
            list(it.names),
        ],
        lambda levels, codes, names: pd.MultiIndex(levels, codes, names=names),
    ),
    "index": Kind(
        pd.Index, lambda it: [Column(it.array), it.name, getattr(it, "freqstr", None)], _index
    ),
    "Timestamp": Kind(pd.Timestamp, _numpy_parts, pd.Timestamp, (np.datetime64,)),
    "Timedelta": Kind(pd.Timedelta, _numpy_parts, pd.Timedelta, (np.timedelta64,)),
    "category": Kind(
        pd.CategoricalDtype, lambda it: [it.categories, bool(it.ordered)], pd.CategoricalDtype
    ),
    "NA": Kind(type(pd.NA), lambda _: [], lambda: pd.NA),
    "NaT": Kind(type(pd.NaT), lambda _: [], lambda: pd.NaT),
}
_INDEXES = ("Index", "DatetimeIndex", "TimedeltaIndex", "CategoricalIndex")
TAGS = {getattr(pd, name): "index" for name in _INDEXES}
# Other arrays, of periods or intervals, are objects.
_ARRAYS = ("Boolean", "Datetime", "Floating", "Integer", "NumpyExtension", "String", "Timedelta")
TAGS |= {getattr(pd.arrays, f"{name}Array"): "extension array" for name in _ARRAYS}
TAGS[pd.arrays.ArrowStringArray] = "extension array"
