"""The words of a board: names of squares, whole lines, one short announcement for each move."""

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.rules import (
    DIRECTIONS,
    announce_line,
    announce_move,
    announce_square,
    announce_status,
    empty_cells,
    find_square,
    merged_tiles,
    move_cursor,
    name_square,
    points,
    slide,
    spawn,
)
from tests.course.rules.strategies import boards, directions, seeds

BOARD = [[2, 0, 0, 4], [0, 8, 0, 0], [0, 0, 16, 0], [0, 0, 0, 2048]]


@pytest.mark.parametrize(
    ("square", "name"),
    [((0, 0), "A1"), ((3, 3), "D4"), ((2, 1), "B3"), ((0, 25), "Z1"), ((11, 0), "A12")],
)
def test_squares_are_named_from_a1_upper_left(square, name):
    assert name_square(*square) == name
    assert find_square(name) == square


@given(st.integers(0, 99), st.integers(0, 25))
def test_a_name_leads_back_to_its_square(row, column):
    assert find_square(name_square(row, column)) == (row, column)


@pytest.mark.parametrize("square", [(-1, 0), (0, -1), (0, 26)], ids=str)
def test_a_square_without_a_name_raises(square):
    with pytest.raises(ValueError, match="has no name"):
        name_square(*square)


@pytest.mark.parametrize(
    "wrong", ["", "B", "3", "3B", "b3", "B0", "B03", "B-1", "BB3", "B3 ", "B3\n", "B²", "É1"]
)
def test_anything_else_names_no_square(wrong):
    with pytest.raises(ValueError, match=re.escape(repr(wrong))):
        find_square(wrong)


def test_a_square_is_its_name_and_its_tile():
    assert announce_square(BOARD, 3, 3) == "D4 2048"


def test_an_empty_square_is_zero_or_the_word_that_is_asked_for():
    assert announce_square(BOARD, 0, 1) == "B1 zero"
    assert announce_square(BOARD, 0, 1, empty="empty") == "B1 empty"


def test_a_row_and_a_column_are_read_whole():
    assert announce_line(BOARD, row=1) == "Row 2: zero, 8, zero, zero"
    assert announce_line(BOARD, column=3) == "Column D: 4, zero, zero, 2048"
    assert announce_line(BOARD, column=3, empty="blank") == "Column D: 4, blank, blank, 2048"


@pytest.mark.parametrize("which", [{}, {"row": 0, "column": 0}], ids=["neither", "both"])
def test_one_line_is_read_at_a_time(which):
    with pytest.raises(ValueError, match="a row or a column"):
        announce_line(BOARD, **which)


@pytest.mark.parametrize(
    ("before", "after", "gained", "spawned", "said"),
    [
        pytest.param([[2, 4]], [[2, 4]], 0, None, "Nothing moved.", id="nothing"),
        pytest.param([[0, 2, 0]], [[2, 4, 0]], 0, (0, 1), "New 4 at B1.", id="a slide"),
        pytest.param(
            [[2, 2, 0]],
            [[4, 0, 2]],
            4,
            (0, 2),
            "Merged into 4. 4 points. New 2 at C1.",
            id="a merge",
        ),
        pytest.param(
            [[2, 2, 4, 4]],
            [[4, 8, 2, 0]],
            12,
            (0, 2),
            "Merged into 8 and 4. 12 points. New 2 at C1.",
            id="two merges",
        ),
        pytest.param(
            [[2, 2], [4, 4]],
            [[4, 0], [8, 4]],
            12,
            (1, 1),
            "Merged into 8 and 4. 12 points. New 4 at B2.",
            id="a spawned tile is no merge",
        ),
    ],
)
def test_a_move_is_announced_in_one_short_text(before, after, gained, spawned, said):
    assert announce_move(before, after, gained, spawned) == said


def test_winning_and_the_end_are_said_last():
    said = announce_move([[1024, 1024]], [[2048, 2]], 2048, (0, 1), won=True, over=True)
    assert said == "Merged into 2048. 2048 points. New 2 at B1. You win! Game over."


@given(boards(), directions, seeds)
def test_the_merged_tiles_are_worth_the_points(board, direction, seed):
    slid = slide(board, direction)
    if slid == board:
        assert merged_tiles(board, board) == []
        return
    after = spawn(slid, Random(seed))
    [spawned] = set(empty_cells(slid)) - set(empty_cells(after))
    lines = board if direction in ("left", "right") else list(zip(*board, strict=True))
    gained = sum(points(list(line)) for line in lines)
    tiles = merged_tiles(board, after, spawned)
    assert sum(tiles) == gained
    assert tiles == sorted(tiles, reverse=True)


@given(boards(), boards(), directions)
def test_any_two_boards_can_be_announced_without_padding(before, after, direction):
    said = announce_move(before, after, 0, None)
    assert said == " ".join(said.split())


def test_the_status_is_score_and_moves():
    assert announce_status(120, 14) == "Score 120, 14 moves"
    assert announce_status(0, 1) == "Score 0, 1 move"


@pytest.mark.parametrize(
    ("direction", "square"),
    [("left", (1, 0)), ("right", (1, 2)), ("up", (0, 1)), ("down", (2, 1))],
)
def test_a_cursor_steps_to_the_next_square(direction, square):
    assert move_cursor([[0] * 3] * 3, (1, 1), direction) == square


@given(boards(), st.lists(st.sampled_from(DIRECTIONS)))
def test_a_cursor_never_leaves_the_board(board, walk):
    square = (0, 0)
    for direction in walk:
        square = move_cursor(board, square, direction)
        assert 0 <= square[0] < len(board)
        assert 0 <= square[1] < len(board[0])


@given(boards(), directions)
def test_a_cursor_stops_at_the_wall(board, direction):
    square = (0, 0)
    for _ in range(len(board) + len(board[0])):
        square = move_cursor(board, square, direction)
    assert move_cursor(board, square, direction) == square


def test_a_cursor_knows_four_directions():
    with pytest.raises(ValueError, match="'left', 'right', 'up', 'down'"):
        move_cursor(BOARD, (0, 0), "north")
