"""Lines and boards that checks use as cases: each set is about one idea only."""

from itertools import pairwise
from random import Random

import pytest

from course.cases import (
    boards_about,
    boards_about_over,
    boards_of_every_kind,
    each_direction,
    lines_about,
    moves_that,
    new_tiles,
    slid_some_way,
)
from course.cases.boards import SMALL
from course.rules import close_gaps, has_pair, is_legal, is_over, merge, rotate, slide
from course.rules.board import is_board

SHAPES = [(4, 4), (2, 3), (5, 2), (1, 6)]


def lines_of(board):
    """Return every row and column of a board, each of them once from each end."""
    return [
        line for turned in (board, rotate(board)) for row in turned for line in (row, row[::-1])
    ]


def tiles(board):
    return sum(tile > 0 for row in board for tile in row)


@pytest.mark.parametrize("idea", ["pair", "gap", "two pairs", "chain", "odd run"])
def test_lines_about_an_idea_merge(idea):
    lines = lines_about(idea)
    assert lines
    assert all(merge(line) != close_gaps(line) for line in lines)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    ("idea", "end_matters", "second_merge_matters"),
    [("plain", False, False), ("odd run", True, False), ("chain", False, True)],
)
def test_on_a_board_about_an_idea_nothing_else_matters(
    idea, end_matters, second_merge_matters, shape
):
    for board in boards_about(idea, 1, 10, *shape):
        lines = lines_of(board)
        from_the_end = [close_gaps(merge(line[::-1])[::-1]) for line in lines]
        assert (from_the_end != [merge(line) for line in lines]) is end_matters
        assert any(merge(merge(line)) != merge(line) for line in lines) is second_merge_matters


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    ("what", "legal", "merges"),
    [("slide", 1, 0), ("merge", 1, 1), ("both", 1, 1), ("nothing", 0, 0)],
)
def test_moves_do_what_they_are_drawn_for(what, legal, merges, shape):
    for board, direction in moves_that(what, 4, 10, *shape):
        after = slide(board, direction)
        assert is_legal(board, direction) == legal
        assert (tiles(after) < tiles(board)) == merges


def test_every_tile_of_a_drawn_board_is_one_of_the_game():
    boards = boards_about("plain", 1, 20) + [board for board, _ in moves_that("slide", 4, 20)]
    assert {tile for board in boards for row in board for tile in row} <= {0, *SMALL}


@pytest.mark.parametrize("board", [[[2, 4, 2, 2]], [[2], [4], [2], [2]]], ids=["row", "column"])
def test_of_the_boards_of_every_kind_one_has_its_only_pair_at_the_end(board):
    assert board in boards_of_every_kind((len(board), len(board[0])))


def test_the_same_seed_draws_the_same_and_nobody_can_spoil_it():
    first = boards_about("plain", 5, 3)
    first[0][0][0] = 99
    assert boards_about("plain", 5, 3)[0][0][0] != 99
    assert moves_that("slide", 5, 3) == moves_that("slide", 5, 3)


@pytest.mark.parametrize(("board", "direction"), each_direction([[[2, 2, 0], [4, 4, 0]]]))
def test_a_board_slid_in_any_direction_turned_or_mirrored_is_slid(board, direction):
    slid = slide(board, direction)
    for answer in (slid, rotate(rotate(slid)), slid[::-1]):
        assert slid_some_way(answer, board, "left") is None


@pytest.mark.parametrize(
    "answer", [None, [[4, 0]], [[4, 8], [0, 0], [0, 0]], [[2, 2, 0], [8, 0, 0]]]
)
def test_a_board_of_another_shape_or_half_slid_is_not(answer):
    assert slid_some_way(answer, [[2, 2, 0], [4, 4, 0]], "left") is not None


@pytest.mark.parametrize(
    ("after", "tiles"),
    [
        ([[8, 0]], []),
        ([[8, 2]], [2]),
        ([[8, 6]], [6]),
        ([[2, 0]], None),
        ([[0, 2]], None),
        ([[8, 0, 2]], None),
        ([[8, 0], [0, 0]], None),
        (None, None),
        ([8, 2], None),
    ],
)
def test_new_tiles_are_those_on_empty_squares_if_nothing_else_changed(after, tiles):
    assert new_tiles([[8, 0]], after) == tiles


@pytest.mark.parametrize("value", [None, [], [[]], [2], [[2.0]], [[True]], [(2, 4)], [[2], [2, 4]]])
def test_what_is_no_board_is_none(value):
    assert not is_board(value)


# -- the end of a game ----------------------------------------------------------------------------

ENDED = [(3, 3), (4, 4), (3, 5), (6, 3)]


def ended(idea: str, height: int, width: int):
    return boards_about_over(idea, Random(7), 30, height, width)


def pairs(board):
    lines = [*board, *rotate(board)]
    return sum(first == second != 0 for line in lines for first, second in pairwise(line))


@pytest.mark.parametrize(("height", "width"), [*ENDED, (1, 1), (1, 9), (9, 1), (2, 2)])
def test_a_stuck_board_is_over_and_has_no_equal_tiles_near_each_other_in_any_sense(height, width):
    for board in ended("stuck", height, width):
        assert is_over(board)
        assert [len(row) for row in board] == [width] * height
        assert all(len(set(line)) == len(line) for line in [*board, *rotate(board)])
        assert not has_pair([tile for row in board for tile in row])
        assert not any(
            board[row][column] in board[row + 1][max(0, column - 1) : column + 2]
            for row in range(height - 1)
            for column in range(width)
        )


@pytest.mark.parametrize(("height", "width"), ENDED)
def test_a_board_with_an_empty_square_has_no_pair(height, width):
    for board in ended("empty", height, width):
        assert any(0 in row for row in board)
        assert pairs(board) == 0


PLACES = {
    "row pair": lambda board: any(map(has_pair, board[:-1])),
    "column pair": lambda board: any(map(has_pair, rotate([row[:-1] for row in board]))),
    "edge pair": lambda board: has_pair(board[-1]) or has_pair([row[-1] for row in board]),
}


@pytest.mark.parametrize(("height", "width"), ENDED)
@pytest.mark.parametrize("idea", PLACES)
def test_a_board_about_a_pair_is_full_and_has_one_and_that_where_it_should_be(idea, height, width):
    for board in ended(idea, height, width):
        assert all(all(row) for row in board)
        assert pairs(board) == 1
        assert PLACES[idea](board)


@pytest.mark.parametrize(("height", "width"), ENDED)
def test_a_false_pair_is_none_and_a_won_board_goes_on_for_every_reason(height, width):
    assert all(map(is_over, ended("false pair", min(height, 4), width)))
    for board in ended("won", height, width):
        assert {0, 2048} <= {tile for row in board for tile in row}
        assert any(map(has_pair, board))
        assert any(map(has_pair, rotate(board)))


def test_an_unknown_idea_is_an_error():
    with pytest.raises(KeyError):
        ended("nothing", 4, 4)
