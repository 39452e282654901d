"""The pages of a graded class and of a tournament: readable on every screen and on paper."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from autograder.tournament.page import write_page
from autograder.tournament.play_tournament import Tournament
from autograder.tournament.referee import Played, Terms
from course.playing import Duel, GreedyAgent, RandomAgent, play_between, public_numbers
from tests.autograder.conftest import LESSON, new_gradebook, sampler
from tests.autograder.reports.conftest import graded
from tests.browser.conftest import new_page
from tests.browser.widget_page import violations
from tests.course.playing.replayed_duel import replayed

__all__ = ["graded", "new_gradebook", "sampler"]  # fixtures

PAGES = [
    *(f"feedback/{one}/{LESSON}/merge-a-line.html" for one in ("cascade", "hostile")),
    f"reports/{LESSON}.html",
    "reports/index.html",
]
WAYS = {"wide": (1100, "light"), "narrow": (360, "dark")}
HOSTILE = "<img src=x onerror=alert(1)></script><script>alert(2)</script>"
NAMES = ["by chance", "greedy", HOSTILE]
ALL_STEPS = """() => {
  const slider = document.querySelector("#step");
  const cells = [...document.querySelectorAll("#board td")];
  const boards = [];
  for (let step = 0; step <= Number(slider.max); step += 1) {
    slider.value = String(step);
    slider.dispatchEvent(new Event("input"));
    const tile = (cell) => Number(cell.querySelector(".tile").textContent);
    boards.push(cells.map((cell) => tile(cell) * (cell.classList.contains("second") ? -1 : 1)));
  }
  return boards;
}"""

Open = Callable[[Path], Page]


@contextmanager
def a_screen(chromium: Browser, way: str, *, is_strict: bool = False) -> Iterator[Open]:
    """Yield a function that opens a file in a browser with the width and colours that `way` names.

    Fail if a page opens a dialog or loads another file. Pages forbid all scripts but their own. If
    `is_strict` is false, the browser ignores this ban, so that a test can run a checker in the
    page.
    """
    width, scheme = WAYS[way]
    asked: list[str] = []
    opened: list[str] = []
    with new_page(chromium, width, 800, color_scheme=scheme, bypass_csp=not is_strict) as page:
        page.on("request", lambda request: asked.append(request.url))
        page.on("dialog", lambda dialog: pytest.fail(dialog.message))

        def open_file(path: Path) -> Page:
            opened.append(path.as_uri())
            page.goto(opened[-1])
            return page

        yield open_file
        assert asked == opened


def everybody_can_read(page: Page) -> None:
    assert violations(page, "html") == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("way", ["narrow", pytest.param("wide", marks=pytest.mark.deep)])
def test_everybody_can_read_the_pages_of_a_class(graded: Path, chromium: Browser, way: str) -> None:
    with a_screen(chromium, way) as open_file:
        for path in PAGES:
            page = open_file(graded / path)
            everybody_can_read(page)
            page.emulate_media(media="print")
            assert violations(page, "html") == []
            page.emulate_media(media="screen")


def test_the_table_of_all_assignments_is_sorted_and_filtered(
    graded: Path, chromium: Browser
) -> None:
    with a_screen(chromium, "wide", is_strict=True) as open_file:
        page = open_file(graded / "reports" / "index.html")
        points = page.locator("tbody td:nth-child(2)")
        page.get_by_role("button", name="Sum").press("Enter")
        assert [float(text) for text in points.all_inner_texts()] == [11, 8, 1, 0, 0]
        page.get_by_role("button", name="Sum").click()
        assert points.all_inner_texts()[-1] == "11"
        sorts = page.locator("thead th").evaluate_all("all => all.map((one) => one.ariaSort)")
        assert sorts == ["none", "ascending", "none"]
        page.get_by_role("searchbox").fill("LATE")
        assert page.inner_text("#status") == "1 of 5 students are shown."
        assert [row.is_visible() for row in page.locator("tbody tr").all()].count(True) == 1


@pytest.fixture(scope="module")
def matches() -> dict[tuple[int, int], Duel]:
    numbers = public_numbers(1, 60)
    stopped = Duel([0])
    stopped.answer(HOSTILE)
    return {
        (0, 1): play_between(RandomAgent(1), GreedyAgent(), numbers),
        (1, 0): play_between(GreedyAgent(), RandomAgent(2), numbers),
        (0, 2): play_between(RandomAgent(1), RandomAgent(2), numbers),
        (2, 0): stopped,
    }


@pytest.fixture(scope="module")
def standings(matches: dict[tuple[int, int], Duel], tmp_path_factory: Any) -> Path:
    games = []
    for (one, other), match in matches.items():
        record = match.record()
        outcome = (record.winner, record.reason, record.detail, record.answers)
        games.append(Played(NAMES[one], NAMES[other], 0, *outcome, (0.2, 0.3), 0.6))
    tournament = Tournament(NAMES, Terms(1, 60), games, ["greedy against it was not played"])
    return write_page(tmp_path_factory.mktemp("page"), tournament, [(HOSTILE, HOSTILE)])


def choose(page: Page, one: int, other: int) -> None:
    page.select_option("#first", label=NAMES[one])
    page.select_option("#second", label=NAMES[other])


@pytest.mark.parametrize("way", WAYS)
def test_a_tournament_is_read_and_stepped_through_by_buttons(
    standings: Path, chromium: Browser, way: str
) -> None:
    with a_screen(chromium, way) as open_file:
        page = open_file(standings)
        page.click("#to-end")
        everybody_can_read(page)
        # they stand beside the place
        points = page.locator("table.data").first.locator("td:nth-child(2)")
        assert points.all_inner_texts() == ["2", "1", "1"]
        choose(page, 0, 1)
        assert page.inner_text("#status") == "The board is empty."
        assert page.is_disabled("#back")
        page.click("#forward")
        assert page.inner_text("#status").startswith("Round 1: by chance places a 2 in row ")
        page.click("#to-end")
        assert page.inner_text("#status").endswith("greedy wins.")
        assert page.is_disabled("#forward")
        page.click("#back")
        page.click("#to-start")
        assert page.inner_text("#status") == "The board is empty."


def test_games_are_stepped_through_by_the_rules(
    standings: Path, chromium: Browser, matches: dict[tuple[int, int], Duel]
) -> None:
    with a_screen(chromium, "wide", is_strict=True) as open_file:
        page = open_file(standings)
        for pair, match in matches.items():
            choose(page, *pair)
            boards = [[*chain(*board)] for board in replayed(match.record())[0]]
            assert page.evaluate(ALL_STEPS) == boards
        assert "illegal answer" in page.inner_text("#status")
        assert HOSTILE[:20] in page.inner_text("#status")
        choose(page, 1, 2)
        assert page.is_visible("#nobody")
