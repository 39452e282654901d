"""`replay(...)`: a game to look through, and to play on from any of its boards."""

from random import Random

import pytest

from course import play, replay
from course.refusal import Refusal
from course.rules import DIRECTIONS, Game, has_won_special, slide
from course.widgets.live_board import state_of
from tests.course.playing import learners


def test_a_replay_shows_every_board_and_how_it_came_about() -> None:
    board = play(seed=4)
    for number in range(20):
        board.match.move(DIRECTIONS[number % 4])
    shown = replay(board)
    assert [frame["board"] for frame in shown.frames] == board.history
    assert all(frame["direction"] for frame in shown.frames[1:])
    assert [frame["score"] for frame in shown.frames] == board.scores
    assert board.scores[-1] == board.match.state.score > 0


def test_a_game_without_a_history_is_played_to_its_end_on_a_copy() -> None:
    game = Game(3, 3, Random(5))
    before = [row[:] for row in game.board]
    last = replay(game).frames[-1]
    assert not any(slide(last["board"], way) != last["board"] for way in DIRECTIONS)
    assert last["score"] > 0
    assert game.board == before


def played_from(shown, at: int):
    shown._handle_custom_msg({"do": "play", "at": at}, [])
    return shown.board


def test_a_replay_is_played_on_from_a_frame_with_the_same_functions() -> None:
    board = play(merge=learners.never_merges, seed=3, goal=64)
    for direction in DIRECTIONS * 2:
        board.match.move(direction)
    shown = replay(board)
    new = played_from(shown, 2)
    assert shown.below == new.model_id
    assert (new.board, new.match.state.moves) == (board.history[2], 2)
    assert new.match.player.goal == 64
    assert new.match.player.pieces.uses("merge") == [learners.never_merges]
    assert not state_of(new.match, new.match.opening)["counts"]


def test_a_replay_of_the_special_rules_is_played_on_by_the_special_rules() -> None:
    shown = replay(play(has_won_special=has_won_special, board=[[2, 2], [4, 8]]))
    assert played_from(shown, 0).match.player.is_special


def test_a_game_of_ones_own_is_played_on_from_a_frame_on_a_copy() -> None:
    game = Game(3, 3, Random(5))
    before = [row[:] for row in game.board]
    shown = replay(game)
    new = played_from(shown, 7)
    frame = shown.frames[7]
    assert (new.board, new.match.state.score, new.match.state.moves) == (
        frame["board"],
        frame["score"],
        7,
    )
    assert isinstance(new.match.player.game, Game)
    new.match.move("left")
    assert game.board == before


def test_a_list_of_boards_is_played_on_by_the_rules() -> None:
    assert played_from(replay([[[2, 2, 0]], [[4, 0, 2]]]), 1).board == [[4, 0, 2]]


def test_a_game_that_can_not_start_from_a_frame_is_told() -> None:
    class Fixed(Game):
        @property
        def board(self):
            return [[2, 0]]

        @board.setter
        def board(self, value):
            if getattr(self, "is_made", False):
                raise ValueError("it is fixed")
            self.is_made = True

    shown, sent = replay(Fixed()), []
    shown.send = sent.append
    assert played_from(shown, 0) is None
    assert "cannot start from here" in sent[0]["note"]["title"]
    assert "it is fixed" in sent[0]["note"]["lines"][0]


@pytest.mark.parametrize("thing", [7, [], [7], [[[2, 0]], [[2], [0, 2]]]], ids=str)
def test_a_replay_of_nothing_is_refused(thing) -> None:
    with pytest.raises(Refusal, match="needs a game"):
        replay(thing)
