from random import Random

import pytest

from course import rules
from course.playing.calls import Stuck
from course.playing.pieces import Pieces
from course.playing.wanted import WANTED
from tests.course.playing import learners

BOARD = [[2, 2, 0, 4], [0, 0, 2, 2], [4, 4, 8, 8], [2, 0, 0, 0]]


def test_every_piece_is_a_function_of_the_rules() -> None:
    assert all(callable(getattr(rules, name)) for name in WANTED)


@pytest.mark.parametrize("direction", rules.DIRECTIONS)
def test_without_a_piece_of_the_learner_the_game_is_the_references(direction: str) -> None:
    assert Pieces({})["slide"](BOARD, direction) == rules.slide(BOARD, direction)


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


def test_the_learners_traverse_walks_the_other_road() -> None:
    pieces = Pieces({"traverse": lambda start, step, count: rules.traverse(start, step, count)})
    assert pieces["slide"](BOARD, "up") == rules.slide(BOARD, "up")
    wrong = Pieces({"traverse": lambda start, step, count: [start] * count})
    wrong["slide"](BOARD, "up")
    assert wrong.report.faults


def test_the_learners_start_squares_begin_the_other_road_in_any_order() -> None:
    mine = Pieces({"start_squares": lambda board, way: rules.start_squares(board, way)[::-1]})
    assert mine["slide"](BOARD, "up") == rules.slide(BOARD, "up")
    assert mine.report.faults == []


def test_is_over_asks_the_learners_has_pair() -> None:
    pieces = Pieces({"has_pair": lambda line: True})
    assert pieces["is_over"]([[2, 4], [4, 2]]) is False
    assert "has_pair([2, 4]) gave True. The rules give False." in pieces.report.faults


def test_spawn_asks_the_learners_empty_cells() -> None:
    pieces = Pieces({"empty_cells": lambda board: [(1, 1)]})
    assert pieces["spawn"]([[0, 0], [0, 0]], Random(1), 0) == [[0, 0], [0, 2]]


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


def test_what_a_piece_prints_is_kept() -> None:
    pieces = Pieces({"merge": learners.prints})
    pieces["merge"]([2, 0])
    assert pieces.report.printed.lines() == ["merging [2, 0]"]


def test_a_changed_argument_is_a_fault_and_stays_without_effect() -> None:
    pieces, line = Pieces({"merge": learners.changes}), [4, 2]
    pieces["merge"](line)
    assert line == [4, 2]
    assert pieces.report.faults == ["Your merge changed the list that it was given."]


def test_an_endless_print_fills_no_memory() -> None:
    def chatter(line):
        for number in range(20000):
            print(number)
        return line

    pieces = Pieces({"merge": chatter})
    pieces["merge"]([2, 0])
    assert len(pieces.report.printed.text) <= 2000
    assert pieces.report.printed.lines(1) == ["19999"]
