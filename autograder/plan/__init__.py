"""The plan of an assignment: it tells for each test if it runs outside or inside.

A test outside runs away from the student's code, so the test is protected. A test inside runs
beside the student's code, in the jail.
"""

from autograder.plan.where_tests_run import (
    Grade,
    Place,
    Plan,
    Planned,
    make_plan,
    troubles_of,
    wrong_tests,
)

__all__ = [
    "Grade",
    "Place",
    "Plan",
    "Planned",
    "make_plan",
    "troubles_of",
    "wrong_tests",
]
