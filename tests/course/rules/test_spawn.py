"""Spawning: one new tile on an empty square, with random numbers from `rng` only."""

import random
from collections import Counter
from copy import deepcopy
from random import Random

import pytest
from hypothesis import given

from course.rules import empty_cells, is_legal, new_board, slide, spawn, take_turn
from tests.course.rules.hypothesis_boards import boards, directions, flat, seeds


def changed(first, second):
    """Return (old value, new value) for each square that differs between two boards."""
    pairs = zip(flat(first), flat(second), strict=True)
    return [(old, new) for old, new in pairs if old != new]


@given(boards())
def test_every_empty_square_is_listed_once_in_reading_order(board):
    cells = empty_cells(board)
    assert cells == sorted(set(cells))
    assert len(cells) == sum(row.count(0) for row in board)
    assert all(board[row][column] == 0 for row, column in cells)


@given(boards(), directions, seeds)
def test_one_tile_is_spawned_by_a_spawn_and_by_a_legal_turn_and_none_by_another(
    board, direction, seed
):
    before = deepcopy(board)
    turned = take_turn(board, direction, Random(seed))
    new = changed(slide(board, direction), turned)
    assert [old for old, _ in new] == [0] * is_legal(board, direction)
    if not empty_cells(board):
        with pytest.raises(ValueError, match="full"):
            spawn(board, Random(seed))
    else:
        spawned = spawn(board, Random(seed))
        [(old, tile)] = changed(board, spawned)
        assert old == 0
        assert tile in (2, 4)
        assert spawn(board, Random(seed)) == spawned
    assert board == before


@pytest.mark.parametrize("p_four", [0.1, 0.5])
def test_fours_come_as_often_as_p_four_says(p_four):
    """Five standard deviations are 0.011 for 10 % and 0.018 for 50 %; the limit of 0.02 is more."""
    rng = Random(2048)
    options = {} if p_four == 0.1 else {"p_four": p_four}
    fours = sum(spawn([[0]], rng, **options) == [[4]] for _ in range(20_000))
    assert fours / 20_000 == pytest.approx(p_four, abs=0.02)


def test_every_empty_square_is_as_likely_as_the_next():
    """Of 20,000 spawns, each of 5 squares should get 4,000; the standard deviation is 57."""
    rng, board = Random(2048), [[0, 2, 4, 8, 16], [0, 0, 0, 0, 2]]
    counts = Counter()
    for _ in range(20_000):
        after = spawn(board, rng)
        counts.update(set(empty_cells(board)) - set(empty_cells(after)))
    assert set(counts) == set(empty_cells(board))
    assert all(abs(count - 4000) < 300 for count in counts.values())


def test_global_chance_is_never_used_and_an_illegal_turn_uses_none():
    before, rng = random.getstate(), Random(3)
    take_turn(new_board(4, 4, Random(1)), "left", Random(2))
    assert random.getstate() == before
    take_turn([[2, 4]], "left", rng)
    assert rng.getstate() == Random(3).getstate()


@pytest.mark.parametrize(("height", "width", "tiles"), [(1, 2, 2), (5, 3, 2), (1, 1, 1)])
def test_a_new_board_has_two_tiles_where_they_fit_and_rows_of_its_own(height, width, tiles):
    for seed in range(200):
        board = new_board(height, width, Random(seed))
        assert [len(row) for row in board] == [width] * height
        assert sum(tile in (2, 4) for row in board for tile in row) == tiles
        assert len(empty_cells(board)) == height * width - tiles
    assert len({id(row) for row in board}) == height
