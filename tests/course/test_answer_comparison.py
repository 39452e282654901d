"""`same`: it returns true if two values are equal and have equal types, in all of their parts."""

from collections import Counter, OrderedDict, namedtuple
from datetime import date
from fractions import Fraction

import numpy
import pytest

from course.answer_comparison import same, wrong_kind

Point = namedtuple("Point", "row column")
Place = namedtuple("Place", "row column")
NAN = float("nan")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({1}, {True}),
        ({1.0}, {1}),
        (frozenset({0}), frozenset({False})),
        ({1: "a"}, {True: "a"}),
        ({"a": {1: 2}}, {"a": {1.0: 2}}),
        ({(1, 0)}, {(True, 0)}),
        ({(1, (0,))}, {(1, (False,))}),
        ({frozenset({1})}, {frozenset({True})}),
        ({1, 2}, {1, 3}),
        ({1: 2}, {1: 2, 3: 4}),
        ({1: [2]}, {1: (2,)}),
        (Point(1, 2), (1, 2)),
        (Point(1, 2), Place(1, 2)),
        (Point(1, 2), Point(True, 2)),
        ([1, 2], [1]),
        ([], ()),
        (range(3), range(4)),
        (range(3), [0, 1, 2]),
        (Fraction(1, 2), 0.5),
        (OrderedDict(a=1), {"a": 1}),
        (Counter("aa"), Counter("a")),
        (0.0, 0),
        (NAN, 0.0),
        (b"2", "2"),
        (1, 1j * -1j),
        (None, False),
        (numpy.int64(2), 2),
        (numpy.int64(1), numpy.int32(1)),
        (numpy.array([2, 0]), numpy.array([2, 4])),
        (numpy.array([2]), numpy.array([2.0])),
    ],
)
def test_values_of_other_types_or_contents_are_not_the_same(one, other):
    assert not same(one, other)
    assert not same([other], [one])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({1, 2}, {2, 1}),
        ({1: [2], "a": 3}, {"a": 3, 1: [2]}),
        ({(2, 0), (0, 2)}, {(0, 2), (2, 0)}),
        ({frozenset({(1, 2)})}, {frozenset({(1, 2)})}),
        (Point(1, [2]), Point(1, [2])),
        ({Point(1, 2): 3}, {Point(1, 2): 3}),
        (range(0, 3, 2), range(0, 4, 2)),
        (0.0, -0.0),
        ({0.0}, {-0.0}),
        (NAN, float("nan")),
        ({NAN: [NAN]}, {float("nan"): [float("nan")]}),
        ({date(2048, 1, 1), Fraction(1, 2)}, {Fraction(1, 2), date(2048, 1, 1)}),
        (Counter("aab"), Counter("baa")),
        (OrderedDict(a=1, b=2), OrderedDict(b=2, a=1)),
        (numpy.int64(2), numpy.int64(2)),
        (numpy.array([[2, 0]]), numpy.array([[2, 0]])),
    ],
)
def test_equal_values_of_the_same_types_are_the_same_in_any_order(one, other):
    assert same(one, other)
    assert same([other], [one])


class Sly:
    """An object that claims to equal everything, with the hash of 1."""

    asked = 0

    def __eq__(self, other):
        Sly.asked += 1
        return True

    def __hash__(self):
        return 1


@pytest.mark.parametrize(
    ("plain", "sly"),
    [(1, Sly()), ([1], [Sly()]), ({1}, {Sly()}), ({1: 2}, {Sly(): 2}), ({(1,)}, {(Sly(),)})],
    ids=["alone", "in a list", "in a set", "as a key", "in a tuple in a set"],
)
def test_a_learners_own_equality_is_not_asked_about_plain_values(plain, sly):
    Sly.asked = 0
    assert not same(plain, sly)
    assert not same(sly, plain)
    assert Sly.asked == 0


def test_an_equality_that_raises_does_not_hold():
    class Broken:
        def __eq__(self, other):
            raise RuntimeError

        __hash__ = None

    assert not same([Broken()], [Broken()])


def knotted(levels):
    value = [2]
    for _ in range(levels):
        value = [value, value]
    return value


def test_lists_that_share_lists_or_hold_themselves_and_deep_ones_are_compared_to_their_ends():
    assert same(knotted(60), knotted(60))
    assert not same(knotted(60), knotted(61))
    one, other = [2], [2]
    one.append(one)
    other.append(other)
    assert same(one, other)
    other.append(4)
    assert not same(one, other)
    one, other = [], []
    for _ in range(20_000):
        one, other = [one], [other]
    assert same(one, other)


@pytest.mark.parametrize(
    ("got", "wanted", "said"),
    [
        ("True", True, "this is a text, in quotes; expected is True or False"),
        (1, True, "this is a whole number; expected is True or False"),
        (True, 1, "this is True; expected is a whole number"),
        (4.0, 4, "this is a number with a point; expected is a whole number"),
        ((4, 0), [4, 0], "this is a tuple, in round brackets; expected is a list, in square"),
        ([["4", 0]], [[4, 0]], None),
        ([True, 0], [4, 0], "in it, one is True; expected is a whole number"),
        ([(4, 0)], [[4, 0]], "in it, (4, 0) is a tuple, in round brackets; expected is a list"),
        (None, [4], "None means that nothing was given back"),
        (len, True, "this is a function or method that was not called; are its brackets missing?"),
        ([8, 0], [4, 0], None),
        (object(), 4, None),
    ],
)
def test_an_answer_of_another_kind_is_told_in_one_sentence(got, wanted, said):
    told = wrong_kind(got, wanted)
    assert told is None if said is None else told.startswith(said)
