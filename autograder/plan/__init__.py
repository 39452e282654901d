"""The plan of an assignment, which says for each test if the test runs inside the jail or outside.

Students' code runs in the jail. A test that runs outside of the jail is protected: students' code
cannot change its outcome. A test that runs inside, beside the student's code, is not protected.
"""

from autograder.plan.where_tests_run import (
    Place,
    Plan,
    Planned,
    make_plan,
    troubles_of,
    wrong_tests,
)

__all__ = ["Place", "Plan", "Planned", "make_plan", "troubles_of", "wrong_tests"]
