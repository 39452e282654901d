"""A learner's functions in place of the rules': answers, boards to start from, tiles' motion."""

import re
from random import Random

import pytest

from course import play, rules
from course.playing.learner_calls import Stuck
from course.playing.motion import board_motion
from course.playing.pieces import Pieces, check_board, check_size
from course.rules import DIRECTIONS, slide
from tests.course.playing import learners
from tests.course.playing.learners import faults

BOARD = [[2, 2, 0, 4], [0, 0, 2, 2], [4, 4, 8, 8], [2, 0, 0, 0]]


@pytest.mark.parametrize(
    ("piece", "asked", "expected"),
    [
        ({"merge": lambda line: line}, "slide", BOARD),
        ({"close_gaps": rules.close_gaps}, "slide", [*map(rules.close_gaps, BOARD)]),
        ({"rotate": lambda board: board}, "slide", [*map(rules.merge, BOARD)]),
        ({"slide_by_offsets": lambda board, direction: board}, "slide", BOARD),
    ],
    ids=["merge", "close_gaps", "rotate", "slide_by_offsets"],
)
def test_a_piece_takes_the_place_of_the_references_everywhere(piece, asked, expected) -> None:
    assert Pieces(piece)[asked](BOARD, "left") == expected


@pytest.mark.parametrize(
    "piece",
    [
        {},
        {"traverse": lambda start, step, count: rules.traverse(start, step, count)},
        {"start_squares": lambda board, direction: rules.start_squares(board, direction)[::-1]},
    ],
    ids=["none", "traverse", "start_squares in any order"],
)
@pytest.mark.parametrize("direction", rules.DIRECTIONS)
def test_right_pieces_slide_by_the_rules(piece, direction) -> None:
    pieces = Pieces(piece)
    assert pieces["slide"](BOARD, direction) == rules.slide(BOARD, direction)
    assert faults(pieces.report) == []


@pytest.mark.parametrize(
    ("piece", "asked", "arguments", "said"),
    [
        ("traverse", "slide", (BOARD, "up"), "traverse((0, 0), (0, 1), 4) gave"),
        ("has_pair", "is_over", ([[2, 4], [4, 2]],), "has_pair([2, 4]) gave True. The rules give"),
        ("empty_cells", "spawn", ([[0, 0], [0, 0]], Random(1), 0), "empty_cells([[0, 0], [0, 0]])"),
    ],
)
def test_a_wrong_piece_is_asked_by_the_others_and_named(piece, asked, arguments, said) -> None:
    wrong = {
        "traverse": lambda start, step, count: [start] * count,
        "has_pair": lambda line: True,
        "empty_cells": lambda board: [(1, 1)],
    }
    pieces = Pieces({piece: wrong[piece]})
    pieces[asked](*arguments)
    assert faults(pieces.report)[0].startswith(said)


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (learners.too_short, "The line has 4 squares, the answer has 1."),
        (learners.nothing, "gave None. It must give a list of 4 numbers."),
        (str, "It must give a list of 4 numbers."),
        (lambda line: [True] * 4, "Every square must be a whole number"),
        (learners.odd, "gave a EvilAnswer. It must give a list"),
        (learners.raises, "IndexError in line"),
        (learners.divides, "ZeroDivisionError in line"),
        (learners.leaves, "SystemExit in line"),
        (learners.evil, "EvilError in line"),
        (learners.is_interrupted, "Does one of its loops never end?"),
        (lambda line: [10**5000, *line[1:]], "One of its tiles is too large for any board."),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_what_is_no_answer_is_said_in_words(function, said) -> None:
    with pytest.raises(Stuck) as stuck:
        Pieces({"merge": function})["merge"]([2, 0, 0, 0])
    assert said in stuck.value.text


@pytest.mark.parametrize("square", [(0, 1, 2), (0,), [0, 1], (0, 1.0), (0, -1)], ids=str)
def test_what_is_no_square_is_said_in_words(square) -> None:
    with pytest.raises(Stuck, match="It must give a list of squares, each a tuple"):
        Pieces({"empty_cells": lambda board: [square]})["spawn"]([[2, 0, 0]], Random(1))


def test_an_error_names_the_innermost_line_of_the_learner() -> None:
    with pytest.raises(Stuck) as stuck:
        Pieces({"merge": learners.divides})["merge"]([2, 0])
    line = learners.helper.__code__.co_firstlineno + 1
    assert f"line {line} (helper)" in stuck.value.text
    assert stuck.value.code == "return 1 / 0"


def test_a_changed_argument_is_a_fault_and_stays_without_effect() -> None:
    pieces, line = Pieces({"merge": learners.changes}), [4, 2]
    pieces["merge"](line)
    assert line == [4, 2]
    assert faults(pieces.report) == ["Your merge changed the list that it was given."]


def test_what_a_piece_prints_is_kept_and_an_endless_print_fills_no_memory() -> None:
    def chatter(line):
        for number in range(20000):
            print(number)
        return line

    pieces = Pieces({"merge": chatter})
    pieces["merge"]([2, 0])
    assert len(pieces.report.printed.text) <= 2000
    assert pieces.report.printed.lines() == [str(number) for number in range(19994, 20000)]


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_motion_leads_from_one_board_to_the_other(direction: str) -> None:
    rng = Random(direction)
    for _ in range(200):
        before = [[rng.choice([0, 0, 2, 4, 8]) for _ in range(4)] for _ in range(3)]
        after = slide(before, direction)
        motion = board_motion(before, after, direction)
        assert (motion.appeared, motion.vanished) == ([], [])
        arrived = [[0] * 4 for _ in range(3)]
        for _, (row, column), value in motion.glides:
            arrived[row][column] += value
        assert arrived == after


@pytest.mark.parametrize(
    ("board", "said"),
    [
        ([[2, 4], [2]], "board[1] has 1 square and board[0] has 2"),
        ([[2, 0], [3, 0]], "board[1][0] is 3: a square holds 0, or a tile"),
        ([[1]], "board[0][0] is 1:"),
        ([[2, -2]], "board[0][1] is -2:"),
        ([["2", 0]], "board[0][0] is '2', of the type str"),
        ([[2.0]], "board[0][0] is 2.0, of the type float"),
        ([[True]], "board[0][0] is True, of the type bool"),
        ([[type("int64", (int,), {})(2)]], "of the type int64"),
        (type("ndarray", (), {})(), "and not a ndarray"),
        ([], "board has 0 rows"),
        ([[]], "board[0] has 0 squares"),
        ([(2, 4)], "board[0] is (2, 4): a row must be a list"),
        ([[0]] * 1000, "board has 1000 rows"),
        ([[0] * 1000], "board[0] has 1000 squares"),
        ([[2**60]], "board[0][0] is"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_board_that_can_not_be_played_is_refused_with_its_place(board, said) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        play(board=board)


@pytest.mark.parametrize("name", ["height", "width"])
@pytest.mark.parametrize("size", [0, 33, 4.0, "4", None, True], ids=repr)
def test_a_size_that_no_board_has_is_refused(name: str, size) -> None:
    with pytest.raises(ValueError, match=f"{name} must be a whole number from 1 to 32"):
        play(**{name: size})


@pytest.mark.parametrize("board", [[[0]], [[2, 4, 131072]], [[0] * 32] * 32], ids=len)
def test_any_board_of_tiles_is_good_to_start_from(board) -> None:
    check_board(board)
    check_size(len(board), len(board[0]))
