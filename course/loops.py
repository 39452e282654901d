"""Where no alarm and no stop button reach Python, as in a browser: loops look at the clock."""

import os
import sys
import sysconfig
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import CodeType
from typing import Any

IN_CELL, IN_MOVE = 60, 30  # seconds, until a loop of a cell, or of a move of a board, is stopped
IS_BROWSER = sys.platform == "emscripten"
HOMES = [sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]
# Those of a browser begin with two slashes, and its standard library is a zip file.
NOT_THEIRS = (*(path.replace("//", "/") for path in HOMES), os.path.dirname(os.__file__), "<frozen")
AGAIN = 0.11  # seconds; a function that catches everything is told again until it gives up


@contextmanager
def loops_end_in(seconds: float, error: type[BaseException]) -> Iterator[None]:
    """Raises an error in each loop of a learner's that goes round once more after these seconds.

    Inside of another such deadline, both count. Needs `sys.monitoring`, of Python 3.12.
    """
    watch: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
    tool, jump = watch.DEBUGGER_ID, watch.events.JUMP
    end, outer = time.monotonic() + seconds, None

    def look(code: CodeType, start: int, target: int) -> Any:
        __tracebackhide__ = True  # the learner is shown the loop, not this
        if code.co_filename.startswith(NOT_THEIRS):
            return watch.DISABLE  # these are many, they come to an end, and now they cost nothing
        nonlocal end
        if time.monotonic() > end:
            end = time.monotonic() + AGAIN
            raise error(f"This loop was stopped after {seconds:.0f} seconds. Does it never end?")
        return outer and outer(code, start, target)

    if watch.get_tool(tool) is None:
        watch.use_tool_id(tool, "loops_end_in")
    outer = watch.register_callback(tool, jump, look)
    watch.set_events(tool, jump)
    try:
        yield
    finally:
        watch.register_callback(tool, jump, outer)
        watch.set_events(tool, jump if outer else 0)


def stop_loops(shell: Any) -> None:
    """From now on a loop in a cell is stopped after a while: no button of a browser could do it."""
    cell = ExitStack()
    shell.events.register(
        "pre_run_cell", lambda _: cell.enter_context(loops_end_in(IN_CELL, KeyboardInterrupt))
    )
    shell.events.register("post_run_cell", lambda _: cell.close())
