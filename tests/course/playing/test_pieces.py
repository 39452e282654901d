from random import Random

import pytest

from course import rules
from course.playing.calls import Stuck
from course.playing.pieces import Pieces
from tests.course.playing import learners

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


def reversed_starts(board, direction):
    return rules.start_squares(board, direction)[::-1]


@pytest.mark.parametrize(
    "piece",
    [
        {},
        {"traverse": lambda start, step, count: rules.traverse(start, step, count)},
        {"start_squares": reversed_starts},
    ],
    ids=["none", "traverse", "start_squares in any order"],
)
@pytest.mark.parametrize("direction", rules.DIRECTIONS)
def test_right_pieces_slide_by_the_rules(piece, direction) -> None:
    pieces = Pieces(piece)
    assert pieces["slide"](BOARD, direction) == rules.slide(BOARD, direction)
    assert pieces.report.faults == []


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
    assert pieces.report.faults[0].startswith(said)


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (learners.too_short, "The line has 4 squares, the answer has 1."),
        (learners.nothing, "gave None. It must give a list of 4 numbers."),
        (learners.text, "It must give a list of 4 numbers."),
        (learners.booleans, "Every square must be a whole number"),
        (learners.nested, "The line has 4 squares, the answer has 1."),
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
    assert pieces.report.faults == ["Your merge changed the list that it was given."]


def test_what_a_piece_prints_is_kept_and_an_endless_print_fills_no_memory() -> None:
    def chatter(line):
        for number in range(20000):
            print(number)
        return line

    pieces = Pieces({"merge": chatter})
    pieces["merge"]([2, 0])
    assert len(pieces.report.printed.text) <= 2000
    assert pieces.report.printed.lines(1) == ["19999"]
