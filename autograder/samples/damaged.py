"""Damaged submissions: everything that happens to notebook files on their way to the grader.

Each function in `damaged_files` and `damaged_cells` hands in a damaged copy of a right notebook,
and is named after what happened.
"""

# on import they register the damages that they define
from autograder.samples import damaged_cells, damaged_files  # noqa: F401
from autograder.samples.damage import DAMAGES, Damage

__all__ = ["DAMAGES", "Damage"]
