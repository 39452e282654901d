"""Duels, phase by phase: of agents, and of a person whose functions are checked by the rules."""

from itertools import count

import pytest
from numpy import int64, str_

from course.playing import (
    Duel,
    GreedyAgent,
    LookAheadAgent,
    RandomAgent,
    Reason,
    duel_engine,
    play_between,
    public_numbers,
)
from course.playing.duel_against_agent import Seat, walks
from course.playing.pieces import DUEL
from course.rules import duel as rules
from course.rules import leader
from course.rules.duel import empty_duel
from tests.course.playing.replayed_duel import replayed

FULL = [[2, 4, 2, 4, -2, -4, -2, -4], [4, 2, 4, 2, -4, -2, -4, -2]] * 2


def at(board, phase=0, rounds=3):
    """Return a duel of `rounds` rounds in phase `phase` (0 to 3) of round 1, with this board."""
    match = Duel(public_numbers(1, rounds))
    match.answers = [None] * phase
    match.board = board
    match._ask()
    return match


def played(rounds=20, seed=1):
    return play_between(RandomAgent(seed), RandomAgent(seed + 1), public_numbers(seed, rounds))


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


def test_an_agent_that_raises_or_has_used_up_its_time_loses_at_once(monkeypatch):
    match = play_between(Broken(1), RandomAgent(1), public_numbers(1))
    assert (match.winner, match.reason) == (-1, Reason.ERROR)
    assert match.detail == "ZeroDivisionError: division by zero"
    monkeypatch.setattr(duel_engine, "_clock", count().__next__)  # each answer takes a second
    match = play_between(RandomAgent(1), RandomAgent(2), public_numbers(1), seconds=0.5)
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
    asked = []
    while match.round < 1:
        asked.append((match.player, match.phase))
        match.answer(match.legal[0] if match.legal else None)
    assert asked == [(-1, "place"), (1, "push"), (-1, "push")]
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
        (GreedyAgent, RandomAgent, 0.9),
        pytest.param(LookAheadAgent, GreedyAgent, 0.6, marks=pytest.mark.deep),
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


PIECES = {name: getattr(rules, name) for name in DUEL}


def play_to_the_end(seat: Seat) -> list[str]:
    """Give the first legal answer until the duel is over; return all lines of the notes."""
    told = []
    while seat.is_asked:
        told += (seat.note or {"lines": []})["lines"]
        seat.answer(seat.duel.legal[0])
    return told + (seat.note or {"lines": []})["lines"]


@pytest.mark.parametrize("side", [1, -1])
def test_the_agent_answers_until_the_person_is_asked_again(side: int) -> None:
    seat = Seat({-side: lambda: RandomAgent(1)}, PIECES, rounds=20, seed=1)
    assert seat.duel.player == seat.player == side
    assert play_to_the_end(seat) == []
    assert seat.duel.reason == "tiles"


def test_both_sides_can_be_played_by_hand() -> None:
    seat = Seat({}, {}, rounds=3, seed=1)
    (first,) = seat.answer((0, 4))
    assert (first.player, first.phase, first.answer) == (1, "place", (0, 4))
    assert (seat.plays_both, seat.duel.player) == (True, -1)
    play_to_the_end(seat)
    assert seat.duel.is_over


@pytest.mark.parametrize(
    ("before", "answer", "why"),
    [
        ([], (0, 1), "chance chooses the square"),
        ([], "left", "chance chooses the square"),
        ([], (9, 9), "chance chooses the square"),
        ([(0, 4)], (0, 4), "A tile stands there already."),
        ([(0, 4), (0, 0)], "sideways", "A push sideways would change nothing."),
    ],
)
def test_an_answer_that_is_not_legal_changes_nothing_and_is_told(before, answer, why) -> None:
    seat = Seat({}, {}, rounds=3, seed=1)
    for each in before:
        seat.answer(each)
    board = seat.duel.board
    assert seat.answer(answer) == []
    assert seat.duel.board == board
    assert why in seat.note["lines"][0]


WRONG = {
    "own_square": lambda board, player, number: (0, 0),
    "legal_squares": lambda board, player, number: [],
    "place": lambda board, player, square, number: board,
    "push": lambda board, player, direction: board,
    "legal_directions": lambda board, player: ["left", "right", "up", "down", "left"],
    "leader": lambda board: 5,
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_piece_is_told_and_the_duel_goes_on_by_the_rules(name: str) -> None:
    seat = Seat({-1: GreedyAgent}, {name: WRONG[name]}, rounds=6, seed=3)
    assert any(line.startswith(f"{name}(board") for line in play_to_the_end(seat))
    assert seat.duel.round == 6


def raises(board, *others):
    return board[99]


def test_a_piece_that_raises_is_told_with_its_line_from_the_start_and_the_duel_goes_on() -> None:
    seat = Seat({-1: GreedyAgent}, {"place": raises}, rounds=6, seed=3)
    assert seat.answer(seat.duel.legal[0]) == []
    assert "IndexError" in seat.note["lines"][0]
    seat = Seat({-1: GreedyAgent}, {"own_square": raises}, rounds=6, seed=3)
    assert "IndexError" in seat.note["lines"][0]
    steps = seat.answer(seat.duel.legal[0])
    assert [(step.player, step.phase) for step in steps] == [(1, "place"), (-1, "place")]


def first(self, view):
    return view["legal"][0]


class OnlyPlaces:
    place = first


class OnlyPushes:
    push = first


class NeedsNoBrackets:
    place = first
    push = property(first)


class Raises:
    def place(self, view):
        raise KeyError("no")


class NeedsDepth:
    def __init__(self, depth):
        self.depth = depth


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        (Raises, "Your place raised an error. KeyError in line"),
        (lambda: NeedsDepth(), "Your agent raised an error. TypeError: "),
        (OnlyPlaces, "Your agent has no push. OnlyPlaces has no push yet."),
        (OnlyPushes, "Your agent has no place. OnlyPushes has no place yet."),
        (NeedsNoBrackets, "Your push raised an error. TypeError"),
    ],
)
def test_an_agent_that_cannot_answer_loses_and_is_told_why(agent, said: str) -> None:
    seat = Seat({-1: agent}, {}, rounds=6, seed=3)
    play_to_the_end(seat)
    assert (seat.duel.winner, seat.duel.reason) == (1, "error")
    assert f"{seat.note['title']} {seat.note['lines'][0]}".startswith(said)
    assert bool(seat.note["code"]) is (agent is Raises)


def test_an_agent_that_cannot_be_copied_plays() -> None:
    class Agent:
        def __init__(self):
            self.picks = (0 for _ in count())

        def place(self, view):
            return view["legal"][next(self.picks)]

        push = place

    seat = Seat({-1: Agent}, {}, rounds=6, seed=3)
    assert play_to_the_end(seat) == []
    assert seat.duel.reason == "tiles"


def test_a_piece_that_changes_the_board_it_is_given_changes_no_duel() -> None:
    def place(board, player, square, number):
        board[square[0]][square[1]] = 64 * player
        return board

    seat = Seat({}, {"place": place}, rounds=3, seed=1)
    seat.answer((0, 4))
    assert seat.duel.board == rules.place(rules.empty_duel(), 1, (0, 4), seat.duel.numbers[0])
    wrong, changed = seat.note["lines"]
    assert wrong.startswith("place(board, 1, (0, 4), ")
    assert changed == "Your place changed the list that it was given."
    assert [picture["lines"] for picture in seat.note["pictures"]] == [[0]]


def test_what_a_push_would_leave_is_known_before_it_is_made() -> None:
    seat = Seat({}, {}, rounds=3, seed=1)
    assert seat.previews() == {}
    for _ in range(2):
        seat.answer(seat.duel.legal[0])
    previews = seat.previews()
    assert set(previews) == set(seat.duel.legal)
    way = seat.duel.legal[0]
    seat.answer(way)
    assert seat.duel.board == previews[way]


@pytest.mark.parametrize(
    ("line", "home", "paths"),
    [
        ([0, 2, 0, 2], [True] * 4, [(1, 0), (3, 0)]),
        ([2, 2, 4], [True] * 3, [(0, 0), (1, 0), (2, 1)]),
        ([0, -2, 2], [False, False, True], [(2, 1)]),
        ([0, 0, 2], [False, False, True], [(2, 2)]),
    ],
)
def test_each_tile_is_followed_on_its_way(line, home, paths) -> None:
    assert walks(line, home) == paths


def test_the_motion_of_a_push_leads_from_one_board_to_the_next() -> None:
    seat = Seat({}, {}, rounds=30, seed=5)
    pushed = 0
    while seat.is_asked:
        (step, *_) = seat.answer(seat.duel.legal[-1])
        if step.phase == "push":
            pushed += 1
            motion = step.motion
            for (row, column), (to_row, to_column), tile in motion.glides:
                assert step.before[row][column] == tile
                arrived = step.after[to_row][to_column]
                assert arrived in (tile, 2 * tile) or (to_row, to_column) in motion.merged
    assert pushed > 20
