"""The command line: one function for each command, whose docstring is the help text."""

from autograder.cli import grade_commands, prepare_commands, report_commands
from autograder.cli.options import app

__all__ = ["app", "grade_commands", "prepare_commands", "report_commands"]
