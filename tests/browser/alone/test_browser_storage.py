"""Data that a browser keeps for boards (the best game, keys, pictures), and the second chance."""

from random import Random

import pytest

from course import play, watch
from course.rules import Game, SpecialGame, merge, second_chance
from course.widgets.static_html import board_html, saved_html
from tests.browser.widget_page import START, BlankPage
from tests.course.playing import learners

ALWAYS = "Start every new board with these keys"


@pytest.fixture(autouse=True)
def _same_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every game that is begun without a seed the same random numbers."""
    for module in ("course.rules.game", "course.playing.game_implementations"):
        monkeypatch.setattr(f"{module}.Random", lambda seed=1: Random(seed))


def best(blank: BlankPage, view: int = 0) -> str:
    shown = blank.page.locator(".c2048-number:nth-child(2)").nth(view)
    return " ".join(shown.inner_text().split())


def score_in(blank: BlankPage, **options) -> int:
    """Play until the score is not 0; return the score."""
    blank.show(play(**options))
    blank.focus()
    for _ in range(10):
        blank.press("ArrowLeft", "ArrowDown", "ArrowRight", "ArrowUp")
        if score := blank.widget.match.state.score:
            return int(score)
    raise AssertionError("no tiles have merged")


def test_the_best_game_is_remembered_by_rules_and_size(blank: BlankPage) -> None:
    blank.remember()
    score = score_in(blank)
    largest = max(map(max, blank.widget.board))
    others = ({"height": 3}, {"width": 5}, {"goal": 64}, {"second_chance": second_chance})
    blank.show(*(play(**options) for options in others), play())
    bests = [best(blank, view) for view in range(5)]
    assert bests == ["Best –"] * 4 + [f"Best {score} tile {largest}"]


def started() -> Game:
    game = Game()
    game.board = [[2, 2, 4, 8], [0] * 4, [0] * 4, [0] * 4]
    return game


@pytest.mark.parametrize(
    "options",
    [
        {"board": START},
        {"seed": 1},
        {"p_four": 0.5},
        {"merge": learners.cascade, "board": START},
        {"game": started()},
    ],
    ids=["board", "seed", "p_four", "a broken rule", "a game of one's own, not at its start"],
)
def test_a_game_that_was_prepared_or_broke_a_rule_is_no_best(blank: BlankPage, options) -> None:
    blank.remember()
    score_in(blank, **options)
    assert best(blank) == "Best –"
    blank.show(play())
    assert best(blank) == "Best –"


def test_the_keys_for_the_ear_are_explained_and_kept_for_who_wants_them(blank: BlankPage) -> None:
    blank.remember()
    page = blank.play()
    shown = page.locator(".c2048-play")
    toggle = page.get_by_role("button", name="Keys for the ear")
    assert toggle.get_attribute("aria-pressed") == "false"
    assert not page.locator(".c2048-ear").is_visible()
    toggle.click()
    said = blank.said()
    assert "Keys for the ear are on" in said
    assert "Each square is read out by its name" in page.locator(".c2048-ear").inner_text()
    assert shown.inner_text().count(said) == 1  # no sentence stands there twice
    blank.play()
    assert shown.get_attribute("data-keys") == "eye"
    toggle.click()
    page.get_by_label(ALWAYS).check()
    blank.play()
    assert shown.get_attribute("data-keys") == "ear"
    assert page.get_by_label(ALWAYS).is_checked()
    blank.play(keys="eye")
    assert shown.get_attribute("data-keys") == "eye"
    blank.play()
    toggle.click()
    blank.play()
    assert shown.get_attribute("data-keys") == "eye"


# Removes from a page all that JupyterLab removes from a notebook that it does not trust.
UNTRUSTED = """() => { for (const node of document.querySelectorAll('.c2048-saved')) {
  node.removeAttribute('data-c2048');
  for (const style of document.querySelectorAll('main style')) style.remove();
} }"""
# Returns, for each saved picture of a board, true if the page's styles do not hide it.
IS_SEEN = """() => [...document.querySelectorAll('.c2048-saved')]
  .map(picture => getComputedStyle(picture).display !== 'none')"""


def test_of_a_live_widget_and_its_saved_picture_one_is_seen(blank: BlankPage) -> None:
    picture = board_html([[2, 2]])
    for widget in (play(board=[[2, 2]]), watch(merge, [2, 2])):
        blank.show(widget)
        for saved_id in ("another", widget.saved_id):  # the live widget is there already
            blank.insert(saved_html(saved_id, picture, "Run this cell."))
        assert blank.page.evaluate(IS_SEEN) == [False, True]
        blank.page.evaluate(UNTRUSTED)
        assert blank.page.evaluate(IS_SEEN) == [False, True]
        blank.page.evaluate("() => window.widget.views.pop().cleanup()")
        assert blank.page.evaluate(IS_SEEN) == [True, True]


OFFERED = {
    "by button": lambda page, name, key: page.get_by_role("button", name=name).click(),
    "by key": lambda page, name, key: page.keyboard.press(key),
    "by Tab and Enter": lambda page, name, key: (
        page.get_by_role("button", name=name).focus(),
        page.keyboard.press("Enter"),
    ),
}


@pytest.mark.parametrize("keys", ["eye", "ear"])
@pytest.mark.parametrize("way", OFFERED)
def test_the_second_chance_is_taken_or_not_and_the_board_has_the_focus_again(
    blank: BlankPage, way: str, keys: str
) -> None:
    taken, left = [[512, 0], [0, 256]], [[512, 2], [4, 256]]
    choices = [("Take the second chance (Y)", "y", taken), ("No, thanks (N)", "n", left)]
    for name, key, board in choices:
        game = SpecialGame(2, 2, Random(1))
        game.board, game.score = [[512, 256], [2, 2]], 3000
        page = blank.play(board=None, seed=None, game=game, keys=keys)
        offer = page.get_by_role("group", name="Second chance")
        blank.press("y")  # there is no second chance yet, so the board ignores the key
        assert not offer.is_visible()
        assert blank.sent == []
        game.board = [row[:] for row in left]
        blank.press("Shift+ArrowLeft" if keys == "ear" else "ArrowLeft")
        blank.until_drawn(left)
        assert "Second chance: Y takes it, N does not." in blank.said()
        OFFERED[way](page, name, key)
        blank.until_drawn(board)
        assert not offer.is_visible()
        assert page.evaluate("document.activeElement.closest('.c2048-field') !== null")
        assert "Second chance" not in blank.said()
