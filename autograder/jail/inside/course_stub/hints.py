"""Hints in the place of the course's own: when code is graded, none is given."""

from collections.abc import Callable
from typing import Any


class Diagnosis:
    """A hint; no function here returns one."""

    nudge = ""


def diagnose(function: Callable[..., Any], failure: Any = None) -> Diagnosis | None:
    """Return `None`, because no mistake is known here."""
    return None
