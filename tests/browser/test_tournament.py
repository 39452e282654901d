"""The page of a tournament in a real browser: its games stepped through, for every eye."""

from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from autograder.tournament.page import tournament_page
from autograder.tournament.pairing import Played, Terms
from autograder.tournament.running import Tournament
from course.playing import Duel, GreedyAgent, RandomAgent, play_between, public_numbers
from tests.course.playing.replayed import Replayed

HOSTILE = "<img src=x onerror=alert(1)></script><script>alert(2)</script>"
NAMES = ["by chance", "greedy", HOSTILE]
WAYS = {"wide": (1100, "light"), "narrow": (360, "dark")}
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


def game(first: str, second: str, match: Duel) -> Played:
    record = match.record()
    outcome = (record.winner, record.reason, record.detail, record.answers)
    return Played(first, second, 0, *outcome, (0.2, 0.3), 0.6)


def stopped() -> Duel:
    match = Duel([0])
    match.answer(HOSTILE)
    return match


@pytest.fixture(scope="module")
def matches() -> dict[tuple[int, int], Duel]:
    numbers = public_numbers(1, 60)
    return {
        (0, 1): play_between(RandomAgent(1), GreedyAgent(), numbers),
        (1, 0): play_between(GreedyAgent(), RandomAgent(2), numbers),
        (0, 2): play_between(RandomAgent(1), RandomAgent(2), numbers),
        (2, 0): stopped(),
    }


@pytest.fixture(scope="module")
def page_file(matches: dict[tuple[int, int], Duel], tmp_path_factory: Any) -> Path:
    games = [game(NAMES[one], NAMES[other], match) for (one, other), match in matches.items()]
    tournament = Tournament(NAMES, Terms(1, 60), games, ["greedy against it was not played"])
    path = tmp_path_factory.mktemp("page") / "standings.html"
    path.write_text(tournament_page(tournament, [(HOSTILE, HOSTILE)]), "utf-8")
    return path


@pytest.mark.parametrize("way", WAYS)
def test_everybody_can_read_the_page(page_file: Path, chromium: Browser, way: str) -> None:
    width, scheme = WAYS[way]
    context = chromium.new_context(
        viewport={"width": width, "height": 800},
        color_scheme=scheme,  # type: ignore[arg-type]
        bypass_csp=True,  # the page lets only its own script in
    )
    page = context.new_page()
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    page.goto(page_file.as_uri())
    page.click("#to-end")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context.close()


def test_games_are_stepped_through_by_the_rules(
    page_file: Path, chromium: Browser, matches: dict[tuple[int, int], Duel]
) -> None:
    context = chromium.new_context()
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    page.goto(page_file.as_uri())
    for (one, other), match in matches.items():
        page.select_option("#first", label=NAMES[one])
        page.select_option("#second", label=NAMES[other])
        boards = [[*chain(*board)] for board in Replayed(match.record()).boards]
        assert page.evaluate(ALL_STEPS) == boards
    assert "illegal answer" in page.inner_text("#status")
    assert HOSTILE[:20] in page.inner_text("#status")
    page.select_option("#first", label=NAMES[1])
    page.select_option("#second", label=NAMES[2])
    assert page.is_visible("#nobody")
    assert asked == [page_file.as_uri()]
    context.close()


def test_buttons_and_words_follow_the_game(page_file: Path, chromium: Browser) -> None:
    context = chromium.new_context()
    page = context.new_page()
    page.goto(page_file.as_uri())
    page.select_option("#first", label="by chance")
    page.select_option("#second", label="greedy")
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
    context.close()
