"""A duel that a person plays by hand, and in which the learner's functions are compared."""

import pytest

from course.playing import GreedyAgent, RandomAgent
from course.playing.duel_against_agent import Seat, walks
from course.rules import duel as rules

PIECES = {name: getattr(rules, name) for name in ("own_square", "legal_squares", "place", "push")}
PIECES |= {name: getattr(rules, name) for name in ("legal_directions", "leader")}


def play_to_the_end(seat: Seat) -> None:
    while seat.is_asked:
        assert seat.duel.legal
        seat.answer(seat.duel.legal[0])


@pytest.mark.parametrize("side", [1, -1])
def test_the_agent_answers_until_the_person_is_asked_again(side: int) -> None:
    seat = Seat({-side: lambda: RandomAgent(1)}, PIECES, rounds=20, seed=1)
    assert seat.duel.player == seat.player == side
    play_to_the_end(seat)
    assert seat.duel.reason == "tiles"
    assert seat.note is None


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
    told = []
    while seat.is_asked:
        told += (seat.note or {"lines": []})["lines"]
        seat.answer(seat.duel.legal[0])
    told += (seat.note or {"lines": []})["lines"]
    assert any(line.startswith(f"{name}(board") for line in told)
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


def test_an_agent_that_raises_has_lost_and_is_told_with_its_line() -> None:
    class Agent:
        def place(self, view):
            raise KeyError("no")

    seat = Seat({-1: Agent}, {}, rounds=6, seed=3)
    seat.answer(seat.duel.legal[0])
    assert (seat.duel.winner, seat.duel.reason) == (1, "error")
    assert "KeyError" in seat.note["lines"][0]


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
