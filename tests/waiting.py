"""A function that waits for a state, not for a time, because the machine may be busy."""

import time
from collections.abc import Callable
from typing import Any

SECONDS = 120.0  # far longer than anything takes, even on a busy machine


def until(holds: Callable[[], Any], what: str, seconds: float = SECONDS) -> None:
    """Call `holds` again and again until it returns something true.

    Raise `AssertionError` after `seconds`; the end of its message is "until" and then `what`.
    """
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {seconds:.0f} s in vain until {what}")
        time.sleep(0.03)  # between two calls
