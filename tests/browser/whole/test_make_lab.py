"""`make lab`, the first command of the README, on a fresh copy of the project.

The output of the command is tested, then the menus and buttons of the JupyterLab that it starts."""

import json
import os
import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest
from playwright.sync_api import Browser, Page

from autograder.course_adapter import ROOT
from tests.browser.conftest import new_page
from tests.browser.notebook_page import READY, NotebookPage
from tests.browser.servers import Server, jupyter_folders
from tests.project.conftest import copy_project
from tests.waiting import until

pytestmark = [pytest.mark.deep, pytest.mark.xdist_group("make-lab")]
ADDRESS = r"    http://localhost:\d+/lab/tree/0-meet-the-game/meet-the-game\.ipynb\?token=\w+"
FIRST = [
    r"Installing the course into \.venv \(once, about a minute\) \.\.\.",
    r"Your lessons are in the folder my-course: \d+ new files, "
    r"and nothing that was there was changed\.",
    r"Open this address in your browser\. To stop, press Ctrl\+C here\.",
    "",
    ADDRESS,
    "",
]


NOT_OFFERED = re.compile(
    "nbgrader|validate|assignment|formgrader|extension ?manager|log out|language >|^hub:",
    re.IGNORECASE,
)
# Not tried: pages on the Internet, the highlighting of files in the editor, the print window.
NOT_TRIED = re.compile(r"^Help > .*(Reference|FAQ|Forum)$|Syntax Highlighting|Print…")
ABORTED = "net::ERR_ABORTED"  # the page itself drops a request for a picture
# Errors of JupyterLab itself, if a tab or a search is closed at once.
HASTE = re.compile(
    r"Disposed|CodeMirrorEditor already set|reading '(kernel|node)'|'removeChild' on 'Node'"
)
TROUBLE: dict[str, Callable[[Any], list[str]]] = {
    "weberror": lambda error: [] if HASTE.search(str(error.error)) else [str(error.error)],
    "response": lambda answer: [f"{answer.status} {answer.url}"] if answer.status >= 400 else [],
    "requestfailed": lambda asked: [] if asked.failure == ABORTED else [f"failed: {asked.url}"],
}
# Each button, and what is true after a click on it in the board's cell; `was` is the number of
# cells at first. Copying and interrupting show nothing by themselves: a click on the next
# button tells if they worked.
BUTTONS: dict[str, Callable[[NotebookPage, int], Any]] = {
    "copy": lambda lab, was: True,
    "paste": lambda lab, was: len(lab.sources()) == was + 1,
    "cut": lambda lab, was: len(lab.sources()) == was,
    "insert": lambda lab, was: len(lab.sources()) == was + 1,
    "save": lambda lab, was: not lab.is_changed,
    "run": lambda lab, was: 1 in lab.prompts(),
    "interrupt": lambda lab, was: True,
    "restart": lambda lab, was: lab.evaluate(READY),
    "restart-and-run": lambda lab, was: lab.page.locator(".c2048-board").count(),
}
# Adds `walk` to the page, which lists the menu entries and chooses one. If a dialog opens, its
# first button is pressed, such as Cancel. Then all other tabs are closed, and the lesson is shown
# as it is on the disk.
MENUS = """() => {
  const app = window.jupyterapp;
  const bar = [...app.shell.widgets("menu")].find((each) => each.menus);
  const lesson = app.shell.currentWidget.context.path;
  const inside = (menu, path) => menu.items
    .filter((item) => item.type !== "separator" && item.isVisible)
    .flatMap((item) => item.type === "submenu"
      ? inside(item.submenu, [...path, item.submenu.title.label])
      : [[[...path, item.label].join(" > "), item]]);
  const all = () => bar.menus.flatMap((menu) => inside(menu, [menu.title.label]));
  let trouble = [];
  const done = async (promise) => {
    let ended = false;
    promise.catch((error) => trouble.push(`${error}`)).finally(() => { ended = true; });
    while (!ended) {
      const dialog = document.querySelector(".jp-Dialog");
      if (dialog && /error|failed/i.test(dialog.innerText)) trouble.push(dialog.innerText);
      dialog?.querySelector(".jp-Dialog-button").click();
      await new Promise(requestAnimationFrame);
    }
  };
  const ready = async (widget) => {
    await widget.context?.ready;
    await widget.sessionContext?.ready;
  };
  const others = () => [...app.shell.widgets("main")]
    .filter((each) => each.context?.path !== lesson);
  window.walk = {
    entries: () => all().map(([path, item]) => [path, item.isEnabled]),
    commands: () => app.commands.listCommands().filter((id) => app.commands.isVisible(id)),
    choose: async (path) => {
      trouble = [];
      const [, item] = all().find((each) => each[0] === path) ?? [];
      if (!item?.isEnabled) return [];
      await done(app.commands.execute(item.command, item.args));
      for (const other of others()) {
        await done(ready(other.content ?? other));
        other.dispose();
      }
      await done(app.commands.execute("docmanager:open", { path: lesson }));
      const panel = app.shell.currentWidget;
      await done(ready(panel));
      await done(app.commands.execute("documentsearch:end"));
      if (panel.context.model.dirty) await done(panel.context.revert());
      return trouble;
    },
  };
}"""


@dataclass
class Lab:
    """A running `make lab` and the lines that it has printed."""

    process: "subprocess.Popen[str]"
    lines: list[str]

    @property
    def address(self) -> str:
        return self.lines[-2].strip()


@pytest.fixture(scope="module")
def learner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """Run `make lab` in a copy of the project, where it installs what a learner needs."""
    home = tmp_path_factory.mktemp("learner")
    project = copy_project(home / "project")
    own = jupyter_folders(home)
    settings = Path(own["JUPYTER_CONFIG_DIR"], "jupyter_lab_config.json")
    settings.parent.mkdir()
    settings.write_text(json.dumps({"LabApp": {"expose_app_in_browser": True}}))
    process = subprocess.Popen(
        ["make", "lab"],
        cwd=project,
        env={**_as_in_a_terminal(), **own, "NO_BROWSER": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    lab = Lab(process, [])
    try:
        for line in process.stdout:
            lab.lines.append(line.rstrip("\n"))
            if len(lab.lines) > 1 and re.fullmatch(ADDRESS, lab.lines[-2]):
                break
        yield lab
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(20)


def _as_in_a_terminal() -> dict[str, str]:
    """Return the environment variables without all that the test run itself has added to them."""
    left_out = re.compile("MAKE|MFLAGS|VIRTUAL_ENV|PYTHON|PYTEST|VERBOSE|JUPYTER")
    environment = {name: value for name, value in os.environ.items() if not left_out.match(name)}
    ours = str(ROOT / ".venv" / "bin")
    path = [each for each in os.environ["PATH"].split(os.pathsep) if each != ours]
    return {**environment, "PATH": os.pathsep.join(path)}


class Walk:
    """A user who tries every menu entry and button of JupyterLab in the first lesson."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        self.trouble: list[str] = []
        for event, told in TROUBLE.items():
            page.context.on(event, lambda what, told=told: self.trouble.extend(told(what)))
        page.goto(address)
        self.notebook = NotebookPage(page, Server("", ROOT), "lab")
        self.notebook.until_ready()
        page.evaluate(MENUS)
        export = "File > Save and Export Notebook As > HTML"
        until(lambda: export in self.entries(), "the server has told how it exports")

    def entries(self) -> dict[str, bool]:
        """Return the visible menu entries: entry → true if it can be chosen at this moment."""
        return dict(self.notebook.evaluate("() => walk.entries()"))

    def choose(self, entry: str) -> list[str]:
        """Choose a menu entry, then open the lesson again; return all errors that occurred."""
        self.trouble.clear()
        said = self.notebook.evaluate("entry => walk.choose(entry)", entry)
        return [f"{entry}: {trouble}" for trouble in [*said, *self.trouble]]


@pytest.fixture(scope="module")
def walk(learner: Lab, chromium: Browser) -> Iterator[Walk]:
    """Open the address that `make lab` has printed; yield the user (`Walk`) who tries this page."""
    with new_page(chromium, 1280) as page:
        yield Walk(page, learner.address)


def test_it_says_what_a_learner_needs_and_nothing_else(learner: Lab) -> None:
    assert len(learner.lines) == len(FIRST), "\n".join(learner.lines)
    for line, expected in zip(learner.lines, FIRST, strict=True):
        assert re.fullmatch(expected, line), line


@pytest.mark.parametrize(("width", "is_closed"), [(400, True), (1100, False)])
def test_the_file_browser_is_closed_where_it_leaves_no_room_for_the_lesson(
    chromium: Browser, learner: Lab, width: int, is_closed: bool
) -> None:
    with new_page(chromium, width, 800) as page:
        page.goto(learner.address.replace("/lab/tree", f"/lab/workspaces/{width}/tree"))
        page.locator(".jp-Cell").first.wait_for()
        page.locator("#jupyterlab-splash").wait_for(state="detached")
        browser = page.locator("#jp-left-stack")
        until(lambda: browser.is_hidden() is is_closed, f"the file browser is closed: {is_closed}")


def test_even_before_the_first_cell_an_error_says_what_to_do(walk: Walk) -> None:
    assert "Run the first code cell" in walk.notebook.ask("check(1, 2)")
    walk.notebook.evaluate("() => window.jupyterapp.shell.currentWidget.context.revert()")
    walk.notebook.restart()


def test_a_double_click_leaves_text_as_text(walk: Walk) -> None:
    story = walk.notebook.cell("run-a-cell")
    story.locator("p").first.dblclick()
    assert walk.notebook.evaluate("() => getSelection().toString().trim()")  # a word is selected
    assert story.locator("h2").is_visible()
    walk.page.keyboard.press("Enter")
    walk.page.keyboard.press("Escape")
    assert story.locator("h2").is_visible()


def test_nothing_is_offered_that_only_instructors_need_or_that_needs_more(walk: Walk) -> None:
    names = [*walk.entries(), *walk.notebook.evaluate("() => walk.commands()")]
    assert [name for name in names if NOT_OFFERED.search(name)] == []
    exports = [name.split(" > ")[2] for name in names if "Notebook As > " in name]
    assert exports == ["HTML", "Markdown", "Executable Script", "Reveal.js Slides"]
    assert walk.trouble == []


def test_every_button_above_the_lesson_works(walk: Walk) -> None:
    lab, cells = walk.notebook, walk.notebook.sources()
    cell = cells.index("play()")
    bar = walk.page.locator(".jp-NotebookPanel-toolbar")
    names = bar.locator(".jp-CommandToolbarButton:visible").evaluate_all(
        "all => all.map(each => each.dataset.jpItemName)"
    )
    assert sorted(names) == sorted(BUTTONS)
    for name, works in BUTTONS.items():
        lab.command_at(cell, "notebook:enter-command-mode")
        bar.locator(f"[data-jp-item-name={name}] jp-button").click()
        if name.startswith("restart"):
            walk.page.locator(".jp-Dialog .jp-mod-accept").click()
        until(lambda: works(lab, len(cells)), f"{name} has worked")  # noqa: B023
    assert walk.trouble == []


def test_every_entry_of_the_menus_works(walk: Walk) -> None:
    entries = [name for name, on in walk.entries().items() if on and not NOT_TRIED.search(name)]
    assert len(entries) > 100
    assert [trouble for entry in entries for trouble in walk.choose(entry)] == []


def test_ctrl_c_ends_it_and_every_kernel_without_a_word(walk: Walk, learner: Lab) -> None:
    running = psutil.Process(learner.process.pid).children(recursive=True)
    assert len(running) > 2  # the program behind `make lab`, the server, a kernel
    os.killpg(learner.process.pid, signal.SIGINT)
    assert learner.process.stdout.read() == ""
    assert psutil.wait_procs(running, timeout=20)[1] == []
