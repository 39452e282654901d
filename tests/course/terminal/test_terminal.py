"""2048 in a terminal: its keys, its plain output, and its drawn board."""

from pathlib import Path
from random import Random

import pytest

from course import rules
from course.rules import Game
from course.terminal.load_own_functions import pieces_of
from course.terminal.loop import HELP
from tests.course.terminal.played import CASCADE, SAMPLE, drawn, match_on, told_by, typed


def test_the_sample_of_the_special_rules_slides_up_and_scores_4(capsys):
    told = told_by(match_on(SAMPLE), "w e", capsys)
    assert "Score 4, 1 move.\nMerged into 4. 4 points. New " in told
    assert any(line.split()[::2] == ["4", "4"] for line in told.splitlines())


@pytest.mark.parametrize(
    ("key", "direction"),
    [("w", "up"), ("a", "left"), ("s", "down"), ("d", "right"), ("W", "up"), ("\x1b[A", "up"),
     ("\x1b[D", "left"), ("\x1bOB", "down"), ("\x1b[C", "right")],
)  # fmt: skip
def test_a_key_slides(key, direction, capsys):
    board = [[0, 0, 0], [0, 2, 0], [0, 0, 0]]
    match = match_on(board)
    told_by(match, key, capsys)
    row, column = rules.move_cursor(board, (1, 1), direction)
    assert match.board[row][column] == 2


def test_keys_may_come_one_a_line_or_many_a_line():
    assert typed("w\na\ns\ne\n", "--seed", "3") == typed("w a s e", "--seed", "3")


def test_a_seed_plays_the_same_game_as_the_rules():
    game = Game(rng=Random(3))
    for direction in ("up", "left", "down"):
        game.move(direction)
    last = typed("w a s", "--seed", "3")
    assert str(game).splitlines()[:4] == last.split("\n\n")[3].splitlines()[:4]


def test_no_more_keys_end_the_game_politely():
    assert typed("").endswith("No more keys. Goodbye.\n\n")


def test_e_ends_the_game():
    assert typed("e w w").endswith("Goodbye.\n\n")
    assert "No more keys" not in typed("e w w")


@pytest.mark.parametrize("key", ["x", "left", "\x1b[Z", "\x1b", "é", "wa"])
def test_another_key_says_which_keys_there_are(key, capsys):
    match = match_on(SAMPLE)
    assert f"There is no key {key!r}. {HELP}" in told_by(match, key, capsys)
    assert match.board == SAMPLE


def test_a_move_that_does_nothing_is_said_without_the_board_again(capsys):
    told = told_by(match_on([[2, 4, 0]]), "a", capsys).split("\n\n")
    assert told[1] == "Nothing moved."


def test_the_end_is_said_and_ends_the_game(capsys):
    told = told_by(match_on([[4, 8, 0]]), "d d d", capsys)
    assert told.count("Game over.") == 1
    assert told.endswith("Game over.\n\n")
    assert "2 moves" not in told


def test_winning_is_said_once_and_play_goes_on(capsys):
    told = told_by(match_on([[8, 8, 0, 0]], goal=16), "a d a", capsys)
    assert told.count("You win!") == 1
    assert "2 moves" in told


def test_size_and_goal_are_options():
    first = typed("e", "--height", "2", "--width", "5").splitlines()
    assert [len(row.split()) for row in first[:2]] == [5, 5]
    assert first[2] == "Score 0, 0 moves."


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        pytest.param((80, 40), "│      │      │      │      │\n│  2   │", id="tall tiles"),
        pytest.param((80, 15), "│  2   │  ·   │  4   │  ·   │\n├──────┼", id="low tiles"),
        pytest.param((20, 12), "2 . 4 .", id="text"),
    ],
)
def test_the_drawn_board_is_as_large_as_there_is_room_for(size, shown):
    assert shown in drawn(match_on(SAMPLE), [], *size)


def test_a_wrong_square_is_marked_on_the_drawn_board(own):
    match = match_on([[4, 2, 2, 0]], pieces_of(Path(own(CASCADE))).items())
    assert "│  8!  │" in drawn(match, ["a"], 80, 40)
