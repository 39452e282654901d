"""Known wrong answers, and the hint for each."""

from course.hints.diagnosis import diagnose
from course.hints.mistakes import Diagnosis

__all__ = ["Diagnosis", "diagnose"]
