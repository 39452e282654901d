"""Dates, arrays, tables and the like cross the wire exactly; forged ones are refused."""

import datetime as dt
import math
from array import array
from base64 import b64encode
from collections import (
    ChainMap,
    Counter,
    OrderedDict,
    UserDict,
    UserList,
    UserString,
    deque,
    namedtuple,
)
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePosixPath
from types import MappingProxyType, SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from autograder.wire import Decoder, Encoder, WireError
from autograder.wire.frames import Unfit
from tests.autograder.wire.test_wire import across, there_and_back

Point = namedtuple("Point", "x y")


@pytest.mark.parametrize(
    "value",
    [
        *(1 + 2j, complex(-0.0, math.inf), Fraction(-1, 3), Decimal("1.50"), Decimal("-0")),
        *(Decimal("sNaN12"), Decimal("1E+300"), range(0, 9, 2)),
        *(dt.date(2024, 2, 29), dt.datetime(2024, 1, 2, 3, 4, 5, 6, fold=1), dt.timedelta(-1, 5)),
        *(Counter("abca"), OrderedDict(b=1, a=2), deque([1, 2], 3)),
        *({"a": 1}.keys(), {"a": 1}.items(), {"a": 1}.values()),
        *(np.arange(6).reshape(2, 3), np.array([["ä", "bc"]]), np.array([True]), np.array(5)),
        *(np.zeros((0, 3)), np.array(["2024-01-01"], "M8[D]"), np.array([1j, -0.0]), np.int8(3)),
        *(np.float64(1.5), np.float32(0.1), np.datetime64("NaT"), np.dtype("<U5")),
        *(np.str_("ä"), np.str_(""), np.bytes_(b"x"), np.bytes_(b""), np.zeros((0, 3), "U")),
        *(pd.Timestamp("2024-01-01 03:04"), pd.Timedelta("1D"), pd.NaT, pd.NA),
        pd.Series(["a"], dtype="category").dtype,
        *(bytearray(b"x"), array("i", [1, -2]), UserList([1]), UserDict(a=[1]), UserString("ä")),
        *(MappingProxyType({"a": 1}), ChainMap({"a": 1}, {"b": 2}), PurePosixPath("a/b")),
        *(pd.Series(["a", None]).unique(), pd.array([1, None]), pd.array([0.5, None])),
        *(pd.Series([1, 2]).array, pd.Categorical(["u", None]), pd.array([True, None])),
        *(pd.to_datetime(["2024-01-01"]).array, pd.Series(["a"], dtype="string").array),
    ],
    ids=lambda value: f"{type(value).__name__} {value!r}"[:40],
)
def test_a_value_comes_across_with_its_type(value: Any):
    there = across(value)
    assert type(there) is type(value)
    assert repr(there) == repr(value)
    if isinstance(value, np.ndarray):
        assert (there.dtype, there.shape, there.tobytes()) == (
            value.dtype,
            value.shape,
            value.tobytes(),
        )


def test_a_named_tuple_comes_across_as_a_tuple():
    there = across([Point(1, [2])])
    assert type(there[0]) is tuple
    assert there == [(1, [2])]


def frames() -> list[pd.DataFrame]:
    df = pd.DataFrame(
        {
            "a": [1, 2],
            "b": ["x", None],
            "c": pd.to_datetime(["2024-01-01", "2025-01-01"]),
            "d": pd.Categorical(["u", "v"], ordered=True),
            "e": pd.array([1, None]),
            "f": pd.Series([[1], "q"], dtype=object),
            "h": [1.5, np.nan],
            "i": pd.to_timedelta([1, 2], "D"),
            "j": np.array([[1], pd.NA, 3], object)[:2],
        }
    )
    grouped = df.groupby("b", dropna=False).sum(numeric_only=True)
    words = pd.DataFrame(
        {
            "word": ["a", "ä", None],
            "day": pd.to_datetime(["2024-01-01", None, "2024-01-03"]),
            "kind": pd.Categorical(["u", None, "v"], categories=["v", "u", "w"]),
        }
    )
    text = [words, words.set_index(["word", "kind"]), words["word"].value_counts().to_frame()]
    text += [pd.crosstab(words["word"], words["kind"]), words.describe(), words.iloc[:0]]
    one = [df, df.set_index("c"), grouped, df.set_index(["a", "d"]), df[["a", "a"]], df.iloc[:0]]
    return one + text


def test_frames_series_and_indexes_come_across():
    for frame in [*frames(), pd.DataFrame()]:
        pd.testing.assert_frame_equal(across(frame), frame, check_freq=True)
        pd.testing.assert_index_equal(across(frame.index), frame.index, exact=True)
        for place in range(frame.shape[1]):
            series = frame.iloc[:, place]
            pd.testing.assert_series_equal(across(series), series, check_freq=True)
    days = pd.date_range("2024", periods=3, freq="ME", name="day")
    assert across(days).freqstr == "ME"


def test_no_student_object_comes_in_an_array_or_a_table():
    class Own(int):
        pass

    for holds in (lambda it: np.array([it], object), lambda it: pd.Series([[it]])):
        with pytest.raises(Unfit):
            Encoder(lambda _: 7).encode(holds(object()))
        plain = Encoder(lambda _: 7).encode(holds(Own(3)))
        assert str(Decoder().decode(plain)) == str(holds(3))
    forged = {"array": ["|O", {"tuple": [1]}, {"tuple": [{"handle": 7}]}]}
    with pytest.raises(WireError):
        Decoder(lambda _: object()).decode(forged)


def test_arrays_of_plain_objects_come_across_and_those_of_others_do_not():
    mixed = pd.DataFrame({"a": [1, 2], "s": ["x", None], "f": [0.5, np.nan]})
    items = [None, True, 2**70, 1.5, "ä", b"x", np.int8(3), np.float64(1), np.datetime64("NaT")]
    items += [pd.Timestamp("2024"), pd.NA, Decimal("1.5"), 1j, [1, {"a": (2,)}], dt.date.max]
    scalars = np.array([*items, 0], object)[:-1]
    for value in (mixed.values, mixed["s"].to_numpy(), mixed.values.T, scalars, scalars[:0]):
        there = across(value)
        assert (there.dtype, there.shape) == (value.dtype, value.shape)
        assert [*map(repr, there.flat)] == [*map(repr, value.flat)]
        assert [*map(type, there.flat)] == [*map(type, value.flat)]
    for odd in ([[print]], {1: object()}, object(), print):
        holds = np.empty(1, object)
        holds[0] = odd
        with pytest.raises(Unfit):
            across(holds)


@pytest.mark.parametrize(
    "value",
    [
        *(np.ma.masked_array([1.0, 2], [True, False]), slice(1)),
        *(pd.Series(pd.arrays.SparseArray([0, 1])), pd.Period("2024-01", "M"), pd.cut([1, 2], 2)),
        *(memoryview(array("i", [1])), SimpleNamespace(a=1), np.random.default_rng(1), int),
        *(dt.datetime(2024, 1, 2, tzinfo=dt.UTC), pd.Timestamp("2024-01-01", tz="UTC")),
        pd.Series(pd.to_datetime(["2024-01-01"]).tz_localize("UTC")),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_rarely_an_answer_does_not_come_across(value: Any):
    with pytest.raises(Unfit):
        across(value)


@pytest.mark.parametrize(
    ("argument", "change", "after"),
    [
        (np.zeros(2), lambda a: a.__setitem__(0, 5), "[5. 0.]"),
        (np.array(["x", None], object), lambda a: a.__setitem__(0, 5), "[5 None]"),
        (np.arange(4), lambda a: (setattr(a, "shape", (2, 2)), a.fill(7)), "[[7 7]\n [7 7]]"),
        (Counter(), lambda c: c.update("aa"), "Counter({'a': 2})"),
        (deque([1]), lambda d: d.append(2), "deque([1, 2])"),
        (pd.Series([1]), lambda s: s.__setitem__(0, 7), "0    7\ndtype: int64"),
        (pd.DataFrame({"a": [1]}), lambda d: d.insert(1, "b", 2), "   a  b\n0  1  2"),
    ],
    ids=lambda one: type(one).__name__,
)
def test_a_changed_argument_is_changed_here(argument: Any, change: Any, after: str):
    before = id(argument)
    there_and_back([argument], lambda value: change(value) and None)
    assert (str(argument), id(argument)) == (after, before)


def coded(size: int) -> str:
    return b64encode(bytes(size)).decode()


@pytest.mark.parametrize(
    "data",
    [
        {"array": ["<f8", {"tuple": [10**9]}, ""]},
        {"array": ["<f8", {"tuple": [-1]}, ""]},
        {"array": ["<f8", {"tuple": [0, 10**9]}, ""]},
        {"array": ["<f8", {"tuple": [1] * 70}, coded(8)]},
        {"array": ["<f8", {"tuple": [2]}, coded(8)]},
        {"array": ["<f8", {"tuple": [True]}, coded(8)]},
        {"array": ["|O", {"tuple": [1]}, coded(8)]},
        {"array": ["|O", {"tuple": [1]}, [1]]},
        {"array": ["|O", {"tuple": [1]}, {"tuple": [[{"named": "builtins.int"}]]}]},
        {"matrix": ["<f8", {"tuple": [1]}, ""]},
        {"array": ["|O", {"tuple": [1]}, {"tuple": [{"named": "builtins.len"}]}]},
        {"array": ["|O", {"tuple": [10**9]}, {"tuple": [1]}]},
        {"array": ["|O", {"tuple": [2]}, {"tuple": [1]}]},
        {"numpy scalar": ["|O", ""]},
        {"array": ["|V8", {"tuple": [1]}, coded(8)]},
        {"array": ["f8,O", {"tuple": [1]}, coded(8)]},
        {"array": ["<U999999", {"tuple": [1]}, coded(8)]},
        {"array": ["<f8", [1], coded(8)]},
        {"array": ["<f8", {"tuple": [1]}, "no base64!"]},
        {"numpy scalar": ["<M8[zz]", coded(8)]},
        {"numpy scalar": ["<f8", ""]},
        {"RangeIndex": [0, 10**12, 1, None]},
        {"column": ["pickle", []]},
        {"column": [[], "int64[pyarrow]"]},
        {"column": [["x"], "Int64"]},
        {"column": [["x"], {"category": ["x", False]}]},
        {
            "frame": [
                {"index": [{"column": [["a"], "str"]}, None, None]},
                {"RangeIndex": [0, 2, 1, None]},
                [{"column": [[1], "Int64"]}],
            ]
        },
        {"index": [{"column": [["a"], "str"]}, None, "D"]},
        {"RangeIndex": [0, 1.5, 1, None]},
        {"Timestamp": ["2024-01-01", None]},
        {"Decimal": ["1E+999999"]},
        {"Decimal": ["9" * 6000]},
        {"Fraction": [1, 0]},
        {"Fraction": [1.5, 2]},
        {"range": [0, 10**12, 1]},
        {"datetime": [0, 99999, 1, 1, 0, 0, 0, 0, None]},
        {"timedelta": [10**12, 0, 0]},
        {"deque": [[], -1]},
        {"Counter": [[1]]},
        {"named": "builtins.int"},
        {"object": ["Point", {"dict": []}]},
        {"complex": ["1", 2.0]},
    ],
    ids=lambda data: str(data)[:50],
)
def test_what_only_pretends_to_be_a_value_is_refused(data: Any):
    with pytest.raises(WireError):
        Decoder().decode(data)
