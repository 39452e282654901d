"""The states of a match: decided first, taken over or not, never changed."""

from random import Random

import pytest

from course import rules
from course.playing.match import UNDOS, Match
from course.playing.players import Functions
from tests.course.playing import learners
from tests.course.playing.test_match import START, match


def test_only_the_last_hundred_turns_are_taken_back() -> None:
    played = Match(Functions({}, rng=Random(1)))
    number = 0
    while len(played.history) <= UNDOS + 20:
        played.move(rules.DIRECTIONS[number % 4])
        number += 1
    boards = played.history
    while played.can_undo:
        played.undo()
    assert played.history == boards[:21]


def test_a_state_that_was_handed_out_never_changes() -> None:
    played = match()
    states = [played.state]
    boards = [[row[:] for row in played.board]]
    for direction in rules.DIRECTIONS:
        played.move(direction)
        states.append(played.state)
        boards.append([row[:] for row in played.board])
    played.undo()
    assert [state.board for state in states] == boards


def test_taking_back_a_broken_rule_does_not_make_the_match_fair() -> None:
    played = match(merge=learners.cascade)
    played.move("left")
    played.undo()
    assert played.board == START
    assert not played.state.is_fair


def test_gaps_that_are_closed_score_nothing() -> None:
    turn = match([[0, 2, 2]], close_gaps=rules.close_gaps).move("left")
    assert (turn.after.board[0][:2], turn.gained, turn.faults) == ([2, 2], 0, [])


@pytest.mark.parametrize("direction", rules.DIRECTIONS)
def test_points_are_the_same_for_the_game_the_match_and_the_learners_points(direction) -> None:
    board = [[2, 2, 4, 4], [4, 0, 4, 4], [2, 2, 2, 2], [8, 0, 2, 2]]
    game = rules.Game(rng=Random(1))
    game.board = [row[:] for row in board]
    game.move(direction)
    gained = {match(board, **given).move(direction).gained for given in ({}, {"points": points})}
    assert gained == {game.score}


def points(line):
    return rules.points(line)


def test_a_broken_question_at_the_start_leaves_the_board_that_was_asked_for() -> None:
    played = match(is_over=learners.raises)
    assert played.opening.trouble is not None
    assert played.board == START


def test_a_new_game_that_can_not_begin_changes_nothing() -> None:
    played = Match(Functions({"new_board": only_once()}, rng=Random(1)))
    played.move("left")
    before = played.board, played.history
    assert played.start().trouble.text.endswith("The board stays as it was.")
    assert (played.board, played.history) == before


def only_once():
    """A `new_board` that works once."""
    made = []

    def new_board(height, width, rng, p_four=0.1):
        if made:
            return None
        made.append(True)
        return rules.new_board(height, width, rng, p_four)

    return new_board


def test_an_interrupt_outside_of_the_learners_code_leaves_the_match_as_it_was(monkeypatch) -> None:
    def stopped(*arguments):
        raise KeyboardInterrupt

    played = match()
    chance = played.player.rng.getstate()
    monkeypatch.setattr(played.player, "end", stopped)
    with pytest.raises(KeyboardInterrupt):
        played.move("left")
    assert (played.board, played.history) == (START, [START])
    assert played.player.rng.getstate() == chance
