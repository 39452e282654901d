"""The chart of many spawns: it counts what there is, and says what is no board."""

import pytest

from course import rules
from course.refusal import Refusal
from course.widgets.charts import tally


@pytest.mark.parametrize(("p_four", "tiles"), [(0, {2: 50, 4: 0}), (1, {2: 0, 4: 50})])
def test_tiles_are_counted_by_value(p_four, tiles):
    assert tally(rules.spawn, p_four, times=50).tiles == tiles


def test_places_are_counted_by_square():
    def first(board, rng, p_four):
        return [[2, 0], [0, 0]]

    assert tally(first, times=30, height=2, width=2).places == {(0, 0): 30}


def test_the_same_seed_gives_the_same_chart():
    assert repr(tally(rules.spawn, seed=5)) == repr(tally(rules.spawn, seed=5))


def test_text_says_all_that_the_picture_says():
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


def test_nothing_spawned_is_a_chart_of_nothing():
    chart = tally(lambda board, rng, p_four: board, times=5, height=1, width=2)
    assert chart.tiles.total() == 0
    assert "0 new tiles" in chart._repr_html_()
    assert "5 calls gave no new tile." in chart._repr_html_()
    assert "5 calls gave no new tile." in repr(chart)


@pytest.mark.parametrize("answer", [None, [[2]], [[2, 0], [2]], "board"])
def test_an_answer_that_is_no_such_board_is_told(answer):
    with pytest.raises(Refusal, match="a board of 2 rows and 2 columns is needed"):
        tally(lambda board, rng, p_four: answer, times=1, height=2, width=2)
