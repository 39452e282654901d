"""Checks, which the test cells of the lessons call; those of chance are in `checks.chance`."""

from course.answers import Answer, NoAnswer
from course.checks.check import check
from course.checks.failed import CheckFailed

__all__ = ["Answer", "CheckFailed", "NoAnswer", "check"]
