"""Checks of the new tiles of a game: the risk that they fail a right game is computed."""

import pytest

from course.checks import chance, new_tiles_of_game
from course.games import GameProblem
from course.rules import Game, SpecialGame, slide
from tests.course.checks.test_statistical_checks import chance_outside, counts_of

UNFAIR = 1e-5  # the highest risk that a right game fails in a lesson
LESSON_6 = (
    new_tiles_of_game.first_tiles_by_p_four,
    new_tiles_of_game.first_tiles_come_anywhere,
    new_tiles_of_game.tiles_of_turns_by_p_four,
    new_tiles_of_game.tiles_of_turns_come_anywhere,
    new_tiles_of_game.tiles_after_reset_come_anywhere,
)
LESSON_7 = (
    new_tiles_of_game.first_tiles_by_p_four,
    new_tiles_of_game.tiles_after_reset_come_anywhere,
)


@pytest.mark.parametrize(("make", "checks"), [(Game, LESSON_6), (SpecialGame, LESSON_7)])
def test_all_counts_of_a_lesson_together_keep_the_promise(make, checks, monkeypatch):
    counted = counts_of(monkeypatch, chance)
    for check in checks:
        check(make)
    assert len(counted) > 200
    assert sum(chance_outside(*each) for each in counted) < UNFAIR


def test_the_board_of_turns_is_told_as_it_is_before_and_after_the_slide():
    assert slide(new_tiles_of_game.BEFORE, "left") == new_tiles_of_game.AFTER


@pytest.mark.parametrize("tile", [2, 4])
def test_a_game_whose_later_tiles_of_one_value_avoid_a_row_is_seen(tile):
    class Avoids(Game):
        def move(self, direction):
            moved = super().move(direction)
            if self.moves > 1 and tile in self.board[-1] and self.rng.random() < 0.8:
                self.board[1:] = reversed(self.board[1:])
            return moved

    with pytest.raises(GameProblem, match=rf"that are {tile}s \d+ of"):
        new_tiles_of_game.tiles_of_turns_come_anywhere(Avoids)
