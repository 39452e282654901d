"""A clock that stops endless loops in a browser, where no alarm and no stop button reach Python.

In a browser, Python reads a piece of memory again and again, in loops and calls, to learn if Ctrl-C
was pressed; another thread is meant to write to that memory. This file replaces the memory by a
clock, an object that reports Ctrl-C as soon as the time is up. Loops are hardly slower with it.
"""

import signal
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from importlib import import_module
from types import TracebackType
from typing import Any

IN_CELL, IN_MOVE = 60, 30  # seconds until a loop is stopped, in a cell and in a move on a board
IS_BROWSER = sys.platform == "emscripten"
AGAIN = 0.11  # seconds until the error is raised again, in case the code has caught it
CLOCK = f"""(() => {{
  let end = Infinity;
  return {{
    ring(seconds) {{ end = performance.now() + 1000 * seconds; }},
    get 0() {{
      const now = performance.now();
      if (now < end) return 0;
      end = now + {1000 * AGAIN};
      return {signal.SIGINT:d};
    }},
    set 0(_) {{}},
  }};
}})()"""


class Deadline:
    """A time, and the error to raise in the running code at that time."""

    def __init__(self, seconds: float, error: type[BaseException]) -> None:
        self.seconds, self.error = seconds, error
        self.end = time.monotonic() + seconds


_running: list[Deadline] = []


@contextmanager
def loops_end_in(seconds: float, error: type[BaseException]) -> Iterator[None]:
    """Raise `error` if a `with` block runs longer than `seconds`.

    The deadlines of blocks around it hold, too.
    """
    _running.append(Deadline(seconds, error))
    _set()
    try:
        yield
    finally:
        _running.pop()
        _set()


def stop_loops(shell: Any) -> None:
    """Make an IPython shell in a browser interrupt each cell after `IN_CELL` seconds."""
    cell = ExitStack()
    shell.events.register(
        "pre_run_cell", lambda _: cell.enter_context(loops_end_in(IN_CELL, KeyboardInterrupt))
    )
    shell.events.register("post_run_cell", lambda _: cell.close())
    show = shell.showtraceback

    def show_in_peace(error: Any = None, *rest: Any, **options: Any) -> None:
        """End the cell's deadline, which could interrupt this function; then show the error."""
        cell.close()
        _leave_out_stop((error or sys.exc_info())[2])
        show(error, *rest, **options)

    shell.showtraceback = show_in_peace


def _leave_out_stop(trace: TracebackType | None) -> None:
    """Cut the frames of `_stop` off a traceback, so that it ends in the learner's loop."""
    while trace is not None:
        if trace.tb_next is not None and trace.tb_next.tb_frame.f_code is _stop.__code__:
            trace.tb_next = None
        trace = trace.tb_next


def _set() -> None:
    """Set the clock to ring at the earliest deadline."""
    next_end = min((each.end for each in _running), default=float("inf"))
    _clock().ring(next_end - time.monotonic())


def _stop(*_: object) -> None:
    """Raise the error of the innermost deadline that has passed; Python calls this upon Ctrl-C.

    The call may come late: the code for which the clock was set may have ended just before. Then
    nothing is raised, unless another deadline has passed.
    """
    for each in reversed(_running):
        if time.monotonic() >= each.end:
            each.end = time.monotonic() + AGAIN
            _set()
            seconds = "1 second" if each.seconds == 1 else f"{each.seconds:g} seconds"
            said = f"This loop was stopped after {seconds}. Does it never end?"
            raise each.error(said)


@cache
def _clock() -> Any:
    """Return the clock; the first call makes it, and makes Python ask it if Ctrl-C was pressed."""
    clock = import_module("pyodide.code").run_js(CLOCK)
    signal.signal(signal.SIGINT, _stop)
    import_module("pyodide_js").setInterruptBuffer(clock)
    return clock
