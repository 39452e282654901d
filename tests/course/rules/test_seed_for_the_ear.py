"""2048 for the ear: every sentence of the seed of that game, on the reference rules."""

from random import Random

import pytest

from course.rules import (
    announce_line,
    announce_move,
    announce_square,
    announce_status,
    find_square,
    is_over,
    merge,
    move_cursor,
    name_square,
    new_board,
    points,
    slide,
    spawn,
    take_turn,
)

COLUMN = [[2], [2], [0], [4]]
LONGEST = 100  # characters of one announcement on a board of 4 × 4


@pytest.mark.parametrize(
    ("direction", "after", "said"),
    [
        ("down", [[0], [0], [4], [4]], "Column A: zero, zero, 4, 4"),
        ("up", [[4], [4], [0], [0]], "Column A: 4, 4, zero, zero"),
    ],
)
def test_a_column_of_2_2_0_4_never_becomes_an_8(direction, after, said):
    assert slide(COLUMN, direction) == after
    assert announce_line(after, column=0) == said


def test_a_new_tile_is_a_2_or_a_4_with_equal_probability_where_that_is_asked_for():
    rng = Random(2048)
    tiles = [spawn([[0]], rng, p_four=0.5)[0][0] for _ in range(2000)]
    assert set(tiles) == {2, 4}
    assert 900 < tiles.count(4) < 1100


def test_a1_is_the_upper_left_square_and_d4_the_lower_right_one():
    assert (name_square(0, 0), name_square(3, 3)) == ("A1", "D4")
    assert (find_square("A1"), find_square("D4")) == ((0, 0), (3, 3))


def test_a_square_is_its_name_then_its_number_or_zero():
    board = [[2, 0, 0, 0]] * 4
    assert announce_square(board, 0, 0) == "A1 2"
    assert announce_square(board, 2, 1) == "B3 zero"


@pytest.mark.parametrize("width", [26, 27])
def test_boards_wider_than_26_columns_have_squares_without_a_name(width):
    board = [[2] * width]
    if width == 26:
        assert announce_square(board, 0, 25) == "Z1 2"
        return
    for ask in (
        lambda: name_square(0, 26),
        lambda: announce_square(board, 0, 26),
        lambda: announce_line(board, column=26),
    ):
        with pytest.raises(ValueError, match="names go from A1 to column Z"):
            ask()


def test_the_arrow_keys_walk_and_stop_at_the_walls():
    board = [[0, 0], [0, 0]]
    assert move_cursor(board, (0, 0), "right") == (0, 1)
    assert move_cursor(board, (0, 1), "right") == (0, 1)


def test_s_says_score_and_moves():
    assert announce_status(24, 7) == "Score 24, 7 moves"


def test_one_move_is_one_short_announcement_in_whole_games():
    for seed in range(20):
        rng = Random(seed)
        board = new_board(4, 4, rng)
        while not is_over(board):
            direction = rng.choice(("left", "right", "up", "down"))
            after = take_turn(board, direction, rng)
            slid = slide(board, direction)
            new = [(r, c) for r in range(4) for c in range(4) if slid[r][c] != after[r][c]]
            lines = board if direction in ("left", "right") else list(zip(*board, strict=True))
            gained = sum(points(list(line)) for line in lines)
            said = announce_move(board, after, gained, new[0] if new else None)
            assert len(said) <= LONGEST
            assert said == " ".join(said.split())
            assert said.startswith("Nothing moved.") == (after == board)
            assert ("Merged into " in said) == (f"{gained} points." in said) == (gained > 0)
            assert (f"at {name_square(*new[0])}." in said) if new else "New" not in said
            assert said.endswith("Game over.") == is_over(after)
            board = after


def test_eight_merges_in_one_move_are_no_flood():
    board = [[2, 2, 4, 4]] * 4
    after = [merge(row) for row in board]
    assert announce_move(board, after, 48, None) == "Merged into 8 and 4. 48 points."
