"""The button *Hand in* on the site: a lesson goes to a real server, which answers with a page."""

from collections.abc import Iterator
from threading import Thread

import pytest
from playwright.sync_api import Page

from autograder.serve.records import Records
from course.lessons import lesson
from course.lite.__main__ import server
from course.lite.build import BY_BUTTON, build
from tests.autograder.serve.conftest import RunningServer, new_course, serving
from tests.browser.whole.learner import solutions
from tests.browser.whole.test_lite import FETCHED, Site, SitePage, path_of
from tests.browser.widget_page import violations
from tests.waiting import until

pytestmark = [pytest.mark.deep, pytest.mark.xdist_group("lite")]

LESSON = lesson("1-merge-a-line")
Place = tuple[Site, RunningServer]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """Yield a site and a server; the site sends its hand-ins to the server, which accepts them."""
    root = tmp_path_factory.mktemp("site")
    with server(root) as running:
        address = f"http://127.0.0.1:{running.server_port}"
        course = new_course(
            tmp_path_factory.mktemp("served") / "course", f"c.Serve.sites = [{address!r}]"
        )
        with serving(course, ("ann",)) as door:
            build(FETCHED, root / "site", door.address)
            Thread(target=running.serve_forever, daemon=True).start()
            yield Site(f"{address}/site", root / "site"), door
            running.shutdown()


@pytest.fixture
def notebook(page: Page, place: Place) -> SitePage:
    """Return the page of a lesson, ready to be handed in."""
    opened = SitePage(page, place[0], "notebook")  # type: ignore[arg-type]
    opened.go_to(path_of(LESSON))
    return opened


def press(notebook: SitePage) -> None:
    notebook.page.locator("#strip-2048").get_by_role("button", name="Hand in").click()


def give_token(notebook: SitePage, token: str) -> None:
    notebook.page.get_by_label("Your token").fill(token)
    assert violations(notebook.page, ".window-2048") == []
    notebook.page.get_by_role("dialog").get_by_role("button", name="Hand in").click()


def answer_is_read(notebook: SitePage, said: str) -> None:
    window = notebook.page.get_by_role("dialog", name="Handed in")
    window.frame_locator("iframe").get_by_text(said).first.wait_for()
    window.get_by_role("button", name="Close").click()


def test_a_lesson_is_handed_in_and_its_page_is_read(notebook: SitePage, place: Place) -> None:
    course = place[1].course
    released = (place[0].root / "files" / "0-meet-the-game" / "meet-the-game.ipynb").read_text()
    assert BY_BUTTON in released
    notebook.set_source("merge", "def merge(line):\n    return line")
    press(notebook)
    notebook.page.get_by_role("button", name="Cancel").click()
    press(notebook)
    give_token(notebook, "not-mine")
    notebook.page.get_by_text("Not handed in. This token is not valid.").wait_for()
    press(notebook)
    give_token(notebook, place[1].tokens["ann"])
    answer_is_read(notebook, "What does not hold yet")
    for cell, text in solutions(LESSON).items():
        notebook.set_source(cell, text)
    notebook.page.context.set_offline(True)
    press(notebook)
    notebook.page.get_by_text("The server cannot be reached.").wait_for()
    assert len(Records(course).of("ann")) == 1
    notebook.set_source("merge", "what is written afterwards is not handed in")
    notebook.page.context.set_offline(False)
    answer_is_read(notebook, "You can hand in 98 more times.")
    until(lambda: not Records(course).unrecorded(), "all is recorded")
    assert place[1].score("ann", LESSON.id) == 12


def test_what_waits_is_sent_by_the_next_page(notebook: SitePage, place: Place) -> None:
    notebook.page.evaluate(
        f"localStorage.setItem('course-2048-token /site/', {place[1].tokens['ann']!r})"
    )
    for cell, text in solutions(LESSON).items():
        notebook.set_source(cell, f"{text}\n# in time")
    notebook.page.context.set_offline(True)
    press(notebook)
    notebook.page.get_by_text("The server cannot be reached.").wait_for()
    notebook.page.goto("about:blank")
    notebook.page.context.set_offline(False)
    notebook.reload()
    answer_is_read(notebook, "What holds")
    files = Records(place[1].course).files(Records(place[1].course).of("ann")[-1].id)
    assert b"# in time" in files[LESSON.notebook]
