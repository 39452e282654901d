"""`watch(rotate, board)`: four turns in a row, right or wrong."""

import pytest

from course import rules
from course.widgets.line import watch

BOARD = [[2, 4, 8], [16, 32, 64]]


def test_a_board_is_turned_four_times_and_is_as_before():
    turns = watch(rules.rotate, BOARD)
    assert turns.steps[1] == [[16, 2], [32, 4], [64, 8]]
    assert len(turns.steps) == 5
    assert turns.steps[4] == BOARD


def test_a_turn_that_changes_its_argument_leaves_the_steps_before_alone():
    def rotate(board):
        board[:] = rules.rotate(board)
        return board

    assert watch(rotate, BOARD).steps == watch(rules.rotate, BOARD).steps


@pytest.mark.parametrize("answer", [None, "<b>", [], [(2, 4)], [[2], [4, 8]]])
def test_an_answer_that_is_no_board_ends_the_turns_and_is_shown_as_text(answer):
    def rotate(board):
        return answer

    turns = watch(rotate, BOARD)
    assert turns.steps == [BOARD, answer]
    assert repr(turns).splitlines()[1] == f"turned once:  {answer!r}"
    assert "<b>" not in turns._repr_html_()


def test_an_error_of_the_learner_comes_through():
    def rotate(board):
        return 1 / 0

    with pytest.raises(ZeroDivisionError):
        watch(rotate, BOARD)


def test_text_and_picture_name_every_step():
    turns = watch(rules.rotate, BOARD)
    for name in ("the board", "turned once", "turned twice", "three times", "four times"):
        assert name in repr(turns)
        assert name in turns._repr_html_()
