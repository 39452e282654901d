"""The words of a board, for players who listen: names of squares, lines, and announcements."""

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
    empty_cells,
    find_square,
    is_over,
    merged_tiles,
    move_cursor,
    name_square,
    new_board,
    slide,
    take_turn,
)
from course.rules.board import slide_points
from tests.course.rules.hypothesis_boards import boards, directions

BOARD = [[2, 0, 0, 4], [0, 8, 0, 0], [0, 0, 16, 0], [0, 0, 0, 2048]]
LONGEST = 100  # characters of one announcement on a board of 4 × 4


@pytest.mark.parametrize(
    ("square", "name"),
    [((0, 0), "A1"), ((3, 3), "D4"), ((2, 1), "B3"), ((0, 25), "Z1"), ((11, 0), "A12")],
)
def test_squares_are_named_from_a1_upper_left(square, name):
    assert name_square(*square) == name
    assert find_square(name) == square


@pytest.mark.parametrize(
    "ask",
    [
        pytest.param(lambda: name_square(-1, 0), id="row -1"),
        pytest.param(lambda: name_square(0, -1), id="column -1"),
        pytest.param(lambda: name_square(0, 26), id="beyond Z"),
        pytest.param(lambda: announce_square([[2] * 27], 0, 26), id="a square beyond Z"),
        pytest.param(lambda: announce_line([[2] * 27], column=26), id="a column beyond Z"),
    ],
)
def test_a_square_without_a_name_raises(ask):
    with pytest.raises(ValueError, match="has no name: names go from A1 to column Z"):
        ask()


@pytest.mark.parametrize(
    "wrong", ["", "B", "3", "3B", "b3", "B0", "B03", "B-1", "BB3", "B3 ", "B3\n", "B²", "É1"]
)
def test_anything_else_names_no_square(wrong):
    with pytest.raises(ValueError, match=re.escape(repr(wrong))):
        find_square(wrong)


def test_an_empty_square_is_read_as_the_word_asked_for():
    assert announce_square(BOARD, 0, 1, empty="empty") == "B1 empty"
    assert announce_line(BOARD, row=1, empty="-") == "Row 2: -, 8, -, -"
    assert announce_line(BOARD, column=3, empty="blank") == "Column D: 4, blank, blank, 2048"


@pytest.mark.parametrize("which", [{}, {"row": 0, "column": 0}], ids=["neither", "both"])
def test_one_line_is_read_at_a_time(which):
    with pytest.raises(ValueError, match="a row or a column"):
        announce_line(BOARD, **which)


MERGES = "Merged into 8 and 4. 12 points. New "
MOVES = {
    "a slide": ([[0, 2, 0]], [[2, 4, 0]], 0, (0, 1), "New 4 at B1."),
    "two merges": ([[2, 2, 4, 4]], [[4, 8, 2, 0]], 12, (0, 2), f"{MERGES}2 at C1."),
    "a spawned tile": ([[2, 2], [4, 4]], [[4, 0], [8, 4]], 12, (1, 1), f"{MERGES}4 at B2."),
    "many": ([[2, 2, 4, 4]] * 2, [[4, 8, 0, 0]] * 2, 24, None, "Merged into 8 and 4. 24 points."),
}


@pytest.mark.parametrize(
    ("before", "after", "gained", "spawned", "said"), MOVES.values(), ids=MOVES
)
def test_a_move_is_announced_in_one_short_text(before, after, gained, spawned, said):
    assert announce_move(before, after, gained, spawned) == said


def test_winning_and_the_end_are_said_last_and_read_from_the_boards_if_they_are_not_given():
    said = announce_move([[1024, 1024]], [[2048, 2]], 2048, (0, 1), won=True, over=True)
    assert said == "Merged into 2048. 2048 points. New 2 at B1. You win! Game over."
    assert announce_move([[1024, 1024]], [[2048, 2]], 2048, (0, 1)) == said
    assert announce_move([[2048, 2]], [[2048, 2]], 0, None) == "Nothing moved."


def test_one_move_is_one_short_announcement_in_whole_games():
    for seed in range(20):
        rng = Random(seed)
        board = new_board(4, 4, rng)
        while not is_over(board):
            direction = rng.choice(DIRECTIONS)
            after, slid = take_turn(board, direction, rng), slide(board, direction)
            new = next(iter(set(empty_cells(slid)) - set(empty_cells(after))), None)
            gained = slide_points(board, direction)
            merged = merged_tiles(board, after, new)
            assert (sum(merged), merged) == (gained, sorted(merged, reverse=True))
            said = announce_move(board, after, gained, new)
            assert len(said) <= LONGEST
            assert said.startswith("Nothing moved.") == (after == board)
            assert ("Merged into " in said) == (f"{gained} points." in said) == (gained > 0)
            assert (f"at {name_square(*new)}." in said) if new else "New" not in said
            assert said.endswith("Game over.") == is_over(after)
            board = after


@given(boards(), boards(), directions)
def test_any_two_boards_can_be_announced_without_padding(before, after, direction):
    said = announce_move(before, after, 0, None)
    assert said == " ".join(said.split())


@pytest.mark.parametrize(
    ("direction", "square"),
    [("left", (1, 0)), ("right", (1, 2)), ("up", (0, 1)), ("down", (2, 1))],
)
def test_a_cursor_steps_to_the_next_square(direction, square):
    assert move_cursor([[0] * 3] * 3, (1, 1), direction) == square


@given(boards(), st.lists(st.sampled_from(DIRECTIONS)))
def test_a_cursor_never_leaves_the_board_and_stops_at_the_wall(board, walk):
    square = (0, 0)
    for direction in walk:
        before, square = square, move_cursor(board, square, direction)
        assert 0 <= square[0] < len(board)
        assert 0 <= square[1] < len(board[0])
        assert sum(abs(a - b) for a, b in zip(before, square, strict=True)) <= 1


def test_a_cursor_knows_four_directions():
    with pytest.raises(ValueError, match="'left', 'right', 'up', 'down'"):
        move_cursor(BOARD, (0, 0), "north")
