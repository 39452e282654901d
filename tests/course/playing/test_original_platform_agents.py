"""Agents written for the original platform of the duel: its board, method names and modes."""

from random import Random

import pytest

from course.cases import crowded_duels
from course.playing import Duel, OriginalAgent, RandomAgent, play_between, public_numbers
from course.playing.agents import OriginalBoard
from course.rules import own_square, push

OWNERS = {1: True, -1: False}
NUMBERS = {"up": 0, "down": 1, "left": 2, "right": 3}
FULL = [[2, 4, 2, 4, -2, -4, -2, -4], [4, 2, 4, 2, -4, -2, -4, -2]] * 2


def shown(board, array=(5, 700_000)):
    """Return a board as an object of the original platform; `array` has the public numbers."""
    new = OriginalBoard(array)
    new._board = [row[:] for row in board]
    return new


def exponents(board):
    """Return (exponent, is the first player's) for each square; empty ones go by their half."""
    numbers = {0: 0} | {2**exponent: exponent for exponent in range(1, 20)}
    return [
        [(numbers[abs(tile)], tile > 0 if tile else at < 4) for at, tile in enumerate(row)]
        for row in board
    ]


def test_all_methods_tell_values_as_exponents_and_owners_as_truths():
    squares = [(row, column) for row in range(4) for column in range(8)]
    for board in crowded_duels(Random(4), 50):
        original, raw = shown(board), exponents(board)
        assert original.getRaw() == raw
        for player, owner in OWNERS.items():
            home = [square for square in squares if (square[1] < 4) is owner]
            values = [value for row in raw for value, own in row if value and own is owner]
            assert original.getScore(owner) == sorted(values)
            assert original.getNone(owner) == [s for s in home if board[s[0]][s[1]] == 0]
            assert original.getNext(owner, 1) == (own_square(board, player, 700_000) or ())
            for direction, number in NUMBERS.items():
                moved = original.copy()
                pushed = push(board, player, direction)
                assert moved.move(owner, number) is (pushed != board)
                assert moved.getRaw() == exponents(pushed)
        assert original.getRaw() == raw
        for row, column in squares:
            told = original.getValue((row, column)), original.getBelong((row, column))
            assert told == raw[row][column]


def test_a_tile_that_is_added_belongs_to_the_territory():
    board = OriginalBoard([0])
    board.add(True, (0, 7))
    board.add(False, (1, 0), 3)
    assert str(board).splitlines()[:2] == [
        "+00 +00 +00 +00 -00 -00 -00 -01",
        "+03 +00 +00 +00 -00 -00 -00 -00",
    ]


def test_odd_questions_are_answered_as_on_the_platform():
    board = shown(FULL)
    assert board.getNext(True, 99) == ()
    assert board.getDecision(True) == ()
    for nowhere in ((0, -1), (7, 3), (), (0,), None, "A1"):
        assert board.getValue(nowhere) == 0
    assert (board.getBelong((7, 3)), board.getBelong((0, -1))) == (True, True)
    assert board.getNone(None) == []
    assert board.move(True, 4) is board.move(True, None) is False
    for ask, error in (
        (lambda: board.getValue([0, 0]), TypeError),
        (lambda: board.getBelong([0, 0]), TypeError),
        (lambda: board.add(True, [0, 0]), TypeError),
        (lambda: OriginalBoard([5]).getNext(True, 1), IndexError),
        (lambda: board.add(True, (4, 0)), IndexError),
        (lambda: board.getBelong(()), IndexError),
        (lambda: board.getBelong(None), TypeError),
        (lambda: board.getScore("first"), KeyError),
    ):
        with pytest.raises(error):
            ask()


class Noting:
    """A player that records all calls; it places tiles in its own territory as long as it can."""

    def __init__(self, isFirst, array):  # noqa: N803
        self.asked, self.decisions, self.times = [(isFirst, array)], [], []
        self.is_first = isFirst

    def output(self, currentRound, board, mode):  # noqa: N803
        self.asked.append((currentRound, mode))
        self.decisions.append((board.getDecision(True), board.getDecision(False)))
        self.times.append((board.getTime(True), board.getTime(False)))
        if mode == "position":
            return board.getNext(self.is_first, currentRound) or board.getNone(not self.is_first)[0]
        return next(way for way in range(4) if board.copy().move(self.is_first, way))


def test_a_player_is_made_and_asked_in_its_own_words():
    numbers = public_numbers(1, 2)
    agent = OriginalAgent(Noting, -1, numbers)
    match = play_between(RandomAgent(1), agent, numbers, seconds=9.0)
    player = agent._player
    modes = ("position", "direction")
    assert player.asked == [(False, numbers), *((turn, mode) for turn in (0, 1) for mode in modes)]
    assert match.round == 2
    said = [NUMBERS.get(answer, answer) for answer in match.answers]
    positions, directions = said[0], () if said[2] is None else (said[2],)
    assert player.decisions[:2] == [(positions, ()), (directions, said[1])]
    assert all(0 < left <= 9 for times in player.times for left in times)


class Odd:
    """A player whose answers are equal to legal ones, but have other types."""

    def __init__(self, isFirst, array):  # noqa: N803
        self.modes = []

    def output(self, currentRound, board, mode):  # noqa: N803
        self.modes.append(mode)
        return (0.0, 4.0) if mode == "position" else 3.0


def view_of(board, phase):
    match = Duel([0])
    match.answers, match.board = [None] * phase, board
    match._ask()
    return match.view()


def test_answers_are_understood_as_they_were_and_a_player_is_told_that_it_can_not_act():
    agent = OriginalAgent(Odd, 1, [0])
    board = [[0] * 8 for _ in range(4)]
    assert agent.place(view_of(board, 0)) == (0, 4)
    assert type(agent.place(view_of(board, 0))[0]) is int
    assert agent.push(view_of(board, 2)) == "right"
    agent.skip(view_of(FULL, 0))
    agent.skip(view_of(FULL, 2))
    assert agent._player.modes[3:] == ["_position", "_direction"]


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        (("anywhere",), "place: 'anywhere' is no tuple (row, column) of int"),
        # The course's own word is none of the platform's directions, even if it names a legal one.
        (((0, 0), "right"), "push: 'right (text; a direction is 0, 1, 2 or 3)' is not one of the"),
        (((0, 0), 4), "push: 4 is not one of the four directions"),
    ],
)
def test_other_answers_lose_and_are_named(answers, why):
    class Wrong(Odd):
        def output(self, currentRound, board, mode):  # noqa: N803
            return answers[mode == "direction"]

    match = play_between(OriginalAgent(Wrong, 1, [0]), RandomAgent(1), [0])
    assert match.winner == -1
    assert match.detail.startswith(why)
