"""The course without any installation: a site on which Python runs in the browser."""

import json
from ast import literal_eval
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from typer.testing import CliRunner

from autograder.cli import app
from autograder.course_adapter import ROOT
from course.lab.start import MAP
from course.lessons import Lesson, lesson, lessons
from course.lite.__main__ import server
from course.lite.build import SENTENCES, build
from course.rules import DIRECTIONS, is_over, slide
from tests.browser.conftest import new_page
from tests.browser.notebook_page import PANEL, NotebookPage
from tests.browser.whole.check_strip_scenario import hints_lead_to_a_right_merge
from tests.browser.whole.learner import solutions, solved
from tests.browser.widget_page import violations
from tests.parametrize_marks import one_in
from tests.waiting import until

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("lite")]

FIRST = lesson("1-merge-a-line")
IMPATIENT = "import course.browser_deadline\ncourse.browser_deadline.IN_CELL = 1"
PATIENT = IMPATIENT.replace("1", "60")
SLIDES = """async (boards) => {
  const { isOver, slide } = await import("./landing/game_without_python.js");
  const all = (board) => ["left", "right", "up", "down"].map((way) => slide(board, way).board);
  return boards.map((board) => [all(board), isOver(board)]);
}"""
FULL = """const put = IDBObjectStore.prototype.put;
IDBObjectStore.prototype.put = function (...all) {
  if (window.isFull) throw new DOMException("full", "QuotaExceededError");
  return put.apply(this, all);
};"""
SAVE_TWICE = f"""async () => {{
  const {{ context }} = {PANEL};
  const seen = [];
  const see = (_, state) => seen.push(state);
  context.saveState.connect(see);
  await Promise.all([context.save(), context.save()]);
  context.saveState.disconnect(see);
  return seen.join(" ");
}}"""
SEEN = "html, body { height: 100vh !important; }"  # otherwise axe checks no colour
FORBID_ALL = "Object.defineProperty(window, 'localStorage', {get: () => { throw Error(); }});"
FORBID = "indexedDB.open = () => { throw new DOMException('not here', 'SecurityError'); };"
ALL_KEPT = "All works without a network now."
FETCHED = ROOT / ".venv" / "for-lite"
OPEN = """async ([path, kernel]) => {
  const { commands, shell } = window.jupyterapp;
  const before = shell.currentWidget;
  await commands.execute("docmanager:open", { path, kernel: kernel ? { id: kernel } : {} });
  if (before?.context) {
    before.context.model.dirty = false;
    before.close(); // its kernel goes on
  }
}"""
PUT = """async ([path, content]) => {
  const file = { type: "notebook", format: "json", content };
  await window.jupyterapp.serviceManager.contents.save(path, file);
}"""


@dataclass(frozen=True)
class Site:
    """A site that is served from the folder `root`; `NotebookPage` uses it like a `Server`."""

    address: str
    root: Path

    def url(self, app: str, path: str) -> str:
        """Return the address at which an app shows a notebook."""
        return f"{self.address}/{'lab' if app == 'lab' else 'notebooks'}/index.html?path={path}"


@contextmanager
def built_site(folder: Path) -> Iterator[Site]:
    root = folder / "site"
    build(FETCHED, root)
    with server(folder) as running:  # the site is in a subfolder, as on many hosts
        Thread(target=running.serve_forever, daemon=True).start()
        yield Site(f"http://127.0.0.1:{running.server_port}/{root.name}", root)
        running.shutdown()


def path_of(lesson: Lesson) -> str:
    return f"{lesson.id}/{lesson.notebook}"


def requests_elsewhere(page: Page, site: Site) -> list[str]:
    """Return a list to which the address of every request to another host will be added."""
    found: list[str] = []
    own = (site.address.removesuffix(site.root.name), "data:", "blob:")
    page.context.on("request", lambda asked: asked.url.startswith(own) or found.append(asked.url))
    return found


class SitePage(NotebookPage):
    """A page of the site, on which lesson after lesson is opened with one kernel."""

    def put(self, path: str, notebook: dict[str, Any]) -> None:
        """Save a notebook in the browser's storage, in place of the one at `path`."""
        self.evaluate(PUT, [path, notebook])

    def change_to(self, path: str) -> None:
        """Open another notebook, with the kernel of the one that is open now."""
        kernel = self.evaluate(f"() => {PANEL}.sessionContext.session.kernel.id")
        self.evaluate(OPEN, [path, kernel])
        here = f"() => {PANEL}?.context?.path"
        until(lambda: self.evaluate(here) == path, f"{path} is shown")
        self.until_ready()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with built_site(tmp_path_factory.mktemp("lite")) as built:
        yield built


@pytest.mark.parametrize("goes_on", [False, pytest.param(True, marks=pytest.mark.deep)])
def test_a_lesson_is_solved_in_the_browser_kept_there_and_handed_in(
    page: Page, site: Site, tmp_path: Path, goes_on: bool
) -> None:
    elsewhere = requests_elsewhere(page, site)
    page.add_init_script(FULL)
    page.goto(site.address)
    page.get_by_role("link", name="Start with lesson 0").wait_for()
    page.get_by_role("link", name=FIRST.title).click()
    page.get_by_text("Python is ready").wait_for()
    notebook = SitePage(page, site, "notebook")  # type: ignore[arg-type]
    notebook.path = path_of(FIRST)
    notebook.until_ready()
    for cell, text in solutions(FIRST).items():
        notebook.set_source(cell, text)
    notebook.run_all()
    assert notebook.errors() == []
    assert "11 of 11 ideas hold" in notebook.cell("progress").inner_text()
    assert "merge: all 10 checks hold." in notebook.outputs("merge")
    noted = notebook.ask("import json; print(json.load(open('../my_2048_results.json')))")
    assert {"close_gaps", "merge"} == set(literal_eval(noted)[FIRST.id]["answers"])
    assert "Kept merge in my_2048.py." in notebook.outputs("keep")
    assert "It lies with your lessons in this browser." in notebook.outputs("keep")
    board_is_played(notebook)
    assert "started started" not in notebook.evaluate(SAVE_TWICE)
    if goes_on:
        hints_lead_to_a_right_merge(notebook)
        the_lesson_is_light_or_dark_as_the_device_is(notebook)
        what_is_not_kept_is_said(notebook)
        notebook.save()
        all_is_there_without_a_network(notebook)
    with page.expect_download() as download:
        notebook.command("docmanager:download")
    handed_in = tmp_path / download.value.suggested_filename
    download.value.save_as(handed_in)
    checked = CliRunner().invoke(app, ["check", "--json", str(handed_in)])
    found = json.loads(checked.stdout)
    assert (found["score"], found["problems"]) == (found["max_score"], [])
    if goes_on:
        goes_on_in_another_tab(notebook)
        page.get_by_text("all ideas hold").wait_for()
        assert page.get_by_role("link", name="Go on: 0 Meet the game").is_visible()
    assert elsewhere == []


def all_is_there_without_a_network(notebook: SitePage) -> None:
    go_offline(notebook.page)
    notebook.reload()
    notebook.cell("merge-board").get_by_text("Run this cell to play.").wait_for()
    assert notebook.page.locator("text=Loading widget >> visible=true").count() == 0
    sources = dict(zip(notebook.ids(), notebook.sources(), strict=True))
    assert solutions(FIRST).items() <= sources.items()


def the_lesson_is_light_or_dark_as_the_device_is(notebook: SitePage) -> None:
    page = notebook.page
    assert page.title() == "merge-a-line · 2048, written by you"
    page.add_style_tag(content=SEEN)
    for scheme, width in (("dark", 400), ("light", 1100)):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        body = f'body[data-jp-theme-light="{str(scheme == "light").lower()}"]'
        page.wait_for_selector(body, state="attached")
        assert violations(page, "#strip-2048") == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def what_is_not_kept_is_said(notebook: SitePage) -> None:
    notebook.page.evaluate("isFull = true")
    said = notebook.ask("keep(merge)")
    assert said == "my_2048.py cannot be written: this browser keeps no more."
    notebook.page.get_by_text("This browser is full: your last changes are not saved.").wait_for()
    notebook.command("docmanager:save")
    assert notebook.page.locator(".jp-Dialog").count() == 0
    notebook.page.evaluate("isFull = false")


def goes_on_in_another_tab(notebook: SitePage) -> None:
    """Open the lesson in a second tab, and let it close the first; assert that nothing is lost."""
    mine = notebook.ask("'just written'")
    other = notebook.page.context.new_page()
    other.goto(notebook.page.url)
    other.get_by_role("button", name="close it there and open it here").click()
    notebook.page.wait_for_url("**/index.html")
    moved = SitePage(other, notebook.server, "notebook")
    moved.until_ready()
    assert mine in moved.sources()
    moved.cell("progress").get_by_role("link", name=lessons()[2].title).click()
    other.wait_for_url(f"**/notebooks/*?path={path_of(lessons()[2])}", wait_until="commit")
    other.close()


def go_offline(page: Page) -> None:
    """Wait until the page says that all works without a network, then go offline."""
    page.get_by_text(ALL_KEPT).wait_for()
    page.context.set_offline(True)
    in_time = "{signal: AbortSignal.timeout(60000)}"
    assert not page.evaluate(f"fetch('never-asked-for', {in_time}).then(() => true, () => false)")


def board_is_played(notebook: SitePage) -> None:
    board = notebook.cell("merge-board").locator(".c2048-play")
    moves = board.locator(".c2048-number").last.locator(".c2048-value")
    board.locator(".c2048-board").focus()
    while moves.inner_text() == "0":
        for key in ("ArrowLeft", "ArrowRight"):
            notebook.page.keyboard.press(key)
        notebook.page.wait_for_function("() => !document.querySelector('.c2048-waiting')")


@pytest.mark.deep
def test_every_lesson_runs_from_top_to_bottom_and_endless_loops_end(page: Page, site: Site) -> None:
    elsewhere = requests_elsewhere(page, site)
    notebook = SitePage(page, site, "lab")  # type: ignore[arg-type]
    notebook.go_to(MAP.name)
    notebook.ask(f"{IMPATIENT}\n%reset -f")  # one kernel for all lessons, without any names
    assert "stopped after 1 second." in notebook.ask("while True:\n    pass")
    shown = notebook.cell(len(notebook.sources()) - 1).inner_text()
    assert "hidden" not in shown
    notebook.ask(PATIENT)
    go_offline(page)
    for entry in lessons():
        answered = solved(entry, ROOT / "release" / path_of(entry))
        notebook.put(path_of(entry), answered)
        notebook.change_to(path_of(entry))
        notebook.run_all()
        assert notebook.errors() == [], entry.id
        ran = zip(notebook.ids(), notebook.prompts(), strict=True)
        cells = {cell["id"]: cell["cell_type"] for cell in answered["cells"]}
        assert {cell for cell, prompt in ran if prompt} == {
            cell for cell, kind in cells.items() if kind == "code"
        }
        notebook.ask("%reset -f")
    notebook.ask(IMPATIENT.replace("1", "10"))
    what_runs_for_long_is_said(notebook)
    notebook.ask(IMPATIENT)
    stuck = "def merge(line):\n    while True: pass\ncheck(merge, [2, 2], gives=[4, 0])"
    assert "stopped after 1 second." in notebook.ask(f"from course import check\n{stuck}")
    own_file = "exec(compile('while True: pass', '/drive/my_2048.py', 'exec'))"
    assert "stopped after 1 second." in notebook.ask(own_file)
    assert notebook.ask("6 * 7") == "42"
    assert elsewhere == []


def what_runs_for_long_is_said(notebook: SitePage) -> None:
    last = len(notebook.sources()) - 1
    notebook.set_source(last, "while True:\n    pass")
    notebook.begin_cell(last)
    said = notebook.page.locator("#strip-2048").get_by_text("Still running …")
    said.wait_for()
    until(lambda: said.count() == 0, "the loop is stopped")
    assert notebook.page.get_by_text(ALL_KEPT).is_visible()  # as it was before
    assert "stopped after 10 seconds." in notebook.outputs(last)


def test_the_lessons_say_what_is_true_in_a_browser(site: Site) -> None:
    notebooks = list((site.root / "files").rglob("*.ipynb"))
    text = "".join(file.read_text(encoding="utf-8") for file in notebooks)
    assert "■" not in text
    assert "New → Terminal" not in text
    assert "Validate" not in text
    assert [said for said in SENTENCES.values() if said not in text] == []


def test_the_landing_page_plays_by_the_rules(page: Page, site: Site) -> None:
    random = Random(2048)
    tiles = [0, 0, 2, 2, 4, 8]
    boards = [[random.choices(tiles, k=4) for _ in range(4)] for _ in range(200)]
    boards.append([[2, 4, 2, 4], [4, 2, 4, 2], [2, 4, 2, 4], [4, 2, 4, 2]])
    page.goto(site.address)
    expected = [
        [[slide(board, way) for way in ("left", "right", "up", "down")], is_over(board)]
        for board in boards
    ]
    assert set(DIRECTIONS) == {"left", "right", "up", "down"}
    assert page.evaluate(SLIDES, boards) == expected
    page.get_by_role("button", name="Keys for the ear").click()
    page.locator("#board .c2048-board").focus()
    page.keyboard.press("s")
    assert "Score 0, 0 moves" in page.locator("#board [role=status]").inner_text()
    page.keyboard.press("u")
    page.get_by_text("There is nothing to take back.").first.wait_for()


def test_where_nothing_can_be_kept_the_landing_page_says_so(page: Page, site: Site) -> None:
    page.goto(site.address)
    assert page.locator("#trouble").is_hidden()
    page.add_init_script(FORBID)
    page.reload()
    page.get_by_text("This browser keeps nothing.").wait_for()
    page.add_init_script(FORBID_ALL)
    page.reload()
    page.get_by_text("This browser forbids all storage").wait_for()


@pytest.mark.parametrize(
    ("width", "scheme"),
    one_in(2, [(1200, "light"), (1200, "dark"), (400, "dark"), (400, "light")]),
)
def test_everybody_can_use_the_landing_page(
    chromium: Browser, site: Site, scheme: str, width: int
) -> None:
    with new_page(chromium, width, color_scheme=scheme) as page:
        page.goto(site.address)
        page.locator("#board .c2048-board").wait_for()
        assert violations(page, "html") == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
