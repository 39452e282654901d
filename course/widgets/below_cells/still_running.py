"""A line below a cell that runs for long: it says how to stop the cell, until the cell ends."""

import sys
from contextvars import copy_context
from threading import Event, Lock, Thread, main_thread
from traceback import walk_stack
from typing import Any
from uuid import uuid4

PATIENCE = 2.0  # seconds, as in `../static/play/live_view.js`
SAID = "Still running … Press ■ (interrupt the kernel) to stop it."
# A kernel that was restarted cannot take its line back. So this style hides the line as soon as the
# dot at the top of JupyterLab or of Notebook 7 says that no cell is running.
_HTML = (
    '<style>.jp-NotebookPanel:has([data-status="idle"]) .c2048-running { display: none }</style>'
    f'<p class="c2048-running" role="status" style="margin:4px 0">{SAID}</p>'
)


def say_if_still_running(shell: Any) -> None:
    """From now on, show a line below each cell that has run for `PATIENCE` seconds, until it ends.

    No line is shown while a cell waits for `input()`, nor if no person runs the notebook.
    """
    running: list[_RunningCell] = []

    def begin(_: Any) -> None:
        end(_)
        if shell.kernel.get_parent().get("content", {}).get("allow_stdin"):
            running.append(_RunningCell(shell.display_pub.publish))

    def end(_: Any) -> None:
        while running:
            running.pop().end()

    shell.events.register("pre_run_cell", begin)
    shell.events.register("post_run_cell", end)


class _RunningCell:
    """A cell that runs, and the thread that shows a line below it; `publish` sends an output."""

    def __init__(self, publish: Any) -> None:
        self._publish = publish
        self._id = {"display_id": uuid4().hex}
        self._has_ended = Event()
        self._lock = Lock()  # held while the line is shown
        self._is_shown = False
        # The kernel keeps in this context which cell an output belongs to.
        Thread(target=copy_context().run, args=(self._look,), daemon=True).start()

    def end(self) -> None:
        """Remove the line, if it is shown."""
        self._has_ended.set()
        with self._lock:
            if self._is_shown:
                self._publish({}, transient=self._id, update=True)

    def _look(self) -> None:
        """Show the line as soon as the cell has run for long; wait while it asks for input."""
        while not self._has_ended.wait(PATIENCE):
            if _is_asking():
                continue
            with self._lock:
                if not self._has_ended.is_set():
                    self._is_shown = True
                    line = {"text/html": _HTML, "text/plain": SAID}
                    self._publish(line, transient=self._id)
            return


def _is_asking() -> bool:
    """Return true if the main thread waits for what a person types into `input()`."""
    calls = walk_stack(sys._current_frames().get(main_thread().ident or 0))
    return any(call.f_code.co_name == "_input_request" for call, _ in calls)  # in the kernel
