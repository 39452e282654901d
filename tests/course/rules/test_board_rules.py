"""The rules of a board: turning it, sliding in four directions, by two methods, and legal moves."""

from copy import deepcopy
from functools import partial
from random import Random

import pytest
from hypothesis import given

from course.rules import is_legal, merge, rotate, slide, slide_by_offsets, start_squares, take_turn
from tests.course.rules.hypothesis_boards import boards, directions

COURSERA = [[2, 2, 2, 2], [0, 4, 0, 0], [2, 2, 0, 0], [4, 0, 4, 4]]
ROADS = [slide, slide_by_offsets]
SLIDES = {
    "Coursera, right": (COURSERA, "right", [[0, 0, 4, 4], *[[0, 0, 0, 4]] * 2, [0, 0, 4, 8]]),
    "Coursera, up": (COURSERA, "up", [[4, 2, 2, 2], [4, 4, 4, 4], [0, 2, 0, 0], [0, 0, 0, 0]]),
    "the pair at the wall first": ([[2, 2, 2]], "right", [[0, 2, 4]]),
    "3 by 2": ([[2, 0], [2, 4], [0, 4]], "up", [[4, 8], [0, 0], [0, 0]]),
}


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize(("before", "direction", "after"), SLIDES.values(), ids=SLIDES)
def test_a_slide_gives(road, before, direction, after):
    assert road(before, direction) == after


@given(boards(), directions)
def test_both_roads_give_the_same_on_any_board_and_share_no_row_with_it(board, direction):
    ways = [road(board, direction) for road in ROADS]
    assert ways[0] == ways[1]
    rows = {id(row) for row in board}
    assert rows.isdisjoint(id(row) for way in ways for row in way)


@given(boards(), directions)
def test_a_tile_alone_on_a_start_square_can_not_move_that_way(board, direction):
    for row, column in start_squares(board, direction):
        alone = [[0] * len(board[0]) for _ in board]
        alone[row][column] = 2
        assert not is_legal(alone, direction)
    lines = len(board) if direction in ("left", "right") else len(board[0])
    assert len(set(start_squares(board, direction))) == lines


@given(boards())
def test_sliding_left_merges_every_row_and_sliding_down_does_so_on_a_board_that_is_turned(board):
    assert slide(board, "left") == [merge(row) for row in board]
    assert rotate(slide(board, "down")) == slide(rotate(board), "left")


@given(boards())
def test_a_quarter_turn_is_clockwise_and_four_give_the_board_back(board):
    assert rotate(board)[0] == [row[0] for row in reversed(board)]
    assert rotate(rotate(rotate(rotate(board)))) == board


@given(boards(), directions)
def test_a_move_is_legal_exactly_if_it_changes_the_board(board, direction):
    assert is_legal(board, direction) is (slide(board, direction) != board)


TURN = partial(take_turn, rng=Random(1))


@pytest.mark.parametrize("function", [*ROADS, start_squares, is_legal, TURN])
@pytest.mark.parametrize("wrong", ["Left", "", 0, None, ["left"]], ids=repr)
def test_another_direction_raises_and_names_the_four(function, wrong):
    with pytest.raises(ValueError, match="'left', 'right', 'up', 'down'"):
        function([[2, 0]], wrong)


@pytest.mark.parametrize("function", [*ROADS, start_squares, is_legal])
@given(board=boards(), direction=directions)
def test_a_board_that_is_passed_in_stays_as_it_is(function, board, direction):
    before = deepcopy(board)
    function(board, direction)
    assert board == before
