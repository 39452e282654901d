"""The best game, as a browser remembers it."""

import pytest
from playwright.sync_api import Page

from course import play
from course.rules import Game, second_chance
from tests.browser.blank import BlankPage
from tests.browser.board import START
from tests.course.playing import learners


def best(page: Page) -> str:
    return " ".join(page.locator(".c2048-number").nth(1).inner_text().split())


def score_in(blank: BlankPage, **options) -> int:
    """Plays until there are points; returns how many."""
    blank.show(play(**options))
    page = blank.page
    page.locator(".c2048-field > table").focus()
    while not blank.widget.match.score:
        for key in ("ArrowLeft", "ArrowDown"):
            page.keyboard.press(key)
            blank.settle()
        page.keyboard.press("ArrowRight")
        blank.settle()
    return blank.widget.match.score


def test_the_best_game_is_remembered_with_its_largest_tile(blank: BlankPage) -> None:
    blank.remember()
    score = score_in(blank)
    largest = max(map(max, blank.widget.board))
    blank.show(play())
    assert best(blank.page) == f"Best {score} tile {largest}"


@pytest.mark.parametrize(
    "options",
    [{"board": START}, {"seed": 1}, {"p_four": 0.5}, {"merge": learners.cascade, "board": START}],
    ids=["board", "seed", "p_four", "a broken rule"],
)
def test_a_game_that_was_prepared_or_broke_a_rule_is_no_best(blank: BlankPage, options) -> None:
    blank.remember()
    score_in(blank, **options)
    assert best(blank.page) == "Best –"
    blank.show(play())
    assert best(blank.page) == "Best –"


def test_a_game_of_ones_own_that_is_not_at_its_start_is_no_best(blank: BlankPage) -> None:
    blank.remember()
    game = Game()
    game.board = [[2, 2, 4, 8], [0] * 4, [0] * 4, [0] * 4]
    score_in(blank, game=game)
    assert best(blank.page) == "Best –"


def test_other_rules_and_other_sizes_have_a_best_of_their_own(blank: BlankPage) -> None:
    blank.remember()
    score = score_in(blank)
    others = ({"height": 3}, {"width": 5}, {"goal": 64}, {"second_chance": second_chance})
    blank.show(*(play(**options) for options in others), play())
    bests = blank.page.locator(".c2048-number:nth-child(2)").all_inner_texts()
    assert [" ".join(each.split()) for each in bests[:4]] == ["Best –"] * 4
    assert " ".join(bests[4].split()).startswith(f"Best {score} ")
