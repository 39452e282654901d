"""Damaged submissions: everything that happens to notebook files on their way to the grader.

Each damage of `damaged_files` and `damaged_cells` hands in a damaged copy of a right notebook, and
is named after what happened. The most usual ones are those of `autograder sample`.
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
