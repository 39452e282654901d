"""The versions that a worker of a cluster must share with the grader, as results rest on them."""

import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version

from autograder.gradebook.cache import programs
from autograder.jail import Conditions, Jail, JailMissing

Versions = Mapping[str, str]


def versions_here(conditions: Conditions) -> Versions:
    """Return the name and the version here of all that a result under these conditions rests on."""
    packages = {name.partition(".")[0] for name in conditions.preload}
    return {
        "course-2048": programs()[:12],
        "Python": platform.python_version(),
        "IPython": _version("ipython"),
        **{name: _version(name) for name in sorted(packages)},
    }


def why_unfit(wanted: Versions, conditions: Conditions) -> str:
    """Return why nothing can be graded here with the `wanted` versions; empty if it can."""
    here = versions_here(conditions)
    reasons = [
        f"it has {name} {here.get(name)}, not {version}"
        for name, version in wanted.items()
        if here.get(name) != version
    ]
    if not reasons and conditions.confined:
        reasons += _without_jail(conditions)
    return "; ".join(reasons)[:1000]


def _without_jail(conditions: Conditions) -> list[str]:
    try:
        with Jail("", conditions.limits):
            return []
    except JailMissing as error:
        return [" ".join(str(error).split())]


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"
