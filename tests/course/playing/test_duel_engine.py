"""One duel, phase by phase: answers, skipped phases, the end, and the record."""

import pytest
from numpy import int64, str_

from course.playing import (
    Duel,
    GreedyAgent,
    LookAheadAgent,
    RandomAgent,
    Reason,
    play_between,
    public_numbers,
)
from course.rules import leader
from course.rules.duel import empty_duel
from tests.course.playing.replayed_duel import replayed

FULL = [[2, 4, 2, 4, -2, -4, -2, -4], [4, 2, 4, 2, -4, -2, -4, -2]] * 2


def at(board, phase=0, rounds=3):
    """Return a duel with a board, before a phase of its first round."""
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
    match.answer("left")
    assert (match.winner, match.detail) == (-1, "push: 'left', with nothing to do")


NO_SQUARE = "is no tuple (row, column) of int"
NO_WAY = "is not one of the four directions"


@pytest.mark.parametrize(
    ("phase", "answer", "why"),
    [
        (0, (0, 1), "place: (0, 1) may not be filled"),
        (0, (9, 9), "place: (9, 9) may not be filled"),
        (0, [0, 4], f"place: [0, 4] {NO_SQUARE}"),
        (0, (0, 4.0), f"place: (0, 4.0) {NO_SQUARE}"),
        (0, (False, 4), f"place: (False, 4) {NO_SQUARE}"),
        (0, None, f"place: None {NO_SQUARE}"),
        (0, (int64(0), 4), f"place: a tuple of int64, int {NO_SQUARE}"),
        (2, "up", "push: 'up' changes nothing"),
        (2, "north", f"push: 'north' {NO_WAY}"),
        (2, 0, f"push: 0 {NO_WAY}"),
        (2, str_("left"), f"push: a str_ {NO_WAY}"),
        (2, object(), f"push: an object {NO_WAY}"),
    ],
    ids=lambda value: value if isinstance(value, str) and ":" in value else "",
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


def test_after_the_last_round_the_tiles_decide():
    match = played()
    assert (match.round, match.reason) == (20, Reason.TILES)
    assert match.winner == leader(match.board)
    with pytest.raises(ValueError, match="the match is over"):
        match.answer("left")


class Broken(RandomAgent):
    def push(self, view):
        raise ZeroDivisionError("division by zero")


def test_an_agent_that_raises_or_has_used_up_its_time_loses_at_once():
    match = play_between(Broken(1), RandomAgent(1), public_numbers(1))
    assert (match.winner, match.reason) == (-1, Reason.ERROR)
    assert match.detail == "ZeroDivisionError: division by zero"
    match = play_between(RandomAgent(1), RandomAgent(2), public_numbers(1), seconds=0.0)
    assert (match.winner, match.reason) == (-1, Reason.TIME)


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
        boards, answers = replayed(match.record())
        assert (boards[-1], answers) == (match.board, match.answers)


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
