"""A notebook on a page of JupyterLab or Notebook 7, with a learner's actions as methods."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Locator, Page

from tests.browser.servers import Server
from tests.waiting import until

APP = "(window.jupyterapp || window.jupyterlab)"
PANEL = f"{APP}.shell.currentWidget"

READY = f"""async () => {{
  const app = {APP};
  if (!app) return false;
  await app.started;
  if (app.restored) await app.restored;
  const panel = app.shell.currentWidget;
  if (!panel || !panel.context || !panel.content || !panel.content.widgets) return false;
  await panel.context.ready;
  await panel.sessionContext.ready;
  const kernel = panel.sessionContext.session && panel.sessionContext.session.kernel;
  if (!kernel) return false;
  await kernel.info;
  return kernel.status === 'idle' && app.commands.hasCommand('notebook:run-all-cells');
}}"""

# Closes the open notebook; returns true if the page is a JupyterLab that can open another one.
LEAVE = f"""async () => {{
  const panel = location.pathname.startsWith("/lab") && {APP} && {PANEL};
  if (!panel) return false;
  await panel.sessionContext.shutdown(); // the kernel's last messages still change the notebook
  panel.context.model.dirty = false; // nobody is asked whether to save it
  panel.close();
  return true;
}}"""


def until_ready(page: Page) -> None:
    """Wait until a notebook is shown and its kernel is idle.

    The page may ignore a cell that is run earlier than this.
    """
    page.wait_for_load_state("load")
    until(lambda: page.evaluate(READY), "the notebook is ready")


class NotebookPage:
    """One notebook in JupyterLab (`app="lab"`) or Notebook 7 (`app="notebook"`)."""

    def __init__(self, page: Page, server: Server, app: str) -> None:
        self.page = page
        self.server = server
        self.app = app
        self.path = ""

    def evaluate(self, script: str, argument: Any = None) -> Any:
        return self.page.evaluate(script, argument)

    def open(self, notebook: Path | Sequence[str], name: str = "lesson.ipynb") -> None:
        """Open a copy of a notebook file, or a new notebook of code cells, in a new folder."""
        folder = self.server.root / f"work-{time.monotonic_ns()}"
        folder.mkdir()
        if isinstance(notebook, Path):
            name = notebook.name
            (folder / name).write_bytes(notebook.read_bytes())
        else:
            nbformat.write(notebook_of(notebook), folder / name)
        self.go_to(f"{folder.name}/{name}")

    def reload(self) -> None:
        self.page.goto(self.server.url(self.app, self.path))
        self.until_ready()

    def until_ready(self) -> None:
        until_ready(self.page)

    def go_to(self, path: str) -> None:
        """Open another notebook on the page; unsaved changes of the one open until now are lost."""
        self.path = path
        if self.app == "lab" and self.evaluate(LEAVE):
            self.command("docmanager:open", path=path)
            here = f"() => {PANEL}?.context?.path"
            until(lambda: self.evaluate(here) == path, f"{path} is shown")
            self.until_ready()
        else:
            self.reload()

    @property
    def file(self) -> Path:
        """The path of the open notebook's file."""
        return self.server.root / self.path

    def command(self, name: str, **arguments: Any) -> None:
        """Run a command of the app, such as `notebook:run-all-cells`, to its end."""
        script = f"async ([name, args]) => {{ await {APP}.commands.execute(name, args); }}"
        self.evaluate(script, [name, arguments])

    def command_at(self, index: int, name: str) -> None:
        """Run a command for the cell at an index, even if a board has just taken the focus."""
        script = f"""async ([index, name]) => {{
          {PANEL}.content.activeCellIndex = index;
          await {APP}.commands.execute(name);
        }}"""
        self.evaluate(script, [index, name])

    def run_all(self) -> None:
        """Run all cells, and wait until the kernel is done with each."""
        self.command("notebook:run-all-cells")
        self.until_idle()

    def run_each(self) -> None:
        """Run one cell after the other, even those below an error."""
        for index in range(len(self.sources())):
            self.command_at(index, "notebook:run-cell")
        self.until_idle()

    def run_cell(self, cell: int | str) -> None:
        """Run one cell, given by its index or id, and wait until it is done."""
        self.command_at(self.index(cell), "notebook:run-cell")
        self.until_idle()

    def begin_cell(self, index: int) -> None:
        """Start a cell, and do not wait for its end; the focus may be anywhere."""
        script = f"""index => {{
          {PANEL}.content.activeCellIndex = index;
          {APP}.commands.execute('notebook:run-cell');
        }}"""
        self.evaluate(script, index)

    def until_idle(self) -> None:
        """Wait until no code cell shows `[*]` and the kernel is idle."""
        idle = f"""() => {PANEL}.content.widgets.every(
          cell => cell.model.type !== 'code' || cell.model.executionState !== 'running'
        ) && {PANEL}.sessionContext.session.kernel.status === 'idle'"""
        until(lambda: self.evaluate(idle), "all cells are done")

    def restart(self) -> None:
        self.evaluate(f"async () => {{ await {PANEL}.sessionContext.restartKernel(); }}")
        self.until_ready()

    def interrupt(self) -> None:
        """Interrupt the kernel, as the ■ button does."""
        self.evaluate(f"async () => {{ await {PANEL}.sessionContext.session.kernel.interrupt(); }}")

    def ask(self, source: str) -> str:
        """Run a line of code in a new cell at the end, and return its outputs as text."""
        last = len(self.sources()) - 1
        self.command_at(last, "notebook:insert-cell-below")
        self.set_source(last + 1, source)
        self.run_cell(last + 1)
        return self.outputs(last + 1)

    def outputs(self, cell: int | str) -> str:
        """Return the outputs of a cell as text: prints, results and errors."""
        script = f"""index => {PANEL}.content.widgets[index].model.outputs.toJSON()
          .map(output => output.text ?? output.data?.['text/plain'] ?? output.evalue)
          .map(text => [text].flat().join('')).join('\\n')"""
        return str(self.evaluate(script, self.index(cell))).strip()

    @property
    def is_changed(self) -> bool:
        """True if the notebook has changes that are not yet saved."""
        return bool(self.evaluate(f"() => {PANEL}.context.model.dirty"))

    def save(self) -> None:
        self.evaluate(f"async () => {{ await {PANEL}.context.save(); }}")

    def set_source(self, cell: int | str, source: str) -> None:
        """Put a text into a cell, as if it had been typed."""
        script = f"([i, text]) => {PANEL}.content.widgets[i].model.sharedModel.setSource(text)"
        self.evaluate(script, [self.index(cell), source])

    def sources(self) -> list[str]:
        script = f"() => {PANEL}.content.widgets.map(cell => cell.model.sharedModel.getSource())"
        return list(self.evaluate(script))

    def ids(self) -> list[str]:
        script = f"() => {PANEL}.content.widgets.map(cell => cell.model.id)"
        return list(self.evaluate(script))

    def prompts(self) -> list[int | None]:
        """Return the number before each code cell that has run, and `None` for any other cell."""
        script = f"() => {PANEL}.content.widgets.map(cell => cell.model.executionCount ?? null)"
        return list(self.evaluate(script))

    def errors(self) -> list[str]:
        script = f"""() => {PANEL}.content.widgets.filter(cell => cell.model.type === 'code')
          .flatMap(cell => cell.model.outputs.toJSON())
          .filter(output => output.output_type === 'error')
          .map(output => output.ename + ': ' + output.evalue)"""
        return list(self.evaluate(script))

    def index(self, cell: int | str) -> int:
        return cell if isinstance(cell, int) else self.ids().index(cell)

    def cell(self, cell: int | str) -> Locator:
        """Scroll to a cell and return it; JupyterLab draws only cells near the window."""
        index = self.index(cell)
        self.evaluate(
            f"async index => {{ await {PANEL}.content.scrollToItem(index, 'start'); }}", index
        )
        return self.page.locator(f'.jp-Notebook .jp-Cell[data-windowed-list-index="{index}"]')

    def set_theme(self, dark: bool) -> None:
        """Switch to the light or the dark theme, as in the Settings menu."""
        theme = "JupyterLab Dark" if dark else "JupyterLab Light"
        self.command("apputils:change-theme", theme=theme)
        body = f'body[data-jp-theme-light="{str(not dark).lower()}"]'
        self.page.wait_for_selector(body, state="attached")
        self.page.wait_for_selector("#jupyterlab-splash", state="detached")


def notebook_of(cells: Sequence[str]) -> nbformat.NotebookNode:
    """Return a notebook of code cells with the ids cell-0, cell-1 and so on."""
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    made = [new_code_cell(text, id=f"cell-{index}") for index, text in enumerate(cells)]
    return new_notebook(cells=made, metadata=kernel)
