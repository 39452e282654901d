"""A board: it turns, slides on both roads to four directions, and knows which moves are legal."""

from copy import deepcopy

import pytest
from hypothesis import given

from course.rules import (
    DIRECTIONS,
    is_legal,
    merge,
    rotate,
    slide,
    slide_by_offsets,
    start_squares,
    traverse,
)
from tests.course.rules.strategies import boards, directions

COURSERA = [[2, 2, 2, 2], [0, 4, 0, 0], [2, 2, 0, 0], [4, 0, 4, 4]]
ROADS = [pytest.param(slide, id="rotating"), pytest.param(slide_by_offsets, id="offsets")]


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize(
    ("before", "direction", "after"),
    [
        pytest.param(
            COURSERA,
            "right",
            [[0, 0, 4, 4], [0, 0, 0, 4], [0, 0, 0, 4], [0, 0, 4, 8]],
            id="Coursera, right",
        ),
        pytest.param(
            COURSERA,
            "up",
            [[4, 2, 2, 2], [4, 4, 4, 4], [0, 2, 0, 0], [0, 0, 0, 0]],
            id="Coursera, up",
        ),
        pytest.param([[2], [2], [0], [4]], "down", [[0], [0], [4], [4]], id="for the ear, down"),
        pytest.param([[2], [2], [0], [4]], "up", [[4], [4], [0], [0]], id="for the ear, up"),
        pytest.param(
            [[2, 0, 4, 0], [0] * 4, [0] * 4, [2, 0, 0, 0]],
            "up",
            [[4, 0, 4, 0], [0] * 4, [0] * 4, [0] * 4],
            id="special rules, up",
        ),
        pytest.param([[2, 2, 2]], "right", [[0, 2, 4]], id="the pair at the wall first"),
        pytest.param([[2, 0], [2, 4], [0, 4]], "up", [[4, 8], [0, 0], [0, 0]], id="3 by 2"),
        pytest.param([[2]], "left", [[2]], id="1 by 1"),
    ],
)
def test_a_slide_gives(road, before, direction, after):
    assert road(before, direction) == after


@given(boards(), directions)
def test_both_roads_give_the_same_on_any_board(board, direction):
    assert slide(board, direction) == slide_by_offsets(board, direction)


@given(boards(), directions)
def test_a_tile_alone_on_a_start_square_can_not_move_that_way(board, direction):
    for row, column in start_squares(board, direction):
        alone = [[0] * len(board[0]) for _ in board]
        alone[row][column] = 2
        assert not is_legal(alone, direction)
    lines = len(board) if direction in ("left", "right") else len(board[0])
    assert len(set(start_squares(board, direction))) == lines


@given(boards())
def test_sliding_left_merges_every_row(board):
    assert slide(board, "left") == [merge(row) for row in board]


@given(boards(), directions)
def test_a_slide_keeps_the_shape_and_the_sum(board, direction):
    slid = slide(board, direction)
    assert [len(row) for row in slid] == [len(row) for row in board]
    assert sum(map(sum, slid)) == sum(map(sum, board))


@given(boards())
def test_four_quarter_turns_give_the_board_back(board):
    assert rotate(rotate(rotate(rotate(board)))) == board


@given(boards())
def test_a_quarter_turn_makes_the_left_column_the_top_row_bottom_first(board):
    assert rotate(board)[0] == [row[0] for row in reversed(board)]


def test_a_quarter_turn_is_clockwise():
    assert rotate([[1, 2]]) == [[1], [2]]


@given(boards())
def test_sliding_down_is_sliding_left_on_a_board_that_is_turned(board):
    assert rotate(slide(board, "down")) == slide(rotate(board), "left")


@given(boards(), directions)
def test_a_move_is_legal_exactly_if_it_changes_the_board(board, direction):
    assert is_legal(board, direction) is (slide(board, direction) != board)


@pytest.mark.parametrize(
    ("board", "legal"),
    [
        pytest.param([[2, 0], [0, 0]], {"right", "down"}, id="a tile slides"),
        pytest.param([[2, 2]], {"left", "right"}, id="a full board merges"),
        pytest.param([[2, 4], [4, 2]], set(), id="nothing moves"),
        pytest.param([[0, 0]], set(), id="no tile"),
    ],
)
def test_the_legal_moves_are(board, legal):
    assert {direction for direction in DIRECTIONS if is_legal(board, direction)} == legal


@pytest.mark.parametrize("function", [slide, slide_by_offsets, start_squares, is_legal])
@pytest.mark.parametrize("wrong", ["Left", "", "north", 0, None, ["left"]], ids=repr)
def test_another_direction_raises_and_names_the_four(function, wrong):
    with pytest.raises(ValueError, match="'left', 'right', 'up', 'down'"):
        function([[2, 0]], wrong)


@pytest.mark.parametrize("function", [slide, slide_by_offsets, start_squares, is_legal])
@given(board=boards(), direction=directions)
def test_a_board_that_is_passed_in_stays_as_it_is(function, board, direction):
    before = deepcopy(board)
    function(board, direction)
    assert board == before


@given(boards(), directions)
def test_a_slide_shares_no_row_with_the_board_it_was_given(board, direction):
    rows = {id(row) for row in board}
    for road in (slide, slide_by_offsets):
        assert rows.isdisjoint(id(row) for row in road(board, direction))


@pytest.mark.parametrize(
    ("start", "step", "count", "visited"),
    [
        pytest.param((0, 0), (1, 0), 3, [(0, 0), (1, 0), (2, 0)], id="down"),
        pytest.param((2, 1), (0, -1), 2, [(2, 1), (2, 0)], id="left"),
        pytest.param((1, 1), (0, 1), 1, [(1, 1)], id="one square"),
        pytest.param((1, 1), (0, 1), 0, [], id="no square"),
    ],
)
def test_a_walk_visits(start, step, count, visited):
    assert traverse(start, step, count) == visited
