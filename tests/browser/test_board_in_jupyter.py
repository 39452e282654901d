"""The board in JupyterLab and Notebook 7, with a kernel behind it."""

import pytest

from tests.browser.notebooks import NotebookPage, until

DEFINE = """from course import play
def merge(line):
    tiles = [tile for tile in line if tile]
    return tiles + [0] * (len(line) - len(tiles))"""
PLAY = "board = play(merge=merge, board=[[2, 2, 0, 0]] + [[0] * 4] * 3, seed=1)\nboard"


@pytest.fixture(params=["lab", "notebook"])
def either(request: pytest.FixtureRequest, page, server) -> NotebookPage:
    return NotebookPage(page, server, request.param)


def test_keys_play_the_board_and_leave_the_notebook_alone(either: NotebookPage) -> None:
    either.open([DEFINE, PLAY])
    either.run_all()
    page = either.page
    page.locator(".c2048-field").click()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("a")
        page.keyboard.press("ArrowDown")
    until(lambda: page.locator(".c2048-value").nth(2).inner_text() != "0", "a move is made")
    assert either.sources() == [DEFINE, PLAY]
    assert either.errors() == []
