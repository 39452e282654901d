"""The pages of a graded class in a real browser: for every eye, on every screen, and on paper."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from tests.autograder.conftest import LESSON, new_gradebook, sampler
from tests.autograder.reports.conftest import graded

__all__ = ["graded", "new_gradebook", "sampler"]  # fixtures

PAGES = [
    *(f"feedback/{one}/{LESSON}/merge-a-line.html" for one in ("cascade", "hostile")),
    f"reports/{LESSON}.html",
]
WAYS = {"wide": (1100, "light"), "narrow": (360, "dark")}


@pytest.mark.parametrize("way", ["narrow", pytest.param("wide", marks=pytest.mark.deep)])
def test_everybody_can_read_the_pages(
    graded: Path,
    chromium: Browser,
    way: str,
) -> None:
    width, scheme = WAYS[way]
    context = chromium.new_context(
        viewport={"width": width, "height": 800},
        color_scheme=scheme,  # type: ignore[arg-type]
        bypass_csp=True,  # the page lets no script in, not even the one that looks at it
    )
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    for path in PAGES:
        page.goto((graded / path).as_uri())
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.emulate_media(media="print")
        assert Axe().run(page).violations_count == 0
        page.emulate_media(media="screen")
    assert asked == [(graded / path).as_uri() for path in PAGES]  # nothing lies beside a page
    context.close()
