from random import Random

import pytest

from course.playing.game_in_progress import Match
from course.playing.own_game_class import OwnGame
from course.refusal import Refusal
from course.rules import DIRECTIONS, Game, SpecialGame, take_turn


def match(game) -> Match:
    return Match(OwnGame(game))


class Methods(Game):
    """A game with methods in place of the properties `is_over` and `has_won`."""

    def is_over(self):
        return super().is_over

    def has_won(self):
        return super().has_won


@pytest.mark.parametrize("kind", [Game, SpecialGame, Methods], ids=lambda kind: kind.__name__)
def test_a_right_game_is_played_without_a_fault(kind) -> None:
    played = match(kind(rng=Random(2)))
    turns = [played.move(DIRECTIONS[number % 4]) for number in range(60)]
    assert [turn.faults for turn in turns if turn.faults] == []
    assert (played.board, played.score, played.moves) == (
        played.player.game.board,
        played.player.game.score,
        played.player.game.moves,
    )


def test_undo_takes_the_game_itself_back() -> None:
    game = Game(rng=Random(2))
    played = match(game)
    before = [row[:] for row in game.board]
    played.move("left")
    played.move("up")
    played.undo()
    played.undo()
    assert (game.board, game.score, game.moves) == (before, 0, 0)


def test_a_game_that_a_cell_has_changed_is_played_on_from_there() -> None:
    game = Game(rng=Random(2))
    played = match(game)
    game.board = [[2, 2, 0, 0]] + [[0] * 4] * 3
    assert played.move("left").faults == []
    assert played.board[0][0] == 4


class ForgetsPoints(Game):
    def move(self, direction):
        moved = super().move(direction)
        self.score = 0
        return moved


class SpawnsAlways(Game):
    def move(self, direction):
        before = self.moves
        super().move(direction)
        if self.moves == before and [0, 0] in [row[2:] for row in self.board]:
            self.board[0][3] = 2
        return self.moves > before


class SaysNothing(Game):
    def move(self, direction):
        super().move(direction)


class NeverOver(Game):
    is_over = False


class Breaks(Game):
    def move(self, direction):
        self.board = None


class Raises(Game):
    def move(self, direction):
        return self.bored


@pytest.mark.parametrize(
    ("kind", "line", "said"),
    [
        (ForgetsPoints, [2, 2, 0, 0], "score gave 0. The rules give 4."),
        (SaysNothing, [2, 2, 0, 0], 'move("left") gave None. The rules give True.'),
        (SpawnsAlways, [2, 4, 0, 0], "No tile could move, yet move changed the board."),
        (NeverOver, [2, 4, 8, 16], "is_over gave False. The rules give True."),
    ],
)
def test_a_wrong_game_is_named(kind, line, said: str) -> None:
    game = kind(1, 4, Random(2))
    game.board = [line]
    assert match(game).move("left").faults == [said]


@pytest.mark.parametrize(
    ("kind", "said"),
    [(Breaks, "It is None."), (Raises, "AttributeError in line")],
    ids=["Breaks", "Raises"],
)
def test_a_game_without_an_answer_stays_as_it_was(kind, said: str) -> None:
    game = kind(rng=Random(2))
    before = [row[:] for row in game.board]
    turn = match(game).move("left")
    assert turn.trouble is not None
    assert said in turn.trouble.text
    assert game.board == before


@pytest.mark.parametrize("thing", [Game, object(), 7], ids=["a class", "an object", "a number"])
def test_what_is_no_game_is_refused(thing) -> None:
    with pytest.raises(Refusal):
        match(thing)


def test_a_game_that_becomes_special_while_it_is_played_is_played_as_one() -> None:
    game = Game(2, 2, Random(1))
    played = match(game)
    game.__class__ = SpecialGame
    game.has_continued = False
    game.board = [[512, 2], [4, 256]]
    played.move("left")
    assert played.can_continue


def test_a_game_without_a_score_is_counted_by_the_rules() -> None:
    class Bare:
        def __init__(self):
            self.board = [[2, 2, 0]]

        def move(self, direction):
            before = self.board
            self.board = take_turn(before, direction, Random(1))
            return self.board != before

    played = match(Bare())
    turn = played.move("left")
    assert (turn.faults, played.score, played.moves, played.is_over) == ([], 4, 1, False)


def test_a_board_in_the_game_that_is_none_is_told_at_the_start() -> None:
    game = Game(rng=Random(1))
    game.board = [[2, 2], [2]]
    assert "It is [[2, 2], [2]]." in match(game).opening.trouble.text
