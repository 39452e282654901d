"""The chart of what many second chances bring back: course.widgets.charts."""

from random import Random

import pytest

from course.playing.strategies import brought_back, by_habit, play_on
from course.refusal import Refusal
from course.rules import Game, SpecialGame
from course.widgets.charts import START, SecondChances, second_chances


def charted(**points: list[int]) -> SecondChances:
    return SecondChances(points)


def test_what_comes_back_is_counted_after_the_price() -> None:
    game = SpecialGame(4, 4, Random(1))
    game.board = [row[:] for row in START]
    play_on(game, by_habit)
    game.continue_()
    before = game.score
    play_on(game, by_habit)
    assert brought_back(SpecialGame, by_habit, START, seed=1) == game.score - before > 0


def test_every_strategy_plays_the_same_number_of_games_and_the_same_again() -> None:
    def up(board: list[list[int]]) -> str:
        return "up"

    chart = second_chances(SpecialGame, up, games=2)
    assert {name: len(points) for name, points in chart.points.items()} == {
        "by chance": 2,
        "by habit": 2,
        "up": 2,
    }
    assert repr(chart) == repr(second_chances(SpecialGame, up, games=2))


def test_each_game_is_counted_once_and_the_price_itself_is_worth_it() -> None:
    chart = charted(mine=[0, 499, 500, 2047, 2048, 9000])
    assert repr(chart).splitlines() == [
        "           points back  mine",
        "              0 to 499     2",
        "            500 to 999     1",
        "          1000 to 1499     0",
        "          1500 to 2047     1",
        "2048 or more: worth it     2",
        "mine: 2 of 6 second chances were worth their price. "
        "Half of them brought back 1274 points or more.",
    ]


def test_every_bar_has_its_number_and_names_are_text() -> None:
    html = charted(**{"<b>": [0, 0, 2048]})._repr_html_()
    assert "<b>" not in html
    assert html.count('scope="row"') == 5
    assert html.count(">2</td>") == html.count(">1</td>") == 1


class NeverOffers(SpecialGame):
    can_continue = False


class Fails(SpecialGame):
    def continue_(self):
        raise KeyError("oh")


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (NeverOffers, "Your SpecialGame gives no second chance."),
        (Fails, "Your SpecialGame.continue_ raised an error."),
        (Game, "AttributeError"),
    ],
)
def test_a_game_that_can_not_go_on_is_told(game, said: str) -> None:
    assert said in repr(second_chances(game, games=1))


def test_what_is_no_class_is_refused_in_words() -> None:
    with pytest.raises(Refusal, match=r"second_chances\(SpecialGame, my_strategy\)"):
        second_chances(SpecialGame())  # type: ignore[arg-type]
