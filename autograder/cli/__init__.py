"""The command line: one function for each command, whose docstring is the help text."""

from autograder.cli import before_grading, grading, reporting
from autograder.cli.options import app

__all__ = ["app", "before_grading", "grading", "reporting"]
