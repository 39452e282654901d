"""Damaged submissions: everything that happens to notebook files on their way to the grader.

Each damage of `damaged_files` and `damaged_cells` hands in a damaged copy of a right notebook, and
is named after what happened. The most usual ones are those of `autograder sample`.
"""

from autograder import sample_damage
from autograder.sample_damage import Damage
from tests.samples import damaged_cells, damaged_files

DAMAGES = [
    damage
    for module in (sample_damage, damaged_files, damaged_cells)
    for damage in vars(module).values()
    if isinstance(damage, Damage)
]
