"""Charts of many tries: cards with bars, and texts with the same numbers."""

import linecache
import math
from random import Random
from typing import Any

import pytest

from course import rules, tournament
from course.playing.game_simulation import brought_back, by_habit, play_on
from course.refusal import Refusal
from course.rules import Game, SpecialGame
from course.widgets import simulation_charts
from course.widgets.simulation_charts import START, compare, points_chart, second_chances, tally


def corner(board: list[list[int]]) -> str:
    return "left" if board[0][0] else "up"


@pytest.mark.parametrize(("p_four", "tiles"), [(0, {2: 50, 4: 0}), (1, {2: 0, 4: 50})])
def test_tiles_are_counted_by_value(p_four, tiles) -> None:
    assert tally(rules.spawn, p_four, times=50).tiles == tiles


def test_places_are_counted_by_square() -> None:
    chart = tally(lambda board, rng, p_four: [[2, 0], [0, 0]], times=30, height=2, width=2)
    assert chart.places == {(0, 0): 30}


def test_text_of_spawns_says_all_that_the_picture_says() -> None:
    chart = tally(rules.spawn, p_four=0, times=40, height=1, width=1)
    assert repr(chart).splitlines() == [
        "40 new tiles, p_four = 0",
        f"   2 {'█' * 40} 40",
        "   4  0",
        "on each square:",
        "    40",
    ]
    for fact in ("40 new tiles, p_four = 0", ">40<", ">0<"):
        assert fact in chart._repr_html_()


def test_nothing_spawned_is_a_chart_of_nothing() -> None:
    chart = tally(lambda board, rng, p_four: board, times=5, height=1, width=2)
    assert chart.tiles.total() == 0
    for text in (repr(chart), chart._repr_html_()):
        assert "0 new tiles" in text
        assert "5 calls gave no new tile." in text


@pytest.mark.parametrize("answer", [None, [[2]], [[2, 0], [2]], "board"])
def test_an_answer_that_is_no_such_board_is_told(answer) -> None:
    with pytest.raises(Refusal, match="a board of 2 rows and 2 columns is needed"):
        tally(lambda board, rng, p_four: answer, times=1, height=2, width=2)


@pytest.mark.parametrize(
    "make",
    [
        lambda: tally(rules.spawn, seed=5, times=50),
        lambda: compare(Game, corner, games=3),
        lambda: second_chances(SpecialGame, corner, games=2),
    ],
    ids=["tally", "compare", "second_chances"],
)
def test_the_same_call_gives_the_same_chart_again(make) -> None:
    assert repr(make()) == repr(make())


def test_every_strategy_plays_the_same_number_of_games() -> None:
    names = ["by chance", "by habit", "corner"]
    chart = compare(Game, corner, games=3)
    assert {name: len(ended) for name, ended in chart.outcomes.items()} == dict.fromkeys(names, 3)
    assert chart._repr_html_().count('<th scope="row">') == len(chart.tiles) + 3
    assert chart.trouble == ""
    points = second_chances(SpecialGame, corner, games=2)
    assert points.heads == ["points back", *names]
    assert [of for _, of in points.rows[0][1]] == [2, 2, 2]


def test_a_strategy_that_fails_is_told_and_the_others_are_there() -> None:
    def wrong(board: list[list[int]]) -> str:
        return "north"

    def broken(board: list[list[int]]) -> str:
        raise KeyError("oh")

    chart = compare(Game, wrong, games=2)
    assert "Your wrong gave no direction. It gave 'north'." in repr(chart)
    assert len(chart.outcomes["by habit"]) == 2
    assert "Your broken raised an error." in repr(compare(Game, broken, games=2))


class StandsStill(Game):
    def move(self, direction: str) -> bool:
        return False


class NeverOffers(SpecialGame):
    can_continue = False


class Fails(SpecialGame):
    def continue_(self):
        raise KeyError("oh")


class LosesItsBoard(SpecialGame):
    def move(self, direction: str) -> bool:
        self.board = None
        return True


class CutsARow(SpecialGame):
    def move(self, direction: str) -> bool:
        self.board = [[2, 2], [2]]
        return True


class HasNoBoard:
    def __init__(self, height, width, rng):
        pass


class OnlyShowsItsBoard(HasNoBoard):
    @property
    def board(self) -> list[list[int]]:
        return [[2, 4]]


@pytest.mark.parametrize(
    ("chart", "game", "said"),
    [
        (compare, LosesItsBoard, "The board of your Game is no board. It is None."),
        (compare, CutsARow, "The board of your Game is no board. It is [[2, 2], [2]]."),
        (compare, HasNoBoard, "Your Game.board raised an error. AttributeError"),
        (second_chances, LosesItsBoard, "The board of your Game is no board. It is None."),
        (second_chances, OnlyShowsItsBoard, "Your SpecialGame.board raised an error."),
        (compare, OnlyShowsItsBoard, "Your Game.score raised an error. AttributeError"),
        (compare, StandsStill, "it changed nothing"),
        (second_chances, NeverOffers, "Your SpecialGame gives no second chance."),
        (second_chances, Fails, "Your SpecialGame.continue_ raised an error."),
        (second_chances, Game, "AttributeError"),
    ],
)
def test_a_game_that_can_not_go_on_is_told(chart, game, said: str) -> None:
    assert said in repr(chart(game, games=1))


def test_a_slow_strategy_plays_fewer_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation_charts, "SECONDS", -1.0)
    assert all(not ended for ended in compare(Game, games=3).outcomes.values())


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: compare(Game()), r"compare\(Game, my_strategy\)"),
        (lambda: second_chances(SpecialGame()), r"second_chances\(SpecialGame, my_strategy\)"),
        (lambda: tally(7), r"tally\(spawn\)"),
        (lambda: tournament(SpecialGame()), r"tournament\(Agent\)"),
    ],
    ids=["compare", "second_chances", "tally", "tournament"],
)
def test_what_cannot_be_tried_is_refused_in_words(wrong, said: str) -> None:
    with pytest.raises(Refusal, match=said):
        wrong()


def test_what_comes_back_is_counted_after_the_price() -> None:
    game = SpecialGame(4, 4, Random(1))
    game.board = [row[:] for row in START]
    play_on(game, by_habit)
    game.continue_()
    before = game.score
    play_on(game, by_habit)
    assert brought_back(SpecialGame, by_habit, START, seed=1) == game.score - before > 0


def test_each_game_is_counted_once_and_the_price_itself_is_worth_it() -> None:
    chart = points_chart({"mine": [0, 499, 500, 2047, 2048, 9000]})
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


def test_every_bar_has_its_number_and_names_are_text(monkeypatch: pytest.MonkeyPatch) -> None:
    html = points_chart({"<b>": [0, 0, 2048]})._repr_html_()
    assert html.count('scope="row"') == 5
    assert html.count(">2</td>") == html.count(">1</td>") == 1
    monkeypatch.setattr(corner, "__name__", "<b>")
    assert "<b>" not in html + compare(Game, corner, games=1)._repr_html_()


def test_a_tournament_counts_every_game_and_tells_why_games_ended_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("course.widgets.agent_tournament.SECONDS", math.inf)

    class Agent:
        def place(self, view):
            return (0, 0)

    told = tournament(Agent)
    assert len(told.rows) == 3
    assert [games for _, [(_, games), *_] in told.rows] == [20, 20, 10]
    for _, [(won, games), _, (lost, _)] in told.rows:
        assert won == 0 < lost == games
    for text in (repr(told), told._repr_html_()):
        assert "illegal answer" in text


BROKEN = """class Agent:
    def __init__(self):
        self.ways = MISSING
    def place(self, view):
        return view["legal"][0]
    def push(self, view):
        return WAYS[0]"""


@pytest.mark.parametrize(
    ("source", "trouble"),
    [
        (BROKEN, "name 'MISSING' is not defined, in line 3: self.ways = MISSING."),
        (
            BROKEN.replace("MISSING", "[]"),
            "name 'WAYS' is not defined, in line 7: return WAYS[0].",
        ),
    ],
    ids=["making one", "a push"],
)
def test_an_error_of_an_agent_is_told_once_with_its_line(source: str, trouble: str) -> None:
    own: dict[str, Any] = {"__name__": "__main__"}
    linecache.cache["a cell"] = (len(source), None, source.splitlines(keepends=True), "a cell")
    exec(compile(source, "a cell", "exec"), own)  # noqa: S102 — as a notebook does
    told = repr(tournament(own["Agent"]))
    assert told.count("NameError") == 1
    assert f"Games against all three ended at once: error: NameError: {trouble}" in told
