"""Pictures of all widgets, for people to look at.

`python -m tests.browser.looks.screenshots` takes each in several dresses; a dress is a combination
of theme, width and forced colours.
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from course import play, play_duel, predict, replay, watch
from course.rules import Game, merge, rotate, second_chance
from tests.browser.alone.solving_puzzles import arrange, check, known
from tests.browser.alone.watched_calls import BOARD, cascade
from tests.browser.conftest import CHROMIUM, OPTIONS, new_page
from tests.browser.widget_page import BlankPage
from tests.course.playing import learners
from tests.course.steps import programs
from tests.course.widgets.conftest import puzzle_of

FOLDER = Path(__file__).parents[3] / "screenshots"
MIDDLE = [[2, 0, 4, 2], [8, 16, 4, 0], [128, 64, 32, 2], [1024, 512, 256, 16]]
Act = str | Callable[[Page], None]  # a selector to click on (none if empty), or a function
WRONG = [[0, 0, 0, 2], [4, 2, 2, 0], [8, 4, 0, 2], [16, 4, 2, 2]]
LARGE = [[2 ** (1 + (row * 8 + column) % 17) for column in range(8)] for row in range(8)]


def transpose(board: list[list[int]]) -> list[list[int]]:
    """Return the board with rows as columns: a wrong `rotate`."""
    return [list(row) for row in zip(*board, strict=True)]


def half_done(page: Page) -> None:
    """Put three lines of the puzzle in place, and pick one up."""
    merge = known("merge")
    arrange(page, merge, merge.lines[:3])
    page.keyboard.press(" ")


def wrong(page: Page) -> None:
    """Put a line of the loop too far to the left, then check the program."""
    merge = known("merge")
    rows = list(merge.lines)
    rows[3] = replace(rows[3], indent=2)
    arrange(page, merge, tuple(rows))
    check(page)


def right(page: Page) -> None:
    """Solve the puzzle, so that the widget shows the program at work."""
    arrange(page, known("merge"), known("merge").lines)
    check(page)


def offering(**options: Any) -> Any:
    """Return a board with special rules; after a slide to the left, it offers a second chance."""
    lost = [[512, 4, 8, 2], [4, 256, 16, 8], [2, 8, 128, 16], [2, 2, 64, 32]]
    return play(second_chance=second_chance, board=lost, score=4212, seed=1, p_four=0, **options)


def go_on(page: Page) -> None:
    page.click(".c2048-left")
    page.get_by_role("button", name="Take the second chance").click()


def shots() -> dict[str, tuple[Any, str, Act]]:
    """Return, by the picture's name: the widget, its dresses, and what is done before the picture.

    A dress is a combination of theme, width and forced colours.
    """
    left, forward = ".c2048-left", "[aria-label=Forward]"
    both, every = "light dark", "light dark slim forced"
    wrong_turn = play(board=WRONG, rotate=transpose, seed=1)
    question = predict("merge", [2, 2, 0, 4], options=[[8, 0, 0, 0], [2, 2, 4, 0]])
    return {
        "mid-game": (play(board=MIDDLE, seed=1), both, ".c2048-up"),
        "wrong-merge": (play(board=WRONG, merge=cascade, seed=1), "light dark slim", left),
        "wrong-merge-ear": (play(board=WRONG, merge=cascade, keys="ear"), "forced", left),
        "wrong-rotate": (wrong_turn, both, ".c2048-up"),
        "exception": (play(board=MIDDLE, merge=learners.divides), "light", left),
        "nonsense": (play(board=MIDDLE, merge=learners.nothing), "light", left),
        "printed": (play(board=MIDDLE, merge=learners.prints, seed=1), "light", left),
        "eight-by-eight": (play(board=LARGE), "light dark slim", ""),
        "one-square": (play(height=1, width=1), "light", ""),
        "one-row": (play(board=[[2, 2, 0, 4, 8, 0]]), "light", ""),
        "ear": (play(board=MIDDLE, keys="ear"), both, left),
        "won": (play(board=[[1024, 1024, 0, 2], *MIDDLE[1:3], [0] * 4]), "light", left),
        "second-chance": (offering(), every, left),
        "second-chance-ear": (offering(keys="ear"), "light", left),
        "second-chance-taken": (offering(), "light", go_on),
        "over": (play(board=[[2, 4, 8], [16, 32, 64], [2, 4, 8]]), "light", ""),
        "duel": (play_duel(seed=3), every, ""),
        "line": (watch(merge, [2, 0, 2, 4, 4]), "light", forward),
        "question": (question, "light", ".c2048-answer"),
        "puzzle": (puzzle_of("merge"), "light", ""),
        "puzzle-slide": (puzzle_of("slide"), "narrow", ""),
        "puzzle-half-done": (puzzle_of("merge"), "light forced", half_done),
        "puzzle-wrong": (puzzle_of("merge"), both, wrong),
        "puzzle-right": (puzzle_of("merge"), "light dark narrow", right),
        "replay": (replay(Game()), "dark", forward),
    }


def watched() -> dict[str, tuple[Any, int]]:
    """Return, by name of the picture: the widget that `watch` returns, and the step to show."""
    game = programs.Game(BOARD, Random(3))
    return {
        "merge": (watch(programs.merge, [2, 0, 2, 4]), 11),
        "merge-start": (watch(programs.merge, [2, 0, 2, 4]), 0),
        "merge-helper": (watch(programs.merge, [2, 0, 2, 4]), 5),
        "merge-end": (watch(programs.merge, [2, 0, 2, 4]), LAST),
        "merge-wrong": (watch(cascade, [4, 2, 2, 0]), LAST),
        "rotate": (watch(programs.rotate, [[2, 4, 8], [16, 32, 64]]), 7),
        "rotate-end": (watch(programs.rotate, [[2, 4, 8], [16, 32, 64]]), LAST),
        "slide-end": (watch(programs.slide_by_turning, BOARD, "up"), LAST),
        "error": (watch(programs.runs_off_the_end, [2, 4, 4]), LAST),
        "stub": (watch(programs.stub, [2, 4, 4]), LAST),
        "recursion": (watch(programs.merge_by_itself, [2, 2, 4, 8]), 9),
        "deep": (watch(programs.remembers, 30), 40),
        "game": (watch(game.move, "left"), 30),
        "spawn": (watch(programs.spawn, BOARD, Random(4)), 22),
        "endless": (watch(programs.never_ends, [2, 0, 2]), LAST),
        "reference": (watch(merge, [2, 0, 2, 4]), 1),
        "reference-rotate": (watch(rotate, [[2, 4], [8, 16]]), 0),
    }


# By name of the dress: options of the blank page, and media settings of the browser.
DRESSES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "light": ({}, {}),
    "dark": ({"dark": True}, {}),
    "slim": ({"width": 300}, {}),
    "narrow": ({"width": 400}, {}),
    "narrow-dark": ({"width": 400, "dark": True}, {}),
    "forced": ({}, {"forced_colors": "active"}),
}
LAST = 10**6
DRAG = """(slider, at) => { slider.value = at; slider.dispatchEvent(new Event("input")); }"""


def take(browser: Browser, name: str, dress: str, widget: Any, act: Act, **media: Any) -> None:
    """Show a widget, act on it, wait until nothing moves, and take a picture."""
    place, colours = DRESSES[dress]
    with new_page(browser, place.get("width", 900) + 30, 620) as page:
        host = BlankPage(page)
        page.emulate_media(**colours, **media)
        host.show(widget, **place)
        if callable(act):
            act(page)
        elif act:
            page.locator(act).first.click()
        host.settle()
        is_still = ".some(each => each.currentTime > 700)" if name == "won" else ".length === 0"
        page.wait_for_function(f"() => document.getAnimations(){is_still}")
        page.screenshot(path=FOLDER / f"{name}-{dress}.png", full_page=True)


def main() -> None:
    """Take all pictures, or only those whose names the command line gives."""
    only = sys.argv[1:]
    FOLDER.mkdir(exist_ok=True)

    def is_wanted(name: str, dress: str) -> bool:
        return not only or name in only or f"{name}-{dress}" in only

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        for name, (widget, dresses, act) in shots().items():
            for dress in dresses.split():
                if is_wanted(name, dress):
                    take(browser, name, dress, widget, act)
        for name, (widget, at) in watched().items():
            for dress in DRESSES:
                if is_wanted(f"watch-{name}", dress):
                    drag = partial(draw_slider, at=at)
                    take(browser, f"watch-{name}", dress, widget, drag, reduced_motion="reduce")
        browser.close()


def draw_slider(page: Page, at: int) -> None:
    page.locator(".c2048-slider").evaluate(DRAG, str(at))


if __name__ == "__main__":
    main()
