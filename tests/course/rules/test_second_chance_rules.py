"""The special rules: a game is also won by points, and has one second chance."""

from copy import deepcopy
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.rules import SpecialGame, has_won_special, second_chance
from tests.course.rules.hypothesis_boards import boards, flat, seeds

LOST = [[512, 2, 4, 8], [2, 4, 8, 16], [4, 8, 16, 32], [8, 16, 32, 256]]
SAMPLE = [[2, 0, 4, 0], [0, 0, 0, 0], [0, 0, 0, 0], [2, 0, 0, 0]]
LOST_SMALL = [[256, 2], [4, 8]]
tiles = st.sampled_from([0, 2, 64, 128, 256, 512])


def lost_game(board=LOST, score=3000) -> SpecialGame:
    game = SpecialGame(len(board), len(board[0]), Random(1))
    game.board, game.score = deepcopy(board), score
    return game


def test_must_case_of_the_sample_game_up_gives_4_0_4_0_in_the_first_row_and_score_4():
    games = [SpecialGame(4, 4, Random(seed)) for seed in range(20)]
    for game in games:
        game.board = deepcopy(SAMPLE)
        assert game.move("up") is True
        assert game.score == 4
        assert [game.board[0][0], game.board[0][2]] == [4, 4]
    assert [4, 0, 4, 0] in [game.board[0] for game in games]


@pytest.mark.parametrize(
    ("board", "score", "won"),
    [
        pytest.param([[4096, 2]], 0, True, id="a tile of 2048 or more"),
        pytest.param([[2, 4]], 25_000, True, id="25,000 points"),
        pytest.param([[1024, 1024]], 24_999, False, id="neither, one point below"),
    ],
)
def test_a_game_is_won_by_a_tile_or_by_points(board, score, won):
    assert has_won_special(board, score) is lost_game(board, score).has_won is won


@given(boards(square=tiles), seeds, st.integers(0, 9999))
def test_a_second_chance_clears_six_small_tiles_or_all_and_costs_2048_points(board, seed, score):
    given_board = deepcopy(board)
    cleared_board, left = second_chance(board, score, Random(seed))
    before, after = flat(board), flat(cleared_board)
    cleared = [old for old, new in zip(before, after, strict=True) if old != new]
    assert len(cleared) == min(6, sum(0 < tile <= 128 for tile in before))
    assert all(0 < tile <= 128 for tile in cleared)
    assert sum(after) == sum(before) - sum(cleared)
    assert left == score - 2048
    assert board == given_board
    assert second_chance(board, score, Random(seed)) == (cleared_board, left)


def test_every_small_tile_may_be_cleared():
    cleared = set()
    for seed in range(200):
        board, _ = second_chance(LOST, 0, Random(seed))
        cleared |= {(r, c) for r in range(4) for c in range(4) if board[r][c] == 0}
    assert len(cleared) == 14


@pytest.mark.parametrize(
    ("board", "may"),
    [
        pytest.param(LOST, True, id="lost with exactly 512"),
        pytest.param([[1024, 2], [4, 8]], True, id="lost with more"),
        pytest.param(LOST_SMALL, False, id="lost with 256"),
        pytest.param([[512, 2], [4, 2]], False, id="a pair is left"),
        pytest.param([[512, 2], [4, 0]], False, id="a square is left"),
    ],
)
def test_a_lost_game_may_go_on_if_its_largest_tile_is_512_or_more(board, may):
    assert lost_game(board).can_continue is may


def test_continuing_clears_six_tiles_spawns_none_and_is_done_once_in_a_game():
    game = lost_game()
    assert game.continue_() is None
    assert sum(row.count(0) for row in game.board) == 6
    assert (game.score, game.is_over) == (952, False)
    game.board = deepcopy(LOST)
    assert (game.is_over, game.can_continue) == (True, False)
    with pytest.raises(ValueError, match="only once"):
        game.continue_()
    game.reset()
    assert (game.score, game.moves) == (0, 0)
    game.board = deepcopy(LOST)
    assert game.can_continue is True


def test_a_game_that_may_not_go_on_stays_as_it_is():
    game = lost_game(LOST_SMALL)
    with pytest.raises(ValueError, match="no second chance"):
        game.continue_()
    assert (game.board, game.score) == (LOST_SMALL, 3000)
