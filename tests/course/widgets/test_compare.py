"""Many games by several strategies, in one chart."""

import pytest

from course.refusal import Refusal
from course.rules import Game
from course.widgets import charts
from course.widgets.charts import compare


def corner(board: list[list[int]]) -> str:
    return "left" if board[0][0] else "up"


def test_every_strategy_plays_the_same_number_of_games() -> None:
    chart = compare(Game, corner, games=3)
    assert {name: len(ended) for name, ended in chart.outcomes.items()} == {
        "by chance": 3,
        "by habit": 3,
        "corner": 3,
    }
    assert chart.trouble == ""


def test_the_same_class_gives_the_same_chart_again() -> None:
    assert repr(compare(Game, games=3)) == repr(compare(Game, games=3))


def test_a_strategy_that_fails_is_told_and_the_others_are_there() -> None:
    def wrong(board: list[list[int]]) -> str:
        return "north"

    def broken(board: list[list[int]]) -> str:
        raise KeyError("oh")

    chart = compare(Game, wrong, games=2)
    assert "Your wrong gave no direction. It gave 'north'." in repr(chart)
    assert len(chart.outcomes["by habit"]) == 2
    assert "Your broken raised an error." in repr(compare(Game, broken, games=2))


def test_a_game_that_stands_still_is_told() -> None:
    class Stuck(Game):
        def move(self, direction: str) -> bool:
            return False

    assert "it changed nothing" in compare(Stuck, games=2).trouble


def test_a_slow_strategy_plays_fewer_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(charts, "SECONDS", 0.0)
    assert all(not ended for ended in compare(Game, games=3).outcomes.values())


def test_what_is_no_class_is_refused_in_words() -> None:
    with pytest.raises(Refusal, match=r"compare\(Game, my_strategy\)"):
        compare(Game())  # type: ignore[arg-type]


def test_names_with_markup_are_text() -> None:
    corner.__name__ = "<b>"
    try:
        assert "<b>" not in compare(Game, corner, games=1)._repr_html_()
    finally:
        corner.__name__ = "corner"
