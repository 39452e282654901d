"""A line: gaps close, neighbours merge once, points count the new tiles."""

from collections import Counter
from copy import deepcopy

import pytest
from hypothesis import given

from course.rules import close_gaps, merge, points
from tests.course.rules.strategies import lines


@pytest.mark.parametrize(
    ("line", "closed"),
    [
        pytest.param([0, 2, 0, 4], [2, 4, 0, 0], id="gaps"),
        pytest.param([2, 4], [2, 4], id="none to close"),
        pytest.param([0, 0], [0, 0], id="nothing but gaps"),
        pytest.param([0, 2, 2], [2, 2, 0], id="equal tiles stay two"),
    ],
)
def test_closing_gaps_moves_tiles_to_the_front(line, closed):
    assert close_gaps(line) == closed


@pytest.mark.parametrize(
    ("line", "merged"),
    [
        pytest.param([2, 0, 2, 4], [4, 4, 0, 0], id="across a gap"),
        pytest.param([0, 0, 2, 2], [4, 0, 0, 0], id="at the far end"),
        pytest.param([2, 2, 0, 0], [4, 0, 0, 0], id="at the front"),
        pytest.param([2, 2, 2, 2], [4, 4, 0, 0], id="two pairs"),
        pytest.param([2, 2, 2, 2, 2], [4, 4, 2, 0, 0], id="five squares"),
        pytest.param([8, 16, 16, 8], [8, 32, 8, 0], id="in the middle"),
        pytest.param([4, 4, 4, 4], [8, 8, 0, 0], id="once only"),
        pytest.param([4, 4, 8, 0], [8, 8, 0, 0], id="no chain forwards"),
        pytest.param([4, 2, 2, 0], [4, 4, 0, 0], id="no chain backwards"),
        pytest.param([2, 2, 2, 0], [4, 2, 0, 0], id="front pair first"),
        pytest.param([2, 2, 4, 4], [4, 8, 0, 0], id="two unlike pairs"),
        pytest.param([2, 0, 2, 2], [4, 2, 0, 0], id="front pair across a gap"),
        pytest.param([2, 2, 4, 2], [4, 4, 2, 0], id="tiles behind follow"),
        pytest.param([2, 0, 0, 2], [4, 0, 0, 0], id="across two gaps"),
        pytest.param([2, 4, 2, 0], [2, 4, 2, 0], id="not across a tile"),
        pytest.param([65536, 65536], [131072, 0], id="big tiles"),
        pytest.param([2], [2], id="one square"),
    ],
)
def test_merging_a_line_gives(line, merged):
    assert merge(line) == merged


@given(lines)
def test_merging_keeps_the_length_and_the_sum(line):
    assert (len(merge(line)), sum(merge(line))) == (len(line), sum(line))


@given(lines)
def test_a_merged_line_has_no_gap_before_a_tile(line):
    assert merge(line) == close_gaps(merge(line))


@pytest.mark.parametrize("function", [close_gaps, merge, points])
@given(line=lines)
def test_a_line_that_is_passed_in_stays_as_it_is(function, line):
    before = deepcopy(line)
    function(line)
    assert line == before


@given(lines)
def test_the_answer_is_always_a_new_list(line):
    assert merge(line) is not line
    assert close_gaps(line) is not line


@pytest.mark.parametrize(
    ("line", "scored"),
    [
        pytest.param([2, 2, 4, 4], 12, id="two pairs"),
        pytest.param([2, 0, 0, 2], 4, id="across gaps"),
        pytest.param([4, 4, 4, 0], 8, id="three in a row"),
        pytest.param([2, 2, 4, 0], 4, id="no chain"),
        pytest.param([2, 4, 8], 0, id="no pair"),
        pytest.param([0, 0], 0, id="empty"),
    ],
)
def test_points_are(line, scored):
    assert points(line) == scored


@given(lines)
def test_points_are_the_sum_of_the_new_tiles(line):
    """Worked out from the counts alone: what is missing of a value has merged."""
    before, after = Counter(line), Counter(merge(line))
    made = 0
    merges = Counter()
    for value in sorted({*before, *after} - {0}):
        merges[2 * value] = (before[value] + merges[value] - after[value]) // 2
        made += 2 * value * merges[2 * value]
    assert points(line) == made
