"""Digests (hashes) of observed values: equal for equal values, different for different values."""

import pytest

from course import rules
from course.checks import CheckFailed, check
from course.deadline import deadline
from course.hints import diagnose, mistakes
from course.hints.fact_comparison import digest, digests
from course.hints.observe import observe

ALIKE = [
    *([1], (1,), [True], [1.0], ["1"], [[1]], [(1,)], {1}, frozenset({1}), {True}),
    *({1: 1}, {True: 1}, {"1": 1}, [None], {"a": "int"}, int, {"tuple": [1]}),
]


def test_values_that_only_look_alike_have_digests_of_their_own():
    assert len({digest(value) for value in ALIKE}) == len(ALIKE)


def test_a_digest_is_the_same_in_every_process_and_order():
    assert digest([2, {"b": (1, True), "a": None}]) == "e48830b5d5d9b5f0"
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})


def holding_itself():
    line = []
    line += [line] * 9
    return line


def with_shared_rows():
    row = [2]
    for _ in range(200):
        row = [row, row]
    return row


@pytest.mark.parametrize(
    "made",
    [
        holding_itself,
        with_shared_rows,
        *(lambda: [0] * 2_000_000, lambda: 1 << 40_000, lambda: [float("nan")]),
        *(lambda: {1: object()}, lambda: [[[]] * 3] * 3),
    ],
)
def test_whatever_a_function_gives_has_a_digest_soon(made):
    value = made()
    with deadline(1.0):
        assert len(digest({"gives": value})) == 16
        if made is not holding_itself:
            assert digests(value)


def test_a_list_that_was_appended_to_itself_is_told_with_a_hint():
    def close_gaps(line):
        tiles = []
        for _ in filter(None, line):
            tiles.append(tiles)
        return tiles

    with deadline(5.0), pytest.raises(CheckFailed, match="Hint: What kind of thing"):
        check(close_gaps, [4, 8, 2, 2], gives=[4, 8, 2, 2])


def raising(line):
    raise ValueError


def turning(line):
    line.reverse()
    return line


@pytest.mark.parametrize(
    ("function", "fact"),
    [
        (raising, {"raises": "ValueError"}),
        (lambda line: "raises ValueError", {"gives a": "str"}),
        (lambda line: None, {"gives a": "NoneType"}),
        (lambda line: [2.0], {"gives a": "list of float"}),
        (lambda line: ([2],), {"gives a": "tuple of list"}),
        (lambda line: [(2, 0)], {"gives": [(2, 0)]}),
        (turning, {"gives": [0, 2], "changes": True}),
    ],
)
def test_the_fact_about_an_answer_is_the_answer_or_its_kind(function, fact):
    assert observe(function, "answers", ["merge([2, 0])"]).facts == [fact]


def test_tuples_in_a_probe_arrive_as_tuples():
    given = []
    observe(lambda *arguments: given.append(arguments), "answers", ["f((0, 3), [2], True)"])
    assert given[0] == ((0, 3), [2], True)


def test_more_calls_are_made_than_the_probes_and_what_is_printed_on_these_is_noted():
    def merge(line):
        print(line)
        return line

    seen = observe(merge, "answers", ["merge([2, 0])"])
    assert seen.prints
    assert seen.answers[0][0] == ([2, 0],)
    assert len(seen.answers) > 80
    assert seen.more != observe(rules.merge, "answers", ["merge([2, 0])"]).more


def test_numbers_in_place_of_flags_are_not_taken_for_the_right_answer():
    table = mistakes.table("has_pair")
    seen = observe(lambda line: int(rules.has_pair(line)), "answers", table.probes)
    assert digests(seen.facts) != table.right.seen


@pytest.mark.parametrize("name", ["<lambda>", "", "no_exercise"])
def test_a_function_of_another_name_is_named_nothing(name):
    def merge(line):
        return None

    merge.__name__ = name
    assert diagnose(merge) is None
