"""Checks that the test cells of the lessons call. Checks of chance are in `checks.chance`."""

from course.checks.check import check
from course.checks.failed import CheckFailed
from course.function_calls import Answer, NoAnswer

__all__ = ["Answer", "CheckFailed", "NoAnswer", "check"]
