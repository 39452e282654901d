"""One game: phases, skips, how it ends, and its record."""

from random import Random

import pytest
from numpy import int64, str_

from course.playing import (
    Duel,
    GreedyAgent,
    LookAheadAgent,
    RandomAgent,
    Reason,
    Record,
    play_between,
    public_numbers,
)
from course.playing.agents import worth
from course.rules import leader
from course.rules.duel import empty_duel
from tests.course.playing.replayed import Replayed

FULL = [[2, 4, 2, 4, -2, -4, -2, -4], [4, 2, 4, 2, -4, -2, -4, -2]] * 2


def at(board, phase=0, rounds=3):
    """A match that has come to a board, before a phase of its first round."""
    match = Duel(public_numbers(1, rounds))
    match.answers = [None] * phase
    match.board = board
    match._ask()
    return match


def played(rounds=20, seed=1):
    return play_between(RandomAgent(seed), RandomAgent(seed + 1), public_numbers(seed, rounds))


def test_a_round_has_four_phases():
    match = Duel([0, 0])
    asked = []
    while match.round == 0:
        asked.append((match.player, match.phase))
        match.answer(match.legal[0] if match.legal else None)
    assert asked == [(1, "place"), (-1, "place"), (1, "push"), (-1, "push")]


def test_a_phase_with_nothing_to_do_is_skipped():
    match = at(FULL)
    assert match.legal == []
    match.answer(None)
    assert (match.player, match.last[1], match.is_over) == (-1, None, False)
    match.answer(None)
    assert match.phase == "push"
    assert match.legal == []


@pytest.mark.parametrize(
    ("phase", "answer", "why"),
    [
        pytest.param(0, (0, 1), "place: (0, 1) may not be filled", id="not the one at home"),
        pytest.param(0, (9, 9), "place: (9, 9) may not be filled", id="off the board"),
        pytest.param(0, [0, 4], "place: [0, 4] is no tuple (row, column) of int", id="a list"),
        pytest.param(0, (0, 4.0), "place: (0, 4.0) is no tuple (row, column) of int", id="a float"),
        pytest.param(
            0, (False, 4), "place: (False, 4) is no tuple (row, column) of int", id="a truth"
        ),
        pytest.param(0, "left", "place: 'left' is no tuple (row, column) of int", id="a direction"),
        pytest.param(0, None, "place: None is no tuple (row, column) of int", id="nothing"),
        pytest.param(2, "up", "push: 'up' changes nothing", id="nothing moves"),
        pytest.param(2, "north", "push: 'north' is not one of the four directions", id="no way"),
        pytest.param(2, 0, "push: 0 is not one of the four directions", id="a number"),
        pytest.param(
            0,
            (int64(0), 4),
            "place: a tuple of int64, int is no tuple (row, column) of int",
            id="numpy",
        ),
        pytest.param(
            2, str_("left"), "push: a str_ is not one of the four directions", id="a text of numpy"
        ),
        pytest.param(
            2, object(), "push: an object is not one of the four directions", id="a thing"
        ),
    ],
)
def test_an_illegal_answer_loses_at_once(phase, answer, why):
    board = empty_duel()
    board[0][3] = 2
    match = at(board, phase)
    match.numbers[0] = 0
    match._ask()
    match.answer(answer)
    assert (match.winner, match.reason, match.detail) == (-1, Reason.ILLEGAL, why)
    assert match.is_over


def test_what_nobody_asked_for_is_illegal_too():
    match = at(FULL)
    match.answer((0, 0))
    assert (match.winner, match.detail) == (-1, "place: (0, 0), with nothing to do")


def test_after_the_last_round_the_tiles_decide():
    match = played()
    assert (match.round, match.reason) == (20, Reason.TILES)
    assert match.winner == leader(match.board)
    with pytest.raises(ValueError, match="the match is over"):
        match.answer("left")


class Broken(RandomAgent):
    def push(self, view):
        raise ZeroDivisionError("division by zero")


def test_an_agent_that_raises_loses_at_once():
    match = play_between(Broken(1), RandomAgent(1), public_numbers(1))
    assert (match.winner, match.reason) == (-1, Reason.ERROR)
    assert match.detail == "ZeroDivisionError: division by zero"


def test_an_agent_that_used_up_its_time_loses():
    clock = play_between(RandomAgent(1), RandomAgent(2), public_numbers(1), seconds=0.0)
    assert (clock.winner, clock.reason) == (-1, Reason.TIME)


def test_a_view_is_what_the_docstring_says_and_belongs_to_the_agent():
    match = Duel([5, 6, 7])
    match.answer((0, 4))
    view = match.view(4.5, 3.5)
    assert view == {
        "board": match.board,
        "player": -1,
        "phase": "place",
        "legal": list(match.legal),
        "round": 0,
        "rounds": 3,
        "numbers": [5, 6, 7],
        "last": {1: (0, 4), -1: None},
        "time_left": 4.5,
        "opponent_time_left": 3.5,
    }
    view["board"][0][0] = view["numbers"][0] = 99
    view["legal"].clear()
    view["last"][1] = "left"
    assert (match.board[0][0], match.numbers[0], match.last[1]) == (0, 5, (0, 4))
    assert match.legal
    while match.round < 1:
        match.answer(match.legal[0] if match.legal else None)
    assert match.view()["numbers"] == [6, 7]


def test_a_record_replays_to_the_same_end():
    for seed in range(5):
        match = played(rounds=40, seed=seed)
        replay = Replayed(match.record())
        assert replay.boards[-1] == match.board
        assert [done for _, _, done in replay.said] == match.answers


def test_a_record_that_was_changed_by_hand_raises_value_error():
    with pytest.raises(ValueError, match="may fill now"):
        Replayed(Record((0,), "03", 1, ""))


def test_public_numbers_are_the_same_for_the_same_seed():
    assert public_numbers(1, 9) == public_numbers(1, 9) != public_numbers(2, 9)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("better", "worse", "least"),
    [
        pytest.param(GreedyAgent, RandomAgent, 0.9, id="greedy beats chance"),
        pytest.param(
            LookAheadAgent,
            GreedyAgent,
            0.6,
            id="looking ahead beats greedy",
            marks=pytest.mark.deep,
        ),
    ],
)
def test_our_agents_are_from_weak_to_strong(better, worse, least):
    points, games = 0.0, 8
    for game in range(games):
        agents = [better(), worse(game) if worse is RandomAgent else worse()]
        order = 1 if game % 2 else -1
        match = play_between(*agents[::order], public_numbers(f"s{game // 2}", 60))
        points += (1 + match.winner * order) / 2
    assert points / games >= least


def test_a_board_is_worth_as_much_to_one_as_it_costs_the_other():
    rng = Random(1)
    board = [[rng.choice((0, 2, -2, 4, -8)) for _ in range(8)] for _ in range(4)]
    assert worth(board, 1) == -worth(board, -1)
