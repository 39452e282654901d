"""Hints: `diagnose` finds the mistake in a function; a `Diagnosis` holds the texts about it."""

from course.hints.diagnosis import diagnose
from course.hints.mistakes import Diagnosis

__all__ = ["Diagnosis", "diagnose"]
