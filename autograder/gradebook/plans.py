"""The plans of assignments: worked out once, and kept until the master or the versions change."""

import platform
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from autograder.gradebook.basis import common_basis, digest_of
from autograder.gradebook.conditions import conditions_of
from autograder.gradebook.prepared import Prepared
from autograder.gradebook.remembered import Remembered
from autograder.jail import Conditions
from autograder.plan import Grade, Plan, make_plan, plan_from

_NAME = "plan of {}"


def conditions_for(parent: Any, notebooks: Sequence[Prepared], confined: bool) -> Conditions:
    """Return how an assignment's submissions are run; modules not in its masters are not loaded."""
    cells = (cell for one in notebooks if one.key.notebook for cell in one.key.notebook.cells)
    return conditions_of(parent, confined, "\n".join(cell.source for cell in cells))


def plans_for(
    root: Path, notebooks: Sequence[Prepared], conditions: Conditions, grade: Grade
) -> tuple[Plan, ...]:
    """Return the plans of an assignment's notebooks; `grade` is called only if a plan is new."""
    shelf = Remembered(root, notebooks[0].master.lesson)
    return tuple(_plan_for(shelf, one, conditions, grade) for one in notebooks)


def _plan_for(shelf: Remembered, one: Prepared, conditions: Conditions, grade: Grade) -> Plan:
    digest = _digest(one, conditions)
    name = _NAME.format(one.master.notebook)
    kept = shelf.get(name, digest)
    if kept is not None:
        return plan_from(kept)
    plan = make_plan(one.master, one.key, one.stub, grade)
    if not plan.troubles:  # they may come from a full disk
        shelf.put(name, digest, plan.as_json())
    return plan


def _digest(one: Prepared, conditions: Conditions) -> str:
    """Return the digest of all that a plan rests on: notebook, answers, grader, packages."""
    packages = ("ipython", *(name.partition(".")[0] for name in conditions.preload))
    versions = {name: _version(name) for name in packages}
    basis = common_basis(one.master, conditions)
    return digest_of([basis, one.key.digest, platform.python_version(), versions])


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"
