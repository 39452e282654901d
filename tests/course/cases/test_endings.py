"""Boards that checks use as cases for the end of a game: each set is about one idea only."""

from itertools import pairwise
from random import Random

import pytest

from course.cases import boards_about_over
from course.rules import has_pair, is_over, rotate

SHAPES = [(3, 3), (4, 4), (3, 5), (6, 3)]


def boards(idea: str, height: int, width: int):
    return boards_about_over(idea, Random(7), 30, height, width)


def pairs(board):
    lines = [*board, *rotate(board)]
    return sum(first == second != 0 for line in lines for first, second in pairwise(line))


@pytest.mark.parametrize(("height", "width"), [*SHAPES, (1, 1), (1, 9), (9, 1), (2, 2)])
def test_a_stuck_board_is_over_and_of_its_shape(height, width):
    for board in boards("stuck", height, width):
        assert is_over(board)
        assert [len(row) for row in board] == [width] * height


@pytest.mark.parametrize(("height", "width"), SHAPES)
def test_a_stuck_board_has_no_equal_tiles_near_each_other_in_any_sense(height, width):
    for board in boards("stuck", height, width):
        assert all(len(set(line)) == len(line) for line in [*board, *rotate(board)])
        assert not has_pair([tile for row in board for tile in row])
        assert not any(
            board[row][column] in board[row + 1][max(0, column - 1) : column + 2]
            for row in range(height - 1)
            for column in range(width)
        )


@pytest.mark.parametrize(("height", "width"), SHAPES)
def test_a_board_with_an_empty_square_has_no_pair(height, width):
    for board in boards("empty", height, width):
        assert any(0 in row for row in board)
        assert pairs(board) == 0


PLACES = {
    "row pair": lambda board: any(map(has_pair, board[:-1])),
    "column pair": lambda board: any(map(has_pair, rotate([row[:-1] for row in board]))),
    "edge pair": lambda board: has_pair(board[-1]) or has_pair([row[-1] for row in board]),
}


@pytest.mark.parametrize(("height", "width"), SHAPES)
@pytest.mark.parametrize("idea", PLACES)
def test_a_board_about_a_pair_is_full_and_has_one_and_that_where_it_should_be(idea, height, width):
    for board in boards(idea, height, width):
        assert all(all(row) for row in board)
        assert pairs(board) == 1
        assert PLACES[idea](board)


@pytest.mark.parametrize(("height", "width"), [(3, 3), (4, 4), (3, 5)])
def test_a_false_pair_is_none(height, width):
    assert all(map(is_over, boards("false pair", height, width)))


@pytest.mark.parametrize(("height", "width"), SHAPES)
def test_a_won_board_goes_on_for_every_reason(height, width):
    for board in boards("won", height, width):
        tiles = [tile for row in board for tile in row]
        assert {0, 2048} <= set(tiles)
        assert any(map(has_pair, board))
        assert any(map(has_pair, rotate(board)))


def test_an_unknown_idea_is_an_error():
    with pytest.raises(KeyError):
        boards("nothing", 4, 4)
