"""A real JupyterHub: lessons, the exchange, formgrader, and `autograder serve` behind its login."""

import json
import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from autograder.serve.records import Records
from course.lessons import lesson
from tests.autograder.serve.conftest import new_tokens
from tests.browser.conftest import new_page
from tests.browser.notebook_page import until_ready
from tests.browser.whole.hub import OTHER, RECIPE, Hub, release, running_hub
from tests.browser.whole.learner import solved
from tests.waiting import SECONDS, until

pytestmark = [pytest.mark.deep, pytest.mark.xdist_group("hub")]

LESSON = lesson("1-merge-a-line")
PATH = f"{LESSON.id}/{LESSON.notebook}"
NewPage = Callable[[], AbstractContextManager[Page]]


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hub]:
    with running_hub(tmp_path_factory.mktemp("hub")) as running:
        yield running


@pytest.fixture
def browser(chromium: Browser) -> NewPage:
    """Return a function that opens a page in which nobody has logged in yet, for one person."""
    return partial(new_page, chromium)


def open_lab(hub: Hub, page: Page, person: str) -> None:
    page.goto(hub.address)
    hub.log_in(page, person)
    page.get_by_role("menuitem", name="Nbgrader").wait_for()


def choose(page: Page, item: str) -> None:
    page.get_by_role("menuitem", name="Nbgrader").click()
    page.get_by_role("menuitem", name=item, exact=True).click()


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def fetch(hub: Hub, page: Page, person: str) -> None:
    """Fetch the lesson in Assignment List, unless the person already has it."""
    choose(page, "Assignment List")
    if not (hub.home(person) / PATH).exists():
        press(page, "Fetch")
    page.get_by_role("button", name="Submit", exact=True).wait_for()


def write(hub: Hub, person: str) -> None:
    """Write the solutions into a person's copy of the lesson."""
    path = hub.home(person) / PATH
    path.write_text(json.dumps(solved(LESSON, path)))


def run_cell(page: Page, text: str) -> None:
    """Write a new cell at the top of the open notebook, and run it."""
    until_ready(page)
    page.locator(".jp-Notebook .jp-CodeCell .cm-content").first.click()
    for key in ("Escape", "a", "Enter"):
        page.keyboard.press(key)
    page.keyboard.type(text)
    page.keyboard.press("Control+Enter")


def refusal(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]


def asks(hub: Hub, token: str, course: str = "2048") -> httpx.Response:
    """Ask the grader's server for the hand-ins of the person with this token."""
    header = {"Authorization": f"Bearer {token}"}
    return httpx.get(f"{hub.door(course)}/hand-ins", headers=header, timeout=SECONDS)


def test_feedback_is_there_seconds_after_submit(
    hub: Hub, browser: NewPage, record_testsuite_property: Callable[[str, float], None]
) -> None:
    with browser() as page:
        open_lab(hub, page, "ann")
        fetch(hub, page, "ann")
        write(hub, "ann")
        begin = time.monotonic()
        press(page, "Submit")
        button = page.get_by_role("button", name="Fetch Feedback", exact=True)
        folder = page.get_by_text("(view feedback)")

        def is_there() -> bool:
            button.click()
            button.wait_for()
            return bool(folder.count())

        until(is_there, "there is feedback")
        folder.click()
        page.get_by_role("listitem", name="merge-a-line.html").dblclick()
        feedback = page.frame_locator(".jp-HTMLViewer iframe")
        feedback.get_by_role("heading", name="What holds").wait_for()
        record_testsuite_property(
            "seconds from Submit to the page", round(time.monotonic() - begin, 1)
        )
    until(lambda: not Records(hub.course()).unrecorded(), "the gradebook has it")
    with browser() as page:
        open_lab(hub, page, "ida")
        choose(page, "Formgrader")
        row = page.frame_locator("iframe").get_by_role("row").filter(has_text=LESSON.id)
        row.get_by_role("link", name=re.compile(r"^\d$")).click()
        graded = page.frame_locator("iframe").get_by_role("row").filter(has_text="ann")
        expect(graded).to_contain_text("12 / 12")


@pytest.mark.parametrize("app", ["lab/tree", "notebooks"])
def test_a_cell_hands_in_what_has_just_been_typed(hub: Hub, browser: NewPage, app: str) -> None:
    before = len(Records(hub.course()).of("ben"))
    with browser() as page:
        open_lab(hub, page, "ben")
        fetch(hub, page, "ben")
        page.goto(f"{hub.address}/user/ben/{app}/{PATH}")
        run_cell(page, f"from course import hand_in\nhand_in()  # {app}")
        output = page.locator(".jp-Notebook .jp-CodeCell .jp-OutputArea").first
        expect(output).to_contain_text("as it was saved just now")
        frame = page.frame_locator(".jp-OutputArea iframe")
        frame.get_by_role("heading", name="What does not hold yet").wait_for()
    records = Records(hub.course())
    newest = records.of("ben")[before:]
    assert [(one.door, one.assignment) for one in newest] == [("http", LESSON.id)]
    assert f"hand_in()  # {app}".encode() in records.files(newest[0].id)[LESSON.notebook]


def test_the_page_of_the_door_needs_the_hubs_login_and_nothing_else(
    hub: Hub, browser: NewPage
) -> None:
    with browser() as page:
        page.goto(f"{hub.door()}/")
        hub.log_in(page, "ben")
        page.wait_for_url(f"{hub.door()}/")
        assert not page.get_by_label("Your token").count()
        page.get_by_label("Lesson").select_option(LESSON.id)
        page.get_by_label("Your notebook").set_input_files(hub.course() / "release" / PATH)
        press(page, "Hand in")
        page.get_by_text("You can hand in").wait_for()
        page.goto(f"{hub.door()}/")
        press(page, "Show")
        expect(page.get_by_role("row").filter(has_text=LESSON.id).first).to_be_visible()
        # refused: a form of another session, a script on the same site, and a course of others
        mine = page.context.cookies(f"{hub.door()}/")
        cookie = "; ".join(f"{one['name']}={one['value']}" for one in mine)
        page.goto(f"{hub.door()}/")
        token = page.locator("[name=token]").first.get_attribute("value")
        for sent, headers, status in (
            (token, {"Cookie": cookie}, 200),
            ("x" * 64, {"Cookie": cookie}, 401),
            (token, {}, 401),
            (token, {"Cookie": cookie, "Sec-Fetch-Mode": "cors"}, 401),
        ):
            form = {"token": (None, sent)}
            answer = httpx.post(f"{hub.door()}/hand-ins", files=form, headers=headers)
            assert answer.status_code == status
        assert "twos" not in page.goto(f"{hub.door('twos')}/").request.url.split("/hub/")[0]
        expect(page.get_by_text("403")).to_be_visible()
        # a person who logs out of the hub is logged out here, too
        page.goto(f"{hub.address}/hub/logout")
        page.goto(f"{hub.door()}/")
        page.get_by_label("Username").wait_for()


def test_a_token_of_the_hub_is_its_own_users_and_opens_its_own_door(hub: Hub) -> None:
    opens = "access:services!service=2048"
    ids = {}
    for name in ("ann", "ben"):
        form = {"assignment": (None, LESSON.id), "file": (LESSON.notebook, f"{{}} {name}".encode())}
        header = {"Authorization": f"Bearer {hub.new_token(name, opens)}"}
        sent = httpx.post(f"{hub.door()}/hand-in", files=form, headers=header, timeout=SECONDS)
        ids[name] = {one["id"] for one in asks(hub, hub.new_token(name, opens)).json()}
        assert sent.json()["id"] in ids[name]
        assert ids[name] == {one.id for one in Records(hub.course()).of(name)}
    assert not ids["ann"] & ids["ben"]
    every = {"access:services!service=twos": "2048", opens: "twos", "read:users!user=ann": "2048"}
    for scope, course in every.items():
        assert asks(hub, hub.new_token("ann", scope), course).status_code == 401, scope
    for strange in (OTHER, "ann", "x" * 32):
        assert asks(hub, strange).status_code == 401
    stranger = httpx.get(f"{hub.door()}/", headers={"Accept": "text/html"})
    assert stranger.headers["Location"].startswith("/hub/api/oauth2/authorize")
    forged = httpx.get(f"{hub.door()}/oauth_callback?code=a&state=b")
    assert refusal(forged)[0] == 403


def test_without_the_hub_the_door_is_closed_to_all_but_its_own_tokens(hub: Hub) -> None:
    own = new_tokens(hub.course(), "ann")["ann"]
    token = hub.new_token("ann", "access:services!service=2048")
    hub.process.send_signal(signal.SIGSTOP)
    try:
        status, said = refusal(asks(hub, token))
        assert (status, "JupyterHub does not say who you are" in said) == (503, True)
        assert asks(hub, own).is_success
    finally:
        hub.process.send_signal(signal.SIGCONT)
    assert asks(hub, token).is_success


def test_a_corrected_lesson_comes_beside_the_old_one(hub: Hub, browser: NewPage) -> None:
    own = hub.home("ann") / PATH
    master = hub.course() / "source" / PATH
    master.write_text(master.read_text().replace("# Merge a line", "# Merge a line, corrected"))
    with browser() as page:
        open_lab(hub, page, "ann")
        fetch(hub, page, "ann")
        release(hub.course(), LESSON.id, "--force")
        written = own.read_bytes()
        own.parent.rename(hub.home("ann") / "my old one")
        page.locator("#refresh_assignments_list").click()
        fetch(hub, page, "ann")
    assert "Merge a line, corrected" in own.read_text()
    assert (hub.home("ann") / "my old one" / LESSON.notebook).read_bytes() == written


def test_who_was_taken_out_of_a_course_is_out(hub: Hub, browser: NewPage) -> None:
    opens = "access:services!service=2048"
    tokens = {name: hub.new_token(name, opens) for name in ("ann", "cy")}
    hub.stop()
    recipe = hub.root / RECIPE.name
    recipe.write_text(recipe.read_text().replace(', "cy"]', "]"))
    hub.start("2048", "twos")
    answers = {name: asks(hub, token).status_code for name, token in tokens.items()}
    assert answers == {"ann": 200, "cy": 401}
    with browser() as page:
        page.goto(f"{hub.door()}/")
        hub.log_in(page, "cy")
        page.get_by_text("Invalid username or password").wait_for()
