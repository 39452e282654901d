"""Waiting for a state, never for a time: how long it takes depends on what else runs here."""

import time
from collections.abc import Callable
from typing import Any

SECONDS = 120.0  # far longer than anything takes, on a machine that is busy with other work, too


def until(holds: Callable[[], Any], what: str, seconds: float = SECONDS) -> None:
    """Ask again and again until it holds; raise `AssertionError` with `what` was waited for."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {seconds:.0f} s in vain until {what}")
        time.sleep(0.03)  # between two questions
