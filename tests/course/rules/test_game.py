"""A game: it starts, plays turns, counts, ends, and starts again."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.rules import Game, is_legal, points, slide
from tests.course.rules.strategies import boards, directions, seeds


def game_with(board, seed=1, **options) -> Game:
    game = Game(len(board), len(board[0]), Random(seed), **options)
    game.board = board
    return game


def test_a_game_starts_with_two_tiles_no_points_and_no_moves():
    game = Game(3, 5, Random(1))
    assert [len(row) for row in game.board] == [5] * 3
    assert sum(tile > 0 for row in game.board for tile in row) == 2
    assert (game.score, game.moves) == (0, 0)


def test_a_game_is_four_by_four_and_has_chance_of_its_own_unless_told_otherwise():
    game = Game()
    assert [len(row) for row in game.board] == [4] * 4
    assert game.rng is not Game().rng


@pytest.mark.parametrize(
    ("board", "direction", "score"),
    [
        pytest.param(
            [[2, 0, 4, 0], [0] * 4, [0] * 4, [2, 0, 0, 0]], "up", 4, id="special rules' sample"
        ),
        pytest.param([[2, 2, 4, 4]], "right", 12, id="two pairs in a row"),
        pytest.param([[2, 4], [2, 4]], "down", 12, id="two columns"),
        pytest.param([[2, 2, 2]], "left", 4, id="three in a row"),
        pytest.param([[0, 2]], "left", 0, id="a slide without a merge"),
    ],
)
def test_a_move_scores_every_tile_that_it_makes(board, direction, score):
    game = game_with(board)
    assert game.move(direction) is True
    assert (game.score, game.moves) == (score, 1)


def test_the_sample_of_the_special_rules_slides_up_to_4_0_4_0():
    game = game_with([[2, 0, 4, 0], [0] * 4, [0] * 4, [2, 0, 0, 0]])
    game.move("up")
    assert game.board[0][0] == 4
    assert game.board[0][2] == 4
    assert sum(tile > 0 for row in game.board for tile in row) == 3


@given(boards(), directions, seeds)
def test_a_move_adds_to_the_sum_of_the_board_only_what_is_spawned(board, direction, seed):
    before = sum(map(sum, board))
    game = game_with(board, seed)
    moved = game.move(direction)
    assert sum(map(sum, game.board)) - before in ((2, 4) if moved else (0,))


@given(boards(), directions)
def test_a_move_along_rows_scores_the_points_of_its_lines(board, direction):
    game = game_with(board)
    lines = board if direction in ("left", "right") else list(zip(*board, strict=True))
    front_first = [list(line)[:: 1 if direction in ("left", "up") else -1] for line in lines]
    game.move(direction)
    assert game.score == sum(map(points, front_first))


@given(boards(), directions)
def test_an_illegal_move_changes_nothing(board, direction):
    game = game_with(board)
    was_legal = is_legal(board, direction)
    assert game.move(direction) is was_legal
    if not was_legal:
        assert (game.board, game.score, game.moves) == (board, 0, 0)


def test_another_direction_raises_and_changes_nothing():
    game = game_with([[2, 0]])
    with pytest.raises(ValueError, match="'left', 'right', 'up', 'down'"):
        game.move("forward")
    assert (game.board, game.moves) == ([[2, 0]], 0)


def test_p_four_goes_to_every_spawn():
    game = Game(1, 4, Random(1), p_four=1)
    assert sorted(game.board[0]) == [0, 0, 4, 4]
    game.board = [[0, 2, 4, 0]]
    game.move("left")
    assert sorted(game.board[0]) == [0, 2, 4, 4]


def test_a_reset_starts_again():
    game = game_with([[2, 2, 4, 4]])
    game.move("left")
    game.reset()
    assert (game.score, game.moves) == (0, 0)
    assert sum(tile > 0 for tile in game.board[0]) == 2


def test_a_game_is_over_and_won_by_its_board():
    game = game_with([[2048, 2]])
    assert game.has_won is True
    assert game.is_over is True
    game.board = [[2, 2]]
    assert game.has_won is False
    assert game.is_over is False


@given(seeds, st.integers(1, 5), st.integers(1, 5))
def test_the_same_seed_plays_the_same_game(seed, height, width):
    first, second = Game(height, width, Random(seed)), Game(height, width, Random(seed))
    for direction in ("left", "up", "right", "down"):
        first.move(direction)
        second.move(direction)
    assert first.board == second.board


def test_a_whole_game_plays_to_its_end():
    game, chance = Game(3, 3, Random(7)), Random(8)
    while not game.is_over:
        before = game.board
        direction = chance.choice(("left", "right", "up", "down"))
        assert game.move(direction) is (slide(before, direction) != before)
    assert not any(is_legal(game.board, way) for way in ("left", "right", "up", "down"))


def test_the_text_of_a_game_lines_up_its_columns():
    game = game_with([[2, 0], [16, 128]])
    assert str(game) == "  2   .\n 16 128\nScore: 0"
