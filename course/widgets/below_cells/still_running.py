"""A line below a cell that runs for long: it says how to stop the cell, and goes when it ends."""

import sys
from contextvars import copy_context
from functools import partial
from html import escape
from threading import Event, Thread, main_thread
from typing import Any
from uuid import uuid4

PATIENCE = 2.0  # seconds, as in `../static/play/live_view.js`
SAID = "Still running … Press ■ (interrupt the kernel) to stop it."
# A kernel that was restarted cannot take its line back, so the page hides it: the dot at the top of
# JupyterLab and of Notebook 7 says that no cell is running.
_HIDDEN = '.jp-NotebookPanel:has([data-status="idle"]) .c2048-running { display: none }'
_HTML = (
    f"<style>{_HIDDEN}</style>"
    f'<p class="c2048-running" role="status" style="margin:4px 0">{escape(SAID)}</p>'
)


def say_if_still_running(shell: Any) -> None:
    """Show a line below each cell that has run for `PATIENCE` seconds, until it ends.

    `shell` is the shell of a kernel. No line is shown while a cell waits for `input()`, nor in a
    notebook that runs without a person, because nobody there could press a button.
    """
    running: list[tuple[Event, Thread]] = []

    def begin(_: Any) -> None:
        end(_)
        if shell.kernel.get_parent().get("content", {}).get("allow_stdin"):
            has_ended = Event()
            # The kernel keeps in this context which cell an output belongs to.
            look = partial(copy_context().run, _look, shell.display_pub.publish, has_ended)
            running.append((has_ended, Thread(target=look, daemon=True)))
            running[-1][1].start()

    def end(_: Any) -> None:
        while running:
            has_ended, thread = running.pop()
            has_ended.set()
            thread.join()

    shell.events.register("pre_run_cell", begin)
    shell.events.register("post_run_cell", end)


def _look(publish: Any, has_ended: Event) -> None:
    """Show the line once a cell has run for long and asks for no input; remove it at the end."""
    while not has_ended.wait(PATIENCE):
        if not _is_asking():
            line = {"display_id": uuid4().hex}
            publish({"text/html": _HTML, "text/plain": SAID}, transient=line)
            has_ended.wait()
            publish({}, transient=line, update=True)


def _is_asking() -> bool:
    """Return true if the main thread waits for what a person types into `input()`."""
    frame = sys._current_frames().get(main_thread().ident or 0)
    while frame is not None:
        if frame.f_code.co_name == "_input_request":  # a method of the kernel
            return True
        frame = frame.f_back
    return False
