"""axe, a checker of accessibility, finds no fault in any widget, card or picture, in any theme."""

from collections.abc import Iterable

import pytest
from playwright.sync_api import Page

from course import play, predict, replay, rules, second_chances, tally
from course.lessons import exercise, lessons
from course.mine.own_or_course import NOT_KEPT, Piece
from course.mine.passed_checks import Results
from course.mine.run_visible_checks import CheckOutcome, outcomes
from course.playing.game_implementations import Functions
from course.playing.game_in_progress import Match
from course.rules import Game, SpecialGame, second_chance
from course.widgets.below_cells.check_strip import Strip
from course.widgets.below_cells.error_advice import advice_html
from course.widgets.below_cells.success_marks import Success
from course.widgets.live_board import BoardWidget
from course.widgets.progress import PieceTable, Progress
from course.widgets.simulation_charts import compare
from course.widgets.static_html import board_html, table_of
from tests.browser.alone.solving_puzzles import arrange, check, known
from tests.browser.alone.watched_calls import calls
from tests.browser.widget_page import BlankPage, violations
from tests.course.playing import learners
from tests.course.widgets.conftest import puzzle_of
from tests.parametrize_marks import some_in_every_run

POWERS = [2**power for power in range(1, 18)]
EVERY_TILE = [[*POWERS[:6]], [*POWERS[6:12]], [*POWERS[12:], 0], [6, 12, 3, 0, 0, 262144]]
STEP = """(sliders, part) => sliders.forEach((slider) => {
  slider.value = Math.round(part * slider.max);
  slider.dispatchEvent(new Event("input"));
})"""
CLICK = "(found) => found.forEach((each) => each.click())"


def every_tile() -> BoardWidget:
    """Return a board with every tile, also with wrong ones, which `play` refuses to start from."""
    return BoardWidget(Match(Functions({}, board=EVERY_TILE)))


def boards() -> list[BoardWidget]:
    return [
        every_tile(),
        play(board=[[4, 2, 2, 0]], merge=learners.cascade),
        play(board=[[2, 4], [0, 8]], slide=lambda board, direction: board[::-1]),
        play(merge=learners.divides),
        play(merge=learners.nothing),
        play(merge=learners.prints),
        play(board=[[1024, 1024, 0], [0, 0, 2]]),
        play(board=[[2, 4, 8], [16, 32, 64]]),
        play(board=[[512, 2], [4, 256]], second_chance=second_chance, score=3000),
        play(height=1, width=1),
    ]


def others() -> list:
    return [
        predict("merge", [2, 2, 4], options=[[8, 0, 0], [2, 2, 4]]),
        predict("is_over", [[2, 4], [4, 2]], options=[True, False]),
        replay(Game(3, 3)),
        puzzle_of("merge"),
    ]


@pytest.fixture(autouse=True)
def still(blank: BlankPage) -> None:
    """Turn off all motion, so that axe sees final colours."""
    blank.page.emulate_media(reduced_motion="reduce")


@pytest.mark.parametrize("keys", ["eye", pytest.param("ear", marks=pytest.mark.deep)])
def test_axe_finds_nothing_in_boards_and_their_family(blank: BlankPage, keys: str) -> None:
    shown = boards()
    for board in shown:
        board.scheme = keys
    blank.show(*shown, *(others() if keys == "eye" else shown[:1]))
    page = blank.page
    for what_it_is_for in (".c2048-left", ".c2048-answer:first-child", "[aria-label=Forward]"):
        page.locator(what_it_is_for).evaluate_all(CLICK)
    blank.settle()
    assert blank.faults_in_both_themes() == []


@pytest.mark.parametrize(
    ("width", "dark", "part", "names"),
    some_in_every_run(
        {
            "wide, at the end": (900, False, 1, calls()),
            "wide and dark": (900, True, 0.5, calls()),
            "narrow": (400, False, 0.5, ["an object", "turns"]),
            "narrow and dark, at the end": (400, True, 1, ["an error", "recursion"]),
        },
        ["narrow and dark, at the end"],
    ),
)
def test_axe_finds_nothing_in_calls_line_by_line(
    blank: BlankPage, width: int, dark: bool, part: float, names: Iterable[str]
) -> None:
    page = blank.page
    blank.show(*(calls()[name] for name in names), dark=dark, width=width)
    blank.add_view()
    page.get_by_role("slider").evaluate_all(STEP, part)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.body.clientWidth + 16")


@pytest.mark.deep
@pytest.mark.parametrize("is_right", [False, True], ids=["wrong", "right"])
def test_axe_finds_nothing_in_a_puzzle_that_was_checked(blank: BlankPage, is_right: bool) -> None:
    merge = known("merge")
    blank.show(puzzle_of("merge"))
    arrange(blank.page, merge, merge.lines if is_right else merge.lines[1:])
    check(blank.page)
    blank.settle()
    assert blank.note().startswith("✓" if is_right else "✗")
    assert blank.faults_in_both_themes() == []


def test_axe_finds_nothing_while_the_board_waits(timed_blank: BlankPage) -> None:
    blank = timed_blank
    blank.show(play())
    blank.is_deaf = True
    blank.click("Slide left")
    blank.page.clock.run_for(2100)
    blank.page.clock.resume()
    assert "Still waiting" in blank.note()
    assert violations(blank.page) == []


# JupyterLab 4.6's styles for tables, links and code in the outputs of cells.
OUTPUT = """
.jp-RenderedHTMLCommon { color: var(--jp-ui-font-color1); }
.jp-RenderedHTMLCommon :not(pre) > code { background-color: #eee; padding: 1px 5px; }
.jp-RenderedHTMLCommon tbody tr:nth-child(odd) { background: #f5f5f5; }
.jp-RenderedHTMLCommon tbody tr:hover { background: #e3f2fd; }
.jp-RenderedHTMLCommon a:link { color: #1976d2; }
"""


def cards() -> list:
    first, second, *_ = lessons()
    results = {first.id: Results({*first.checks}), second.id: Results({"merge-once"})}
    lent = [Piece(name, None, False, NOT_KEPT) for name in ("slide", "spawn")]
    return [
        PieceTable([Piece("merge", None, True), Piece("rotate", None, False, "no good"), *lent]),
        Progress(results),
        Progress(results, second.id),
        compare(Game, games=2),
        second_chances(SpecialGame, games=2),
        tally(rules.spawn, times=20),
        Success("merge-once", "an idea.", second, 1),
        Success("merge-once", "an idea.", second, 1, state="stale"),
        *strips(),
    ]


def strips() -> list[Strip]:
    """Return strips, the marks below a cell, for right, wrong, unfinished and outdated answers."""
    wrong = [*outcomes(exercise("merge"), {"merge": learners.cascade})]
    left_open = [CheckOutcome("a-check", "an idea.", "open", NotImplementedError())]
    right = [*outcomes(exercise("merge"), {"merge": rules.merge})]
    made = [Strip("merge", each) for each in (right, wrong, left_open)]
    return [*made, Strip("merge", right, is_stale=True)]


@pytest.mark.deep
@pytest.mark.parametrize("width", [400, 900], ids=["narrow", "wide"])
def test_axe_finds_nothing_in_cards_and_pictures_and_no_row_has_a_stripe(
    blank: BlankPage, width: int
) -> None:
    marked = table_of(EVERY_TILE, {(0, 0): "correct", (0, 1): "differs", (0, 2): "named"})
    marked = f'<div class="c2048">{marked}</div>'
    advised = advice_html("Run the first code cell.")
    cells = [each._repr_html_() for each in cards()]
    pictures = [board_html(EVERY_TILE), marked, *cells, advised]
    shown = "".join(pictures).replace("<details>", "<details open>")
    blank.show_html(f'<div class="jp-RenderedHTMLCommon">{shown}</div>')
    page = blank.page
    page.set_viewport_size({"width": width, "height": 900})
    page.add_style_tag(content=OUTPUT)
    for dark in (False, True):
        blank.dress(dark=dark, width=width - 20)
        assert violations(page) == []
        assert stripes(page) == set()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size({"width": 1100, "height": 900})


def stripes(page: Page) -> set[str]:
    """Return the background colours of table rows, without the transparent one."""
    script = "rows => rows.map(row => getComputedStyle(row).backgroundColor)"
    return {*page.locator("tr").evaluate_all(script)} - {"rgba(0, 0, 0, 0)"}
