"""`predict(...)`: a question about a call, its answers, and the reason for the right one."""

import pytest

from course import predict


def test_a_question_knows_the_right_answer_and_why() -> None:
    asked = predict("merge", [2, 0, 2, 4], options=[[8, 0, 0, 0], [4, 4, 0, 0]]).question
    assert asked["options"][asked["right"]]["text"] == "[4, 4, 0, 0]"
    assert asked["why"] == "2 and 2 merge into 4 on square 0. The 4 slides to square 1."


@pytest.mark.parametrize(
    ("name", "board", "reason"),
    [
        (
            "empty_cells",
            [[2, 0], [0, 4]],
            "The zeros are board[0][1] and board[1][0]: first the row, then the column, "
            "both counted from 0.",
        ),
        ("empty_cells", [[2]], "No square holds a 0."),
        ("is_over", [[2, 4], [0, 8]], "board[1][0] is empty, so a move is left."),
        (
            "is_over",
            [[2, 4], [8, 8]],
            "Two equal neighbours in row 1 (counted from 0) can still merge.",
        ),
        (
            "is_over",
            [[2, 4], [8, 4]],
            "Two equal neighbours in column 1 (counted from 0) can still merge.",
        ),
        ("points", [2, 2, 2, 4, 4], "The merges make 4 and 8."),
        ("points", [2, 4], "Nothing merges, nothing is scored."),
    ],
    ids=["zeros", "full", "empty", "row", "column", "points", "no points"],
)
def test_a_reason_counts_as_the_code_does(name, board, reason) -> None:
    assert predict(name, board, options=[]).question["why"] == reason


def test_a_missing_right_answer_is_added() -> None:
    asked = predict("merge", [2, 2], options=[[2, 2]]).question
    assert sorted(option["text"] for option in asked["options"]) == ["[2, 2]", "[4, 0]"]


def test_a_question_is_the_same_every_time() -> None:
    options = [[4, 0, 0], [2, 2, 0], [0, 0, 4]]
    assert predict("merge", [2, 2, 0], options=options).question == (
        predict("merge", [2, 2, 0], options=options).question
    )


def test_the_right_answer_is_not_always_the_first() -> None:
    places = {
        predict("merge", [2, 2, tile], options=[[4, tile, 0], [2, 2, tile]]).question["right"]
        for tile in (8, 16, 32, 64, 128)
    }
    assert places == {0, 1}


def test_a_question_about_an_unknown_function_is_refused() -> None:
    with pytest.raises(ValueError, match="does not know 'marge'"):
        predict("marge", [2], options=[[2]])
