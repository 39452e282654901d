"""Tables in the terminal: the plan of an assignment's tests, verdicts, and a class."""

from autograder.terminal.class_table import (
    show_collection,
    show_commented,
    show_filled,
    show_grading,
    show_mistakes,
    show_remarks,
    show_results,
)
from autograder.terminal.verdict_table import show_audit, show_plans, show_problems, show_verdicts

__all__ = [
    "show_audit",
    "show_collection",
    "show_commented",
    "show_filled",
    "show_grading",
    "show_mistakes",
    "show_plans",
    "show_problems",
    "show_remarks",
    "show_results",
    "show_verdicts",
]
