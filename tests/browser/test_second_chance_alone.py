"""The second chance on a board on a blank page: taken or not, by mouse, keys and ear."""

from random import Random

import pytest

from course import play
from course.rules import SpecialGame
from tests.browser.blank import BlankPage
from tests.browser.board import until_drawn

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
        blank.show(play(game=game, keys=keys))
        page = blank.page
        offer = page.get_by_role("group", name="Second chance")
        page.locator(".c2048-field > table").focus()
        page.keyboard.press("y")  # there is none yet: the key is not for the board
        assert not offer.is_visible()
        assert blank.sent == []
        game.board = [row[:] for row in left]
        page.keyboard.press("Shift+ArrowLeft" if keys == "ear" else "ArrowLeft")
        until_drawn(blank, left)
        assert "Second chance: Y takes it, N does not." in page.get_by_role("status").inner_text()
        OFFERED[way](page, name, key)
        until_drawn(blank, board)
        assert not offer.is_visible()
        assert page.evaluate("document.activeElement.closest('.c2048-field') !== null")
        assert "Second chance" not in page.get_by_role("status").inner_text()
