"""Pictures of the board in every dress, to be looked at: `python -m tests.browser.screenshots`."""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from course import play, predict, replay, watch
from course.rules import Game, merge, rotate, second_chance
from tests.browser.blank import BlankPage
from tests.browser.calls import BOARD, cascade
from tests.browser.conftest import CHROMIUM, OPTIONS
from tests.browser.labshots import take_in_lab
from tests.browser.puzzles import arrange, check, known, puzzle_of
from tests.course.playing import learners
from tests.course.steps import programs

FOLDER = Path(__file__).parents[2] / "screenshots"
MIDDLE = [[2, 0, 4, 2], [8, 16, 4, 0], [128, 64, 32, 2], [1024, 512, 256, 16]]
Act = str | Callable[[Page], None]  # a selector to click (none: ""), or more than a click
WRONG = [[0, 0, 0, 2], [4, 2, 2, 0], [8, 4, 0, 2], [16, 4, 2, 2]]
LARGE = [[2 ** (1 + (row * 8 + column) % 17) for column in range(8)] for row in range(8)]


def transpose(board: list[list[int]]) -> list[list[int]]:
    """A turn that is none: rows become columns."""
    return [list(row) for row in zip(*board, strict=True)]


def half_done(page: Page) -> None:
    """Three lines stand, and one is picked up."""
    merge = known("merge")
    arrange(page, merge, merge.lines[:3])
    page.keyboard.press(" ")


def wrong(page: Page) -> None:
    """A line of the loop stands too far out."""
    merge = known("merge")
    rows = list(merge.lines)
    rows[3] = replace(rows[3], indent=2)
    arrange(page, merge, tuple(rows))
    check(page)


def right(page: Page) -> None:
    """The program works, and is seen at work."""
    arrange(page, known("merge"), known("merge").lines)
    check(page)


def offering(**options: Any) -> Any:
    """A board of the special rules that is lost after a push to the left."""
    lost = [[512, 4, 8, 2], [4, 256, 16, 8], [2, 8, 128, 16], [2, 2, 64, 32]]
    return play(second_chance=second_chance, board=lost, score=4212, seed=1, p_four=0, **options)


def go_on(page: Page) -> None:
    """The game is lost, and the second chance is taken."""
    page.click(".c2048-left")
    page.get_by_role("button", name="Take the second chance").click()


def shots() -> dict[str, tuple[Any, dict[str, Any], dict[str, Any], Act]]:
    """Name → widget, options of the blank page, media of the browser, what is done to it."""
    left, forward = ".c2048-left", "[aria-label=Forward]"
    return {
        "mid-game-light": (play(board=MIDDLE, seed=1), {}, {}, ".c2048-up"),
        "mid-game-dark": (play(board=MIDDLE, seed=1), {"dark": True}, {}, ".c2048-up"),
        "forced-colours": (
            play(board=WRONG, merge=cascade, keys="ear"),
            {},
            {"forced_colors": "active"},
            left,
        ),
        "wrong-merge": (play(board=WRONG, merge=cascade, seed=1), {}, {}, left),
        "wrong-merge-dark": (play(board=WRONG, merge=cascade, seed=1), {"dark": True}, {}, left),
        "wrong-rotate": (play(board=WRONG, rotate=transpose, seed=1), {}, {}, ".c2048-up"),
        "wrong-rotate-dark": (
            play(board=WRONG, rotate=transpose, seed=1),
            {"dark": True},
            {},
            ".c2048-up",
        ),
        "exception": (play(board=MIDDLE, merge=learners.divides), {}, {}, left),
        "nonsense": (play(board=MIDDLE, merge=learners.nothing), {}, {}, left),
        "printed": (play(board=MIDDLE, merge=learners.prints, seed=1), {}, {}, left),
        "eight-by-eight": (play(board=LARGE), {}, {}, ""),
        "eight-by-eight-dark": (play(board=LARGE), {"dark": True}, {}, ""),
        "narrow": (play(board=WRONG, merge=cascade), {"width": 300}, {}, left),
        "narrow-eight": (play(board=LARGE), {"width": 300}, {}, ""),
        "one-square": (play(height=1, width=1), {}, {}, ""),
        "one-row": (play(board=[[2, 2, 0, 4, 8, 0]]), {}, {}, ""),
        "ear": (play(board=MIDDLE, keys="ear"), {}, {}, left),
        "ear-dark": (play(board=MIDDLE, keys="ear"), {"dark": True}, {}, left),
        "won": (play(board=[[1024, 1024, 0, 2], *MIDDLE[1:3], [0] * 4]), {}, {}, left),
        "second-chance": (offering(), {}, {}, left),
        "second-chance-dark": (offering(), {"dark": True}, {}, left),
        "second-chance-ear": (offering(keys="ear"), {}, {}, left),
        "second-chance-narrow": (offering(), {"width": 300}, {}, left),
        "second-chance-forced-colours": (offering(), {}, {"forced_colors": "active"}, left),
        "second-chance-taken": (offering(), {}, {}, go_on),
        "over": (play(board=[[2, 4, 8], [16, 32, 64], [2, 4, 8]]), {}, {}, ""),
        "line": (watch(merge, [2, 0, 2, 4, 4]), {}, {}, forward),
        "question": (
            predict("merge", [2, 2, 0, 4], options=[[8, 0, 0, 0], [2, 2, 4, 0]]),
            {},
            {},
            ".c2048-answer",
        ),
        "puzzle": (puzzle_of("merge"), {}, {}, ""),
        "puzzle-half-done": (puzzle_of("merge"), {}, {}, half_done),
        "puzzle-wrong": (puzzle_of("merge"), {}, {}, wrong),
        "puzzle-wrong-dark": (puzzle_of("merge"), {"dark": True}, {}, wrong),
        "puzzle-right": (puzzle_of("merge"), {}, {}, right),
        "puzzle-right-dark": (puzzle_of("merge"), {"dark": True}, {}, right),
        "puzzle-narrow": (puzzle_of("slide"), {"width": 370}, {}, ""),
        "puzzle-narrow-right": (puzzle_of("merge"), {"width": 370}, {}, right),
        "puzzle-forced-colours": (
            puzzle_of("merge"),
            {},
            {"forced_colors": "active"},
            half_done,
        ),
        "replay": (replay(Game()), {"dark": True}, {}, forward),
    }


def watched() -> dict[str, tuple[Any, int]]:
    """Name → a call that is watched, and the step that is shown."""
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


def dresses() -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
    """Name → options of the blank page, media of the browser."""
    return {
        "light": ({}, {}),
        "dark": ({"dark": True}, {}),
        "narrow": ({"width": 400}, {}),
        "narrow-dark": ({"width": 400, "dark": True}, {}),
        "forced": ({}, {"forced_colors": "active"}),
    }


def take_watched(browser: Browser, only: list[str]) -> None:
    """Each call that is watched, in every dress."""
    for name, (widget, at) in watched().items():
        for dress, (place, media) in dresses().items():
            if only and name not in only and f"{name}-{dress}" not in only:
                continue
            size = {"width": place.get("width", 900) + 30, "height": 300}
            context = browser.new_context(viewport=size)
            page = context.new_page()
            host = BlankPage(page)
            page.emulate_media(reduced_motion="reduce", **media)
            host.show(widget, **place)
            page.get_by_role("slider").evaluate(DRAG, str(at)) if at else None
            page.screenshot(path=FOLDER / f"watch-{name}-{dress}.png", full_page=True)
            context.close()


LAST = 10**6
DRAG = """(slider, at) => { slider.value = at; slider.dispatchEvent(new Event("input")); }"""


def take(page: Page, name: str, widget: Any, place: Any, media: Any, act: Act) -> None:
    """Shows a widget, does what is to be done, waits until all is still, and takes its picture."""
    host = BlankPage(page)
    page.emulate_media(**media)
    host.show(widget, **place)
    if callable(act):
        act(page)
    elif act:
        page.locator(act).first.click()
    host.settle()
    if name == "won":
        page.wait_for_function("() => document.getAnimations().some(a => a.currentTime > 700)")
    else:
        page.wait_for_function("() => document.getAnimations().length === 0")
    page.screenshot(path=FOLDER / f"{name}.png")


def main() -> None:
    """Takes all pictures anew, or only those of the names that are given."""
    only = sys.argv[1:]
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        take_watched(browser, only)
        for name, (widget, place, media, act) in shots().items():
            if only and name not in only:
                continue
            width = place.get("width", 900) + 30
            context = browser.new_context(viewport={"width": width, "height": 620})
            take(context.new_page(), name, widget, place, media, act)
            context.close()
        if not only or any(name.startswith("lab") for name in only):
            take_in_lab(browser, FOLDER, only)
        browser.close()


if __name__ == "__main__":
    main()
