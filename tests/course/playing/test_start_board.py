"""Boards to start from: a message says what is wrong with one, and in which place."""

import re

import pytest

from course import play
from course.playing.answer_validation import check_board, check_size


@pytest.mark.parametrize(
    ("board", "said"),
    [
        ([[2, 4], [2]], "board[1] has 1 square and board[0] has 2"),
        ([[2, 0], [3, 0]], "board[1][0] is 3: a square holds 0, or a tile"),
        ([[1]], "board[0][0] is 1:"),
        ([[2, -2]], "board[0][1] is -2:"),
        ([["2", 0]], "board[0][0] is '2', of the type str"),
        ([[2.0]], "board[0][0] is 2.0, of the type float"),
        ([[True]], "board[0][0] is True, of the type bool"),
        ([[type("int64", (int,), {})(2)]], "of the type int64"),
        (type("ndarray", (), {})(), "and not a ndarray"),
        ([], "board has 0 rows"),
        ([[]], "board[0] has 0 squares"),
        ([(2, 4)], "board[0] is (2, 4): a row must be a list"),
        ([[0]] * 1000, "board has 1000 rows"),
        ([[0] * 1000], "board[0] has 1000 squares"),
        ([[2**60]], "board[0][0] is"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_board_that_can_not_be_played_is_refused_with_its_place(board, said) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        play(board=board)


@pytest.mark.parametrize("name", ["height", "width"])
@pytest.mark.parametrize("size", [0, 33, 4.0, "4", None, True], ids=repr)
def test_a_size_that_no_board_has_is_refused(name: str, size) -> None:
    with pytest.raises(ValueError, match=f"{name} must be a whole number from 1 to 32"):
        play(**{name: size})


@pytest.mark.parametrize("board", [[[0]], [[2, 4, 131072]], [[0] * 32] * 32], ids=len)
def test_any_board_of_tiles_is_good_to_start_from(board) -> None:
    check_board(board)
    check_size(len(board), len(board[0]))
