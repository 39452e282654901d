"""The class `Game`: its start, turns, score, end, and reset."""

from random import Random

import pytest
from hypothesis import given

from course.rules import Game, is_legal, points
from tests.course.rules.hypothesis_boards import boards, directions, seeds


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


@given(boards(), directions, seeds)
def test_a_legal_move_slides_spawns_and_scores_its_lines_and_an_illegal_one_changes_nothing(
    board, direction, seed
):
    game, twin = game_with(board, seed), game_with(board, seed)
    was_legal = is_legal(board, direction)
    assert game.move(direction) is was_legal
    if not was_legal:
        assert (game.board, game.score, game.moves) == (board, 0, 0)
        return
    lines = board if direction in ("left", "right") else list(zip(*board, strict=True))
    front_first = [list(line)[:: 1 if direction in ("left", "up") else -1] for line in lines]
    assert (game.score, game.moves) == (sum(map(points, front_first)), 1)
    assert sum(map(sum, game.board)) - sum(map(sum, board)) in (2, 4)
    twin.move(direction)
    assert twin.board == game.board


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
    assert (game.has_won, game.is_over) == (True, True)
    game.board = [[2, 2]]
    assert (game.has_won, game.is_over) == (False, False)


def test_the_text_of_a_game_lines_up_its_columns():
    game = game_with([[2, 0], [16, 128]])
    assert str(game) == "  2   .\n 16 128\nScore: 0"
