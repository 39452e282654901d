"""Values of pandas, taken apart to cross the wire: frames, series, indexes, time stamps.

`type_codecs.py` says how values are taken apart. Values with a time zone do not cross.
"""

from typing import Any

import numpy as np
import pandas as pd
from pandas.api.extensions import ExtensionArray

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


def _array_parts(array: Any) -> list[Any]:
    """Return the parts of an array of pandas: an array of numpy, or a list and a dtype."""
    dtype = array.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return [list(array), dtype]
    if str(dtype) in _LISTED:
        return [list(array), str(dtype)]
    if dtype.kind in "biufcmM" and not isinstance(dtype, pd.DatetimeTZDtype):
        return [np.asarray(array)]
    raise Unfit(f"columns of the type {str(dtype)[:50]} cannot be handed over")


def _array(values: Any, kind: Any = None) -> ExtensionArray:
    if type(values) is np.ndarray and kind is None:
        return pd.Series(values).array
    if type(values) is list and (type(kind) is pd.CategoricalDtype or kind in _LISTED):
        return pd.Series(values, dtype=kind).array
    raise ValueError("there is no such kind of array")


def _checked(array: Any) -> ExtensionArray:
    if not isinstance(array, ExtensionArray):
        raise TypeError("an array is missing")
    return array


def _index(array: Any, name: Any, frequency: Any) -> pd.Index:
    index = pd.Index(_checked(array), name=name)
    if frequency is None:
        return index
    is_short = type(frequency) is str and len(frequency) <= _LONGEST
    if not is_short or not isinstance(index, _WITH_FREQUENCY):
        raise ValueError("this is no frequency")
    index.freq = frequency
    return index


def _range_index(start: int, stop: int, step: int, name: Any) -> pd.RangeIndex:
    if len(range(start, stop, step)) > MAX_ELEMENTS:
        raise ValueError("an index is too long")
    return pd.RangeIndex(start, stop, step, name=name)


def _frame(names: Any, index: Any, columns: list[Any]) -> pd.DataFrame:
    arrays = list(map(_checked, columns))
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
    "pandas.array": Kind(
        pd.Categorical, _array_parts, _array, (np.ndarray, list, str, pd.CategoricalDtype)
    ),
    "pandas.frame": Kind(
        pd.DataFrame,
        lambda it: [it.columns, it.index, [column.array for _, column in it.items()]],
        _frame,
        (),
        lambda value, now: pd.DataFrame.__init__(value, now),
    ),
    "pandas.series": Kind(
        pd.Series,
        lambda it: [it.array, it.index, it.name],
        lambda array, index, name: pd.Series(_checked(array), index, name=name),
        (),
        lambda value, now: pd.Series.__init__(value, now),
    ),
    "pandas.RangeIndex": Kind(
        pd.RangeIndex, lambda it: [it.start, it.stop, it.step, it.name], _range_index
    ),
    "pandas.MultiIndex": Kind(
        pd.MultiIndex,
        lambda it: [
            list(it.levels),
            [pd.array(codes).to_numpy() for codes in it.codes],
            list(it.names),
        ],
        lambda levels, codes, names: pd.MultiIndex(levels, codes, names=names),
    ),
    "pandas.index": Kind(
        pd.Index, lambda it: [it.array, it.name, getattr(it, "freqstr", None)], _index
    ),
    "pandas.Timestamp": Kind(pd.Timestamp, _numpy_parts, pd.Timestamp, (np.datetime64,)),
    "pandas.Timedelta": Kind(pd.Timedelta, _numpy_parts, pd.Timedelta, (np.timedelta64,)),
    "pandas.category": Kind(
        pd.CategoricalDtype, lambda it: [it.categories, bool(it.ordered)], pd.CategoricalDtype
    ),
    "pandas.NA": Kind(type(pd.NA), lambda _: [], lambda: pd.NA),
    "pandas.NaT": Kind(type(pd.NaT), lambda _: [], lambda: pd.NaT),
}
_INDEXES = ("Index", "DatetimeIndex", "TimedeltaIndex", "CategoricalIndex")
TAGS = {getattr(pd, name): "pandas.index" for name in _INDEXES}
# Other arrays, of periods or intervals, are objects.
_ARRAYS = ("Boolean", "Datetime", "Floating", "Integer", "NumpyExtension", "String", "Timedelta")
TAGS |= {getattr(pd.arrays, f"{name}Array"): "pandas.array" for name in _ARRAYS}
TAGS[pd.arrays.ArrowStringArray] = "pandas.array"
