"""The course as a site on which Python runs in the browser: it is built and served for tests."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any

from playwright.sync_api import Page

from autograder.course_adapter import ROOT
from course.lessons import Lesson
from course.lite.__main__ import server
from course.lite.build import build
from tests.browser.notebook_page import PANEL, NotebookPage
from tests.browser.whole.learner import solutions
from tests.waiting import until

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
    """A site that is served from the folder `root`; for notebook pages, it acts as the server."""

    address: str
    root: Path

    def url(self, app: str, path: str) -> str:
        """Return the address at which an app shows a notebook."""
        return f"{self.address}/{'lab' if app == 'lab' else 'notebooks'}/index.html?path={path}"


@contextmanager
def built_site(folder: Path) -> Iterator[Site]:
    """Build the site in a folder, and serve it."""
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


def solved(lesson: Lesson) -> dict[str, Any]:
    """Return the released notebook of a lesson, with the right answers."""
    text = (ROOT / "release" / lesson.id / lesson.notebook).read_text(encoding="utf-8")
    notebook: dict[str, Any] = json.loads(text)
    answers = solutions(lesson)
    for cell in notebook["cells"]:
        cell["source"] = answers.get(cell["id"], cell["source"])
    return notebook


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
