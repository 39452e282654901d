"""The wire to the jail: plain values cross exactly, and anything else is clearly refused."""

import json
import math
from collections import OrderedDict
from contextlib import suppress
from enum import IntEnum
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from autograder.wire import Budget, Decoder, Encoder, Unfit, WireError, pack, unpack
from autograder.wire.encoder import MAX_BITS, MAX_DEPTH, MAX_ITEMS

any_text = st.text(st.characters(codec=None))
keys = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | any_text | st.binary(),
    lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3),
    max_leaves=5,
)
plain_values = st.recursive(
    keys,
    lambda inner: (
        st.lists(inner)
        | st.tuples(inner, inner)
        | st.dictionaries(keys, inner, max_size=4)
        | st.sets(keys, max_size=4)
    ),
    max_leaves=20,
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
tags = ["int", "str", "bytes", "tuple", "set", "frozenset", "dict", "random", "ref", "same"]
near_values = st.recursive(
    st.none() | st.integers(-3, 3) | st.floats() | st.text("0123456789abcdefx-", max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(tags), inner, max_size=1)
    ),
)


def across(value: Any) -> Any:
    return Decoder().decode(unpack(pack({"value": Encoder().encode(value)})[4:])["value"])


def exact(value: Any) -> Any:
    """Return a form of a value that is equal only for values of equal types all the way down."""
    if isinstance(value, list | tuple):
        return type(value).__name__, [exact(item) for item in value]
    if isinstance(value, dict):
        return "dict", [(exact(key), exact(item)) for key, item in value.items()]
    if isinstance(value, set | frozenset):
        return type(value).__name__, sorted(repr(exact(item)) for item in value)
    return type(value).__name__, repr(value)


@given(plain_values)
@example("\ud83d\ude00")
@example([-0.0, math.nan, math.inf, True, 1, 2**53, -(2**200)])
def test_a_plain_value_comes_across_exactly(value: Any):
    assert exact(across(value)) == exact(value)


@given(st.binary() | near_values.map(lambda value: json.dumps({"value": value}).encode()))
@example(b'{"value":' + b"[" * 100_000)
@example(b'{"value":{"random":["00",null]}}')
@example(b'{"value":{"same":[0,[]]}}')
def test_any_bytes_are_a_value_or_a_clear_refusal(body: bytes):
    with suppress(WireError):
        message = unpack(body)
        Decoder(originals=[[], {}, set(), Random(1)]).decode(message.get("value"))


@pytest.mark.deep
@given(json_values)
def test_any_json_is_a_value_or_a_clear_refusal(data: Any):
    with suppress(WireError):
        Decoder().decode(data)


def test_a_random_comes_across_with_its_state():
    rng = Random(3)
    rng.gauss(0, 1)
    assert across(rng).getstate() == rng.getstate()


def test_a_list_that_is_there_twice_stays_one_list():
    row = [0, 0]
    board = across([row, row])
    board[0][0] = 2
    assert board == [[2, 0], [2, 0]]


class Score(IntEnum):
    GOAL = 2048


class Liar(list[int]):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("value", "plain"),
    [(Score.GOAL, 2048), (Liar([1]), [1]), (OrderedDict(a=1), {"a": 1})],
    ids=["IntEnum", "list", "OrderedDict"],
)
def test_a_subclass_comes_across_as_the_plain_type(value: Any, plain: Any):
    assert exact(across(value)) == exact(plain)


cyclic: list[Any] = []
cyclic.append(cyclic)
deep: list[Any] = []
for _ in range(MAX_DEPTH + 5):
    deep = [deep]


@pytest.mark.parametrize(
    "value",
    [cyclic, deep, 1 << MAX_BITS, [0] * (MAX_ITEMS + 1), object(), len, (n for n in [])],
    ids=["cyclic", "deep", "long number", "long list", "object", "function", "generator"],
)
def test_what_can_not_cross_is_refused(value: Any):
    with pytest.raises(WireError):
        Encoder().encode(value)


def test_what_is_not_plain_and_has_no_handle_is_unfit():
    with pytest.raises(Unfit, match="module"):
        Encoder().encode(json)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{",
        "{}".encode("utf-16"),
        b'{"a":' + b"9" * 5000 + b"}",
        b"[" * 2_000_000,
    ],
    ids=["empty", "a list", "half", "utf-16", "digits", "many parts"],
)
def test_a_body_that_is_no_message_is_refused(body: bytes):
    with pytest.raises(WireError):
        unpack(body)


@pytest.mark.parametrize(
    "data",
    [
        {"handle": [0]},
        {"ref": 0},
        {"ref": True},
        {"same": [0, [1]]},
        {"nonsense": 1},
        {},
        {"int": "1", "str": ""},
        {"int": 5},
        {"int": "f" * MAX_BITS},
        {"str": "zz"},
        {"set": [[1]]},
        {"dict": [[1]]},
        {"random": ["00" * 2500, 1]},
        {"tuple": {"tuple": []}},
        {"set": [number << 30 for number in range(30_000)]},
        [{"ref": 0}],
    ],
    ids=lambda data: json.dumps(data)[:30],
)
def test_json_that_is_no_value_is_refused(data: Any):
    with pytest.raises(WireError):
        Decoder().decode(data)


PRIME = 2**61 - 1
PRODUCT = list(product((-1, -2), repeat=11))  # -1 and -2 have the same hash
COLLIDING = {
    "ints": [{"int": hex(n * PRIME)} for n in range(4000)],
    "tuples": [{"tuple": list(part)} for part in PRODUCT],
    "nested": [{"tuple": [{"tuple": list(part)}]} for part in PRODUCT],
    "frozensets": [{"tuple": [{"frozenset": [n]} for n in part]} for part in PRODUCT],
    "numbers": [n * PRIME for n in range(4000)],
    "complex": [{"complex": [float(n), 0.0]} for n in range(3)]
    + [{"complex": [float(-1000003 * n), float(n)]} for n in range(1, 100)],
    "fractions": [{"Fraction": [{"int": hex(n * PRIME)}, 1]} for n in range(1, 100)],
    "decimals": [{"Decimal": [str(n * PRIME)]} for n in range(1, 100)],
    "ranges": [{"tuple": [{"range": [0, 0, 1]}, {"int": hex(n * PRIME)}]} for n in range(1, 100)],
}


@pytest.mark.parametrize(
    "wrap",
    [
        lambda keys: {"set": keys},
        lambda keys: {"frozenset": keys},
        lambda keys: {"dict": [[key, 1] for key in keys]},
        lambda keys: keys,
        lambda keys: [[key] for key in keys],
    ],
    ids=["set", "frozenset", "dict", "list", "lists"],
)
@pytest.mark.parametrize("keys", COLLIDING.values(), ids=COLLIDING)
def test_values_that_were_made_to_collide_are_refused(wrap: Any, keys: Any):
    with pytest.raises(WireError, match="hash"):
        Decoder().decode(wrap(keys))


@pytest.mark.parametrize(
    "value",
    [
        set(range(-5000, 5000)),
        [(0, 0)] * 5000,
        set(product(range(-2, 3), repeat=4)),
        {frozenset((row, column)) for row in range(40) for column in range(40)},
        [float(n) for n in range(5000)],
        [2**200] * 100,
    ],
    ids=["ints", "equal tuples", "steps", "frozensets", "floats", "one large number"],
)
def test_honest_keys_come_across(value: Any):
    assert across(value) == value


def test_all_decoders_of_a_message_pay_from_one_budget():
    budget = Budget(size=10_000)
    Decoder(budget=budget).decode(["x" * 1000])
    with pytest.raises(WireError, match="too large"):
        Decoder(budget=budget).decode(["x" * 2000])


def test_many_tables_of_keys_pay_from_one_budget():
    budget = Budget()
    Decoder(budget=budget).decode({"set": list(range(100_000))})
    data = {"set": [number << 30 for number in range(15_000)]}
    Decoder(budget=budget).decode(data)
    with pytest.raises(WireError, match="keys"):
        Decoder(budget=budget).decode(data)


@pytest.mark.parametrize("times", [25, 45])
def test_what_is_repeated_is_paid_as_if_it_were_written_out(times: int):
    data: list[Any] = [[0]]
    for number in range(1, times):
        data.append([{"ref": number}, {"ref": number}])
    with pytest.raises(WireError, match="repeated too often"):
        Decoder().decode(data)


def test_a_changed_argument_can_not_come_to_hold_itself():
    within = {"same": [0, [{"same": [0, [1]]}]]}
    with pytest.raises(WireError):
        Decoder(originals=[[]]).decode(within)


@pytest.mark.parametrize("now", [{"tuple": []}, {"path": ["a"]}, {"dict": []}], ids=str)
def test_a_changed_argument_can_not_come_back_as_something_else(now: Any):
    with pytest.raises(WireError, match="something else"):
        Decoder(originals=[[]]).decode({"same": [0, now]})


def there_and_back(arguments: list[Any], change: Any) -> Any:
    """Call `change` on the other side of the wire, with copies of the arguments; return its answer.

    All that `change` changes in the copies is then changed in the arguments, too.
    """
    encoder = Encoder()
    there = Decoder()
    copy = there.decode(encoder.encode(arguments))
    answer = change(*copy)
    back = Encoder(known=there.mutable).encode([list(copy), answer])
    here = Decoder(originals=encoder.mutable)
    _, value = here.decode(back)
    here.commit()
    return value


@pytest.mark.parametrize(
    ("argument", "method", "after"),
    [
        ([1, 2], lambda value: value.reverse(), [2, 1]),
        ([[1], [2]], lambda value: value[0].append(3), [[1, 3], [2]]),
        ({1: 2}, lambda value: value.update({3: 4}), {1: 2, 3: 4}),
        ({1, 2}, lambda value: value.discard(1), {2}),
    ],
    ids=["list", "inner list", "dict", "set"],
)
def test_a_changed_argument_is_changed_here(argument: Any, method: Any, after: Any):
    there_and_back([argument], method)
    assert argument == after


def test_a_random_that_was_used_has_moved_on_here():
    rng, same = Random(5), Random(5)
    assert there_and_back([rng], lambda rng: rng.random()) == same.random()
    assert rng.random() == same.random()


def test_an_argument_that_is_the_answer_is_the_same_list_here():
    line = [2, 2]
    assert there_and_back([line], lambda line: line) is line


def test_an_argument_that_holds_itself_afterwards_is_refused_and_stays():
    line = [2]
    with pytest.raises(WireError):
        there_and_back([line], lambda line: line.append(line))
    assert line == [2]
