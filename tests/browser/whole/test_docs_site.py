"""The site that `make docs` makes, opened from its folder, as a person would open it."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import new_page
from tests.browser.widget_page import violations
from tests.project.conftest import AS_IT_IS, copy_project, run

pytestmark = [pytest.mark.deep, pytest.mark.xdist_group("docs-site")]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the site in a copy of the project, in which no page was generated before."""
    tree = copy_project(tmp_path_factory.mktemp("docs"))
    done = run("make", "docs", *AS_IT_IS, folder=tree)
    assert done.returncode == 0, done.stderr  # a warning is an error
    return tree / "docs" / "_build" / "html"


@pytest.mark.parametrize(
    ("width", "scheme", "folder"),
    [(1200, "light", "."), (400, "dark", "."), (1200, "dark", "docs"), (400, "light", "docs")],
)
def test_every_page_can_be_read_by_everybody_and_asks_no_other_machine(
    site: Path, chromium: Browser, width: int, scheme: str, folder: str
) -> None:
    names = sorted(path.relative_to(site) for path in (site / folder).rglob("*.html"))
    names = [name for name in names if name != Path("index.html")]  # it leads to the first page
    assert len(names) > (40 if folder == "." else 10)
    asked: list[str] = []
    trouble = {}
    with new_page(chromium, width, color_scheme=scheme) as page:
        page.on("request", lambda request: asked.append(request.url))
        for name in names:
            page.goto((site / name).as_uri())
            page.locator("h1").first.wait_for()
            is_too_wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
            if found := violations(page, "html") + ["is too wide"] * is_too_wide:
                trouble[str(name)] = found
    assert trouble == {}
    assert [address for address in asked if not address.startswith("file:")] == []


def test_the_reference_has_every_command_and_every_setting(site: Path) -> None:
    made = site / "docs" / "_generated"
    commands = (made / "commands.html").read_text(encoding="utf-8")
    missing = [name for name in ("grade", "serve", "undo", "lab") if f" {name}<" not in commands]
    assert missing == []
    assert "c.Serve.attempts" in (made / "settings.html").read_text(encoding="utf-8")


def test_a_word_is_found(site: Path, page: Page) -> None:
    page.goto(f"{(site / 'search.html').as_uri()}?q=bubblewrap")
    expect(page.locator("#search-results li").first).to_be_visible()
