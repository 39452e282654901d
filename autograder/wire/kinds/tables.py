"""Frames, series and indexes of pandas, and the values in them that are its own."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from autograder.wire.frames import Unfit
from autograder.wire.kinds.arrays import MAX_ELEMENTS
from autograder.wire.kinds.kind import Kind, exactly

# Types of columns that are written as a list of values; `object` holds any that cross.
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
    array = column.array
    name = str(array.dtype)
    if isinstance(array.dtype, pd.CategoricalDtype):
        return ["category", array.codes, Column(array.categories.array), bool(array.ordered)]
    if isinstance(array.dtype, pd.DatetimeTZDtype):
        return ["zoned", pd.DatetimeIndex(array).tz_convert(None).to_numpy(), array.dtype.tz]
    if name in _LISTED:
        return [name, list(array)]
    if getattr(array.dtype, "kind", "O") in "biufcmM" and isinstance(array, _OF_NUMPY):
        return ["numpy", np.asarray(array)]
    raise Unfit(f"columns of the type {name[:50]} cannot be handed over")


def _column(kind: Any, content: Any, *more: Any) -> Column:
    if kind == "category":
        categories, ordered = more
        return Column(
            pd.Categorical.from_codes(content, exactly(categories, Column).array, ordered)
        )
    if kind == "zoned":
        [zone] = more
        return Column(pd.DatetimeIndex(content).tz_localize("UTC").tz_convert(zone).array)
    if kind == "numpy" and not more:
        return Column(pd.Series(content).array)
    if exactly(kind, str) in _LISTED and not more:
        return Column(pd.Series(exactly(content, list), dtype=kind).array)
    raise ValueError("there is no such kind of column")


def _dtype(name: Any) -> Any:
    if exactly(name, str) not in _LISTED:
        raise ValueError("there is no such type of columns")
    return pd.api.types.pandas_dtype(name)


def _category(categories: Any, ordered: Any) -> pd.CategoricalDtype:
    return pd.CategoricalDtype(categories, exactly(ordered, bool))


def _index_parts(index: pd.Index) -> list[Any]:
    frequency = index.freqstr if isinstance(index, _WITH_FREQUENCY) else None
    return [Column(index.array), index.name, frequency]


def _index(column: Any, name: Any, frequency: Any) -> pd.Index:
    index = pd.Index(exactly(column, Column).array, name=name)
    if frequency is None:
        return index
    if len(exactly(frequency, str)) > _LONGEST or not isinstance(index, _WITH_FREQUENCY):
        raise ValueError("this is no frequency")
    index.freq = frequency
    return index


def _range_index(*parts: Any) -> pd.RangeIndex:
    start, stop, step, name = parts
    steps = range(exactly(start, int), exactly(stop, int), exactly(step, int))
    if len(steps) > MAX_ELEMENTS:
        raise ValueError("an index is too long")
    return pd.RangeIndex(steps, name=name)


def _multi_index_parts(index: pd.MultiIndex) -> list[Any]:
    return [
        list(index.levels),
        [pd.array(codes).to_numpy() for codes in index.codes],
        list(index.names),
    ]


def _multi_index(levels: Any, codes: Any, names: Any) -> pd.MultiIndex:
    return pd.MultiIndex(levels, codes, names=names, verify_integrity=True)


def _series_parts(series: pd.Series) -> list[Any]:
    return [Column(series.array), series.index, series.name]


def _series(column: Any, index: Any, name: Any) -> pd.Series:
    return pd.Series(exactly(column, Column).array, index, name=name)


def _frame_parts(frame: pd.DataFrame) -> list[Any]:
    columns = [Column(frame.iloc[:, place].array) for place in range(frame.shape[1])]
    return [frame.columns, frame.index, columns]


def _frame(names: Any, index: Any, columns: Any) -> pd.DataFrame:
    arrays = [exactly(column, Column).array for column in exactly(columns, list)]
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
    """Makes a frame or a series anew, out of another one."""
    return lambda value, now: kind.__init__(value, now)  # type: ignore[misc]


_INDEXES = ("Index", "DatetimeIndex", "TimedeltaIndex", "CategoricalIndex")

KINDS = {
    "column": Kind(Column, _column_parts, _column),
    "frame": Kind(pd.DataFrame, _frame_parts, _frame, _again(pd.DataFrame)),
    "series": Kind(pd.Series, _series_parts, _series, _again(pd.Series)),
    "RangeIndex": Kind(
        pd.RangeIndex,
        lambda index: [index.start, index.stop, index.step, index.name],
        _range_index,
    ),
    "MultiIndex": Kind(pd.MultiIndex, _multi_index_parts, _multi_index),
    "index": Kind(pd.Index, _index_parts, _index),
    "Timestamp": Kind(pd.Timestamp, _zoned_parts, _timestamp),
    "Timedelta": Kind(pd.Timedelta, lambda value: [value.asm8], pd.Timedelta),
    "pandas dtype": Kind(pd.StringDtype, lambda value: [str(value)], _dtype),
    "category dtype": Kind(
        pd.CategoricalDtype, lambda value: [value.categories, bool(value.ordered)], _category
    ),
    "NA": Kind(type(pd.NA), lambda _: [], lambda: pd.NA),
    "NaT": Kind(type(pd.NaT), lambda _: [], lambda: pd.NaT),
}
TAGS = {getattr(pd, name): "index" for name in _INDEXES}
TAGS |= {
    type(pd.api.types.pandas_dtype(name)): "pandas dtype" for name in sorted(_LISTED - {"object"})
}
