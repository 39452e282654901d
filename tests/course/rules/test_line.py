"""The rules of a line: gaps close, neighbours merge once, points are the sum of new tiles."""

from collections import Counter
from copy import deepcopy

import pytest
from hypothesis import given

from course.rules import close_gaps, merge, points
from tests.course.rules.hypothesis_boards import lines

CLOSED = {
    "nothing but gaps": ([0, 0], [0, 0]),
    "equal tiles stay two": ([0, 2, 2], [2, 2, 0]),
}
MERGED = {
    "at the far end": ([0, 0, 2, 2], [4, 0, 0, 0]),
    "five squares": ([2, 2, 2, 2, 2], [4, 4, 2, 0, 0]),
    "in the middle": ([8, 16, 16, 8], [8, 32, 8, 0]),
    "no chain forwards": ([4, 4, 8, 0], [8, 8, 0, 0]),
    "no chain backwards": ([4, 2, 2, 0], [4, 4, 0, 0]),
    "front pair first": ([2, 2, 2, 0], [4, 2, 0, 0]),
    "front pair across a gap": ([2, 0, 2, 2], [4, 2, 0, 0]),
    "not across a tile": ([2, 4, 2, 0], [2, 4, 2, 0]),
    "big tiles": ([65536, 65536], [131072, 0]),
    "one square": ([2], [2]),
}


@pytest.mark.parametrize(
    ("function", "line", "gives"),
    [
        pytest.param(function, *case, id=f"{function.__name__}: {name}")
        for function, cases in ((close_gaps, CLOSED), (merge, MERGED))
        for name, case in cases.items()
    ],
)
def test_a_line_gives(function, line, gives):
    assert function(line) == gives


@given(lines)
def test_merging_keeps_the_length_and_the_sum_and_leaves_no_gap_before_a_tile(line):
    assert (len(merge(line)), sum(merge(line))) == (len(line), sum(line))
    assert merge(line) == close_gaps(merge(line))


@pytest.mark.parametrize("function", [close_gaps, merge, points])
@given(line=lines)
def test_a_line_that_is_passed_in_stays_as_it_is_and_is_not_the_answer(function, line):
    before = deepcopy(line)
    assert function(line) is not line
    assert line == before


@given(lines)
def test_points_are_the_sum_of_the_new_tiles(line):
    """The sum is computed from the counts of tiles: two missing tiles have become one new tile."""
    before, after = Counter(line), Counter(merge(line))
    made = 0
    merges = Counter()
    for value in sorted({*before, *after} - {0}):
        merges[2 * value] = (before[value] + merges[value] - after[value]) // 2
        made += 2 * value * merges[2 * value]
    assert points(line) == made
