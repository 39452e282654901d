"""Hints are not given where code is graded."""

from collections.abc import Callable
from typing import Any


class Diagnosis:
    """A hint; there is never one here."""

    nudge = ""


def diagnose(function: Callable[..., Any], failure: Any = None) -> Diagnosis | None:
    """Nothing is known of any mistake."""
    return None
