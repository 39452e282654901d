"""The plan of an assignment: which tests run outside, protected, and which inside only."""

from autograder.plan.plan import (
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
