"""The end of a game: it is over without a legal move, and won with a tile of the goal or more."""

from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.rules import DIRECTIONS, has_pair, has_won, is_legal, is_over
from tests.course.rules.hypothesis_boards import boards, lines

PAIRS = {
    "at the front": ([2, 2, 4], True),
    "across a gap": ([2, 0, 2], False),
    "one square": ([2], False),
}
OVER = {
    "no pair, not square": ([[2, 4, 2], [4, 2, 4]], True),
    "pairs in columns only": ([[2, 4], [2, 4]], False),
    "an empty square": ([[0, 2], [2, 4]], False),
    "no wrapping around": ([[2, 4, 2]], True),
    "1 by 1": ([[2]], True),
    "1 by 1, empty": ([[0]], False),
}


@pytest.mark.parametrize(("line", "pair"), PAIRS.values(), ids=PAIRS)
def test_a_pair_is_two_equal_tiles_side_by_side(line, pair):
    assert has_pair(line) is pair


@given(lines)
def test_a_line_has_a_pair_whichever_way_it_is_read(line):
    assert has_pair(line) is has_pair(line[::-1])


@pytest.mark.parametrize(("board", "over"), OVER.values(), ids=OVER)
def test_a_game_is_over_when_nothing_can_move(board, over):
    assert is_over(board) is over


@given(boards(square=st.sampled_from([2, 4, 8, 16])))
def test_a_full_board_is_over_exactly_if_no_move_is_legal_and_stays_as_it_is(board):
    before = deepcopy(board)
    assert is_over(board) is not any(is_legal(board, direction) for direction in DIRECTIONS)
    assert has_won(board) is False
    assert board == before


def test_a_game_is_won_by_a_tile_of_the_goal_or_more():
    assert has_won([[64, 2]], 64) is has_won([[64], [128]], 64) is True
    assert has_won([[2048]], 4096) is has_won([[2048, 2048]], 4096) is False
