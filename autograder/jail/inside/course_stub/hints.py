"""A module in place of the course's hints: when code is graded, no hint is given."""

from collections.abc import Callable
from typing import Any


class Diagnosis:
    """A hint; no function here returns one."""

    nudge = ""


def diagnose(function: Callable[..., Any], failure: Any = None) -> Diagnosis | None:
    """Return `None`, because no mistake is known here."""
    return None
