"""Damaged submissions: all that can happen to notebooks on their way to the grader.

Each function in `damaged_files` and `damaged_cells` hands in a damaged copy of a right notebook.
Its name says what has happened. The most frequent kinds of damage come from `autograder sample`.
"""

from autograder.sample import damages
from autograder.sample.damages import Damage
from tests.samples import damaged_cells, damaged_files

DAMAGES = [
    damage
    for module in (damages, damaged_files, damaged_cells)
    for damage in vars(module).values()
    if isinstance(damage, Damage)
]
