"""A learner's code runs in the kernel's main thread, like the cells it comes from.

JupyterLab (since 4.4) sends the messages of widgets to a thread of their own, a subshell. There the
stop button does not reach, and a cell might run at the same time as a move. So whatever a message
asks for is handed over to the main thread.
"""

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from threading import current_thread, main_thread

from course.loops import IN_MOVE, IS_BROWSER, loops_end_in


class MainThread:
    """The main thread, as it was found when a widget was made in it."""

    def __init__(self) -> None:
        try:
            self.loop: asyncio.AbstractEventLoop | None = asyncio.get_running_loop()
        except RuntimeError:  # no notebook: there is only one thread
            self.loop = None

    def run(self, task: Callable[[], None]) -> None:
        """Do a task at once if this is the main thread; if not, as soon as that thread is free."""
        if self.loop is None or current_thread() is main_thread():
            with stop_button() if IS_BROWSER else nullcontext():
                task()
        else:
            self.loop.call_soon_threadsafe(_interruptible, task)


def _interruptible(task: Callable[[], None]) -> None:
    with stop_button():
        task()


@contextmanager
def stop_button() -> Iterator[None]:
    """Let the stop button raise `KeyboardInterrupt` inside, as it does while a cell runs.

    In a browser, the button reaches nothing; there, a loop is stopped after a while.
    """
    if IS_BROWSER:
        with loops_end_in(IN_MOVE, KeyboardInterrupt):
            yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
