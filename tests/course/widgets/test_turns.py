"""`watch(rotate, board)`: four turns in a row, right or wrong."""

import pytest

from course import rules
from course.widgets.line import watch
from tests.course.match import learners

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


def stub(board):
    raise NotImplementedError


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (stub, ("NotImplementedError in line", "(stub): your code is still missing here.")),
        (learners.markup, ("ValueError in line", "&lt;img src=x")),
        (learners.is_interrupted, ("Your rotate was stopped.",)),
    ],
    ids=["stub", "error", "stopped"],
)
def test_an_error_ends_the_turns_and_is_told_in_words(monkeypatch, function, said):
    monkeypatch.setattr(function, "__name__", "rotate")
    turns = watch(function, BOARD)
    assert turns.steps == [BOARD]
    picture = turns._repr_html_()
    assert all(part in picture for part in said)
    assert "<img" not in picture
    assert turns.trouble.title in repr(turns)


def test_what_the_turns_print_is_shown():
    def rotate(board):
        print("<turning>")
        return board

    turns = watch(rotate, BOARD)
    assert "&lt;turning&gt;" in turns._repr_html_()
    assert repr(turns).endswith("<turning>")


def test_text_and_picture_name_every_step():
    turns = watch(rules.rotate, BOARD)
    for name in ("the board", "turned once", "turned twice", "three times", "four times"):
        assert name in repr(turns)
        assert name in turns._repr_html_()
