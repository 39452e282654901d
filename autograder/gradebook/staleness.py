"""Digests of all that a result depends on, and a cache for values that take long to compute.

A digest is a hash. If one has changed, the result is stale, and the submission is graded again.
"""

import json
import os
import pickle
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from autograder import course_adapter
from autograder.gradebook.timestamp import FILE, read_timestamp
from autograder.jail import Conditions
from autograder.notebook.master import Master
from autograder.notebook.submitted_files import Unreadable, read_bytes

FOLDER = ".autograder-plans"

# the programs and tables on which the score of a submission depends
_GRADER = (
    *("course_adapter.py", "grading_data.py", "grade_submission.py"),
    *("plan", "notebook", "judge", "jail", "wire", "groups/traces.py"),
)
_COURSE = (
    *("lessons.toml", "lessons.py", "exercises"),
    *("function_calls.py", "answer_comparison.py", "plain_errors.py"),
    *("rules", "cases", "checks", "hints", "games"),
)

_REASONS = {
    "submission": "the submission changed",
    "time": "it was handed in at another time",
    "moment": "it was handed in at another time",
    "master": "the master changed",
    "grader": "the grader or its limits changed",
}

# For example {"submission": digest, "time": digest, "master": digest, "grader": digest}.
Dependencies = Mapping[str, str]
"""A dictionary from things on which a result depends to their digests."""


def dependencies_of(
    digest: str, folder: Path, moment: datetime | None, shared: Dependencies
) -> Dependencies:
    """Return a result's dependencies: the hand-in's `digest` and time, and those in `shared`.

    `moment` is the time that the text in `timestamp.txt` says. If this time depends on the course's
    zone, both the text and `moment` are dependencies; otherwise, only the text is one.
    """
    try:
        time = read_bytes(folder / FILE)
    except Unreadable:
        time = b""
    # then the text says another time after the course's zone was corrected
    is_local = bool(read_timestamp(folder, "UTC")[1])
    read = {"moment": _digest(str(moment).encode())} if is_local else {}
    return {"submission": digest, "time": _digest(time), **read, **shared}


def shared_dependencies(master: Master, conditions: Conditions) -> Dependencies:
    """Return the dependencies that all results of a notebook share: the master and the grader."""
    cells = [
        (
            *(cell.id, str(cell.kind), cell.cell_type, cell.source, cell.visible, cell.points),
            *(cell.solution, cell.is_inside),
        )
        for cell in master.cells
    ]
    files = [(name, _digest(data)) for name, data in sorted(master.files.items())]
    said = repr((cells, files, sorted(master.editable), master.imports))
    limits = asdict(conditions.limits)
    grader = {"confined": conditions.confined, "limits": limits, "programs": programs()}
    return {"master": _digest(said.encode()), "grader": digest_of(grader)}


def why_stale(now: Dependencies, before: Mapping[str, Any]) -> str:
    """Return why a result with the dependencies `before` is stale `now`, or `""` if it is not.

    >>> why_stale({"time": "a", "master": "b"}, {"time": "a", "master": "c"})
    'the master changed'
    >>> why_stale({"time": "a", "moment": "b"}, {"time": "a"})
    ''
    """
    known = now.keys() - ({"moment"} - before.keys())  # older results do not have it
    changed = (key for key in now if key in known and before.get(key) != now[key])
    return " and ".join(dict.fromkeys(_REASONS[key] for key in changed))


def digest_of(value: Any) -> str:
    """Return the digest of data that can be written as JSON."""
    return _digest(json.dumps(value, sort_keys=True).encode())


@cache
def programs() -> str:
    """Return one digest of all programs and tables that turn a submission into a score."""
    found = {}
    for folder, names in ((Path(__file__).parents[1], _GRADER), (course_adapter.FOLDER, _COURSE)):
        for path in (folder / name for name in names):
            for file in (path, *sorted(path.rglob("*"))):
                inside = file.relative_to(path).parts
                is_left_over = any(part.startswith((".", "__pycache__")) for part in inside)
                if file.suffix in (".py", ".toml", ".json") and file.is_file() and not is_left_over:
                    found[f"{folder.name}/{file.relative_to(folder)}"] = _digest(file.read_bytes())
    return digest_of(found)


def version_of(package: str) -> str:
    """Return the version of a package, or the text "none" if the package is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()


class Cache:
    """A cache of values for one assignment, such as plans, in a file in `.autograder-plans/`.

    Unpickling the file can run any code, so it must be writable for instructors only.
    """

    def __init__(self, root: Path, assignment: str) -> None:
        self._path = root / FOLDER / f"{assignment}.pickle"

    def get(self, name: str, digest: str) -> Any:
        """Return the value stored under `name` if it was stored with this `digest`; else `None`."""
        known, value = self._read().get(name, ("", None))
        return value if known == digest else None

    def put(self, name: str, digest: str, value: Any) -> None:
        """Store a value and a digest under a name. Do nothing if the file cannot be written."""
        data = pickle.dumps({**self._read(), name: (digest, value)})
        new = self._path.with_suffix(f".{os.getpid()}")
        with suppress(OSError):
            self._path.parent.mkdir(exist_ok=True)
            new.write_bytes(data)
            new.replace(self._path)

    def _read(self) -> dict[str, tuple[str, Any]]:
        try:
            found = pickle.loads(self._path.read_bytes())
        except Exception:  # the file is not there, or another version of the grader wrote it
            return {}
        return found if isinstance(found, dict) else {}
