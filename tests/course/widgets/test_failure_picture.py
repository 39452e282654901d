"""Failed checks as pictures: boards, squares of an answer, games, and words beside them."""

import pytest

from course import check
from course.checks import CheckFailed
from course.rules import Game
from course.widgets.failure_picture import failure_html
from tests.course.playing import learners


def failure(function, *arguments, ask=check, **wanted) -> str:
    """Return the picture of a check that fails; `ask` is the check or one of its methods."""
    with pytest.raises(CheckFailed) as failed:
        ask(function, *arguments, **wanted)
    return failure_html(failed.value)


def test_a_failed_check_is_drawn_with_the_squares_that_differ() -> None:
    html = failure(learners.cascade, [4, 2, 2, 0], gives=[4, 4, 0, 0])
    assert [html.count(f">{label}<") for label in ("Given", "Expected", "Yours")] == [1, 1, 1]
    assert html.count("c2048-cell c2048-marked") == 2


def test_an_answer_that_cannot_be_drawn_is_written() -> None:
    html = failure(learners.nothing, [4, 2], gives=[4, 2])
    assert "<code>None</code>" in html


def test_where_nothing_can_be_drawn_there_is_no_picture() -> None:
    assert failure(len, "four", gives=5) == ""


def test_a_learners_text_is_never_html() -> None:
    html = failure(lambda line: "<script>alert(1)</script>", [2], gives=[2])
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_a_wrong_true_or_false_is_drawn_with_the_board_that_it_is_about() -> None:
    html = failure(lambda board, direction: True, [[2, 4], [8, 16]], "left", gives=False)
    assert html.count("<table") == 1
    for text in ("<code>&#x27;left&#x27;</code>", "<code>False</code>", "<code>True</code>"):
        assert text in html


def test_wrong_squares_are_marked_on_the_board() -> None:
    html = failure(lambda board: [(0, 1), (1, 1)], [[2, 0], [0, 4]], gives=[(0, 1), (1, 0)])
    assert html.count("<table") == 3
    kinds = [html.count(f"c2048-cell c2048-{kind}") for kind in ("correct", "marked", "named")]
    assert kinds == [3, 1, 0]


@pytest.mark.parametrize("answer", [[(0, 2)], [[0, 1]], [], (0, 5)], ids=str)
def test_an_answer_that_is_no_list_of_squares_of_the_board_is_written(answer) -> None:
    html = failure(lambda board: answer, [[2, 0], [0, 4]], gives=[(0, 1), (1, 0)])
    assert f"<code>{answer!r}</code>" in html


def test_a_board_with_its_score_is_drawn_with_the_squares_that_differ() -> None:
    html = failure(lambda board: ([[512, 2]], 5), [[512, 4]], gives=([[512, 0]], 952))
    assert html.count("<table") == 3
    assert html.count("c2048-cell c2048-marked") == 1
    assert "<code>952</code>" in html


def test_a_failed_check_of_a_game_is_drawn_with_its_board_and_the_lines_after_it() -> None:
    html = failure(Game, [[2, 4], [4, 2]], "left", ask=check.plays, is_over=False)
    assert html.count("<table") == 1
    assert "game.move(&#x27;left&#x27;)</code><br><code>game.is_over" in html


def test_a_move_that_slides_wrong_is_drawn_with_the_board_that_the_rules_want() -> None:
    class Stuck(Game):
        def move(self, direction: str) -> bool:
            return True

    html = failure(Stuck, [[[0, 2], [0, 0]]], "slide", ask=check.turns, turns=9)
    assert [html.count(f">{title}<") for title in ("Before", "Expected", "Yours")] == [1, 1, 1]
    assert "and one new 2 or 4" in html
    assert html.count("c2048-cell c2048-marked") == 1  # where the tile was, a new one may be


def test_a_wrong_number_of_tiles_is_drawn_with_the_board() -> None:
    html = failure(Game, (2, 2), ask=check.plays, tiles=3)
    assert html.count("<table") == 1
    assert ">Board<" in html


def test_what_an_agent_was_shown_is_drawn_with_the_squares_that_it_may_name() -> None:
    class Agent:
        def place(self, view):
            return (0, 0) if (0, 0) not in view["legal"] else (3, 7)

        def push(self, view):
            return "left"

    html = failure(Agent, "place", ask=check.agent)
    assert html.count("<table") == 3
    assert "one of" in html
