"""Damaged submissions: all that can happen to notebooks on their way to the grader.

Each function in `damaged_files` and `damaged_cells` hands in a damaged copy of a right notebook.
Its name says what has happened. The most frequent kinds of damage come from `autograder sample`.
"""

from autograder.sample import damages
from tests.samples import damaged_cells, damaged_files
from tests.samples.damage import Damage

UNREADABLE = ("empty-file", "cut-off", "no-file")
DAMAGES = [Damage(name, do, name not in UNREADABLE) for name, do in damages.DAMAGES.items()] + [
    damage
    for module in (damaged_files, damaged_cells)
    for damage in vars(module).values()
    if isinstance(damage, Damage)
]
