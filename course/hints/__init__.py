"""Known wrong answers, and the hint for each."""

from course.hints.diagnosis import Diagnosis, diagnose

__all__ = ["Diagnosis", "diagnose"]
