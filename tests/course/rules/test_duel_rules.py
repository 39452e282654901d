"""The rules of a duel: territories, placing, pushing, and the leading player."""

from copy import deepcopy
from random import Random

import pytest

from course import rules
from course.answer_comparison import same
from course.cases import crowded_duels, random_boards
from course.cases.duels import played_duels
from course.function_calls import call_many
from course.lessons import cell_of
from course.rules import leader, legal_directions, legal_squares, own_square, place, push
from course.rules.board import DIRECTIONS
from course.rules.duel import empty_duel
from tests.lessons.right import right_programs
from tests.lessons.running import defined

FULL = [[2, 4, 2, 4, -2, -4, -2, -4] for _ in range(4)]


def row(text):
    """Return the row of a board that a text such as `". . . 2│2' . . ."` shows."""
    words = text.replace("│", " ").split()
    return [0 if word == "." else -int(word[:-1]) if "'" in word else int(word) for word in words]


def on_board(line, place_of_row=0):
    board = empty_duel()
    board[place_of_row] = row(line)
    return board


def mirrored(board):
    """Return the board with left and right exchanged, and each tile given to the other player."""
    return [[-tile for tile in reversed(squares)] for squares in board]


PUSHES = [
    (1, "right", "4 . 4 2│2 . . .", ". . . 8│4 . . ."),
    (1, "right", ". . . 2│2 2' . .", ". . . 2│. 4 . ."),
    (1, "right", "2 . . .│. 2' . .", ". . . 2│. 2' . ."),
    (1, "right", ". 2 . .│2' . . .", ". . . .│4 . . ."),
    (1, "right", ". . . 2│2' 4' . .", ". . . .│4 4' . ."),
    (1, "right", "2 2 2 2│. . . .", ". . 4 4│. . . ."),
    (1, "left", ". . . .│2 . . .", "2 . . .│. . . ."),
    (1, "left", ". . . .│. 2 . .", ". . . .│. 2 . ."),
    (1, "left", ". . . 2'│2 . . .", ". . . 4│. . . ."),
    (1, "left", "2' 4 2 2│. . . .", "2' 4 4 .│. . . ."),
    (1, "left", "4 2 2 .│. . . .", "4 4 . .│. . . ."),
    (1, "left", "4' 2' 2 4│. . . .", "4' 4 4 .│. . . ."),
    (1, "right", "2 . . 2│2 4 4 8", ". . . 2│4 . 8 8"),
    (-1, "left", ". . . .│. . . 2'", ". . . .│2' . . ."),
    (-1, "left", ". . . 2│. . . 2'", ". . . 4'│. . . ."),
]


@pytest.mark.parametrize(
    ("player", "direction", "before", "after"),
    [pytest.param(*case, id=" → ".join(case[1:])) for case in PUSHES],
)
def test_must_case_of_the_duel(player, direction, before, after):
    other_way = {"left": "right", "right": "left"}[direction]
    for place_of_row in range(4):
        board, pushed = on_board(before, place_of_row), on_board(after, place_of_row)
        assert push(board, player, direction) == pushed
        assert (direction in legal_directions(board, player)) is (before != after)
        assert push(mirrored(board), -player, other_way) == mirrored(pushed)


def test_a_push_up_or_down_follows_the_same_rules():
    rows = [". . . .│. 2' . .", "2 . . .│2 2 . .", ". . . .│. . . .", "2 4' . .│. . . ."]
    board = [row(text) for text in rows]
    rows = ["4 . . .│. 4 . .", ". . . .│2 . . .", ". . . .│. . . .", ". 4' . .│. . . ."]
    after = [row(text) for text in rows]
    assert push(board, 1, "up") == after
    assert legal_directions(board, 1) == ["left", "right", "up", "down"]
    assert push(after, 1, "up") == after
    assert legal_directions(after, -1) == []


def cases_of(name):
    """Return the arguments of many calls of a function of the duel."""
    rng = Random(4096)
    boards = played_duels(rng, 200) + crowded_duels(rng, 100)
    for height, width in [(height, width) for height in (1, 2, 3) for width in (2, 4, 6)]:
        for tiles in ((0, 2, -2), (0, 0, 0, 2, -2, 4, -4), (2, -2, 4, -4, 8), (0, 8, -8)):
            boards += random_boards(rng, 20, height, width, tiles)
    both = [(board, player) for board in boards for player in (1, -1)]
    numbered = [(*each, number) for each in both for number in (0, 1, 5, rng.randrange(720_720))]
    if name == "place":
        return [
            (board, player, (at, column), number)
            for board, player, number in numbered[::3]
            for at, squares in enumerate(board)
            for column in range(len(squares))
        ]
    if name == "push":
        return [(*each, way) for each in both for way in DIRECTIONS]
    return {"leader": [(board,) for board in boards], "legal_directions": both}.get(name, numbered)


def told(function, cases):
    """Return the answer, the kind of error and the arguments after each call."""
    answers = call_many(function, cases)
    lists = "legal_squares", "legal_directions"  # in any order
    values = [sorted(a.value) if function.__name__ in lists else a.value for a in answers]
    errors = [type(each.error).__name__ for each in answers]
    return [values, errors, [each.arguments for each in answers]]


@pytest.mark.parametrize("step", [10, pytest.param(1, marks=pytest.mark.deep)])
@pytest.mark.parametrize(
    "name", ["own_square", "legal_squares", "place", "push", "legal_directions", "leader"]
)
def test_right_programs_of_many_kinds_agree_on_boards_of_games_and_on_random_ones(name, step):
    programs = [one.program for one in right_programs("9-duel") if one.exercise == name]
    cases = cases_of(name)[::step]
    right = told(getattr(rules, name), cases)
    assert len(programs) > 5
    for program in programs:
        theirs = defined("9-duel", {cell_of(name): program}, name)
        assert same(told(theirs, cases), right), program


def test_the_second_player_counts_the_empty_squares_from_the_other_end():
    board = empty_duel()
    first = [own_square(board, 1, number) for number in (0, 1, 4, 16)]
    second = [own_square(board, -1, number) for number in (0, 1, 4, 16)]
    assert first == [(0, 0), (0, 1), (1, 0), (0, 0)]
    assert second == [(3, 7), (3, 6), (2, 7), (3, 7)]


def test_on_a_full_territory_only_the_squares_of_the_other_are_left():
    board = [squares[:] for squares in FULL]
    board[2][5] = board[1][7] = 0
    assert own_square(board, 1, 7) is None
    assert legal_squares(board, 1, 7) == [(1, 7), (2, 5)]
    assert legal_squares(board, -1, 0) == [(2, 5)]
    assert legal_squares(FULL, 1, 0) == []


@pytest.mark.parametrize(
    "square",
    [
        pytest.param((0, 1), id="at home, but not the one"),
        pytest.param((0, 4), id="not empty"),
        pytest.param((0, 8), id="beyond the board"),
        pytest.param((-1, 4), id="negative"),
        pytest.param((0, 4, 0), id="three numbers"),
        pytest.param(None, id="nothing"),
        pytest.param([0, 5], id="a list"),
    ],
)
def test_a_square_that_is_not_legal_raises_value_error(square):
    board = empty_duel()
    board[0][4] = -2
    before = deepcopy(board)
    with pytest.raises(ValueError, match="is not a square that this player may fill now"):
        place(board, 1, square, 0)
    assert board == before


def test_a_direction_that_is_none_raises_value_error_that_names_the_four():
    with pytest.raises(ValueError, match="'left', 'right', 'up', 'down'"):
        push(empty_duel(), 1, "north")


@pytest.mark.parametrize(
    ("line", "who"),
    [
        pytest.param(". . . .│. . . .", 0, id="nobody has a tile"),
        pytest.param("8 . . .│. . 4' 4'", 1, id="one of the highest value beats two lower ones"),
        pytest.param("8 8 . .│8' 4' 4' 4'", 1, id="two of the highest value beat one"),
        pytest.param("8 2 . .│. 8' 4' .", -1, id="the next value decides"),
        pytest.param("8 2 . .│. 8' 2' 2'", -1, id="one tile more, all else equal"),
        pytest.param("8' 2 . .│. 8 2' .", 0, id="equal, wherever they stand"),
    ],
)
def test_the_highest_value_that_differs_in_count_decides(line, who):
    assert leader(on_board(line)) == who
    assert leader(mirrored(on_board(line))) == -who
