"""The basis that a result rests on, as digests; when any of it changes, the result is stale."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from autograder.course import FOLDER
from autograder.jail import Conditions
from autograder.notebook.master import Master
from autograder.notebook.reading import Unreadable, read_bytes
from autograder.records.timestamp import FILE

# the programs and tables that come between a submission and its score
_GRADER = (
    "course.py",
    "submission.py",
    "pipeline.py",
    "plan",
    "notebook",
    "judge",
    "jail",
    "wire",
)
_COURSE = (
    "lessons.toml",
    "lessons.py",
    "exercises",
    "answers.py",
    "rules",
    "cases",
    "checks",
    "hints",
    "games",
)

_REASONS = {
    "submission": "the submission changed",
    "time": "it was handed in at another time",
    "master": "the master changed",
    "grader": "the grader or its limits changed",
}


Basis = Mapping[str, str]


def common_basis(master: Master, conditions: Conditions) -> Basis:
    """Return the basis that all results of a notebook share: the master and the grader."""
    return {"master": _master(master), "grader": _grader(conditions)}


def digest_of(value: Any) -> str:
    """Return the digest of plain data."""
    return _digest(json.dumps(value, sort_keys=True).encode())


def basis_of(digest: str, folder: Path, common: Basis) -> Basis:
    """Return the basis of a result: `digest` is the hand-in's, `folder` where it was handed in."""
    time = _digest(_content(folder / FILE))
    return {"submission": digest, "time": time, **common}


def why_stale(now: Basis, before: Mapping[str, Any]) -> str:
    """Return why a result that rested on something else is stale; empty if it is not.

    >>> why_stale({"time": "a", "master": "b"}, {"time": "a", "master": "c"})
    'the master changed'
    """
    return " and ".join(_REASONS[key] for key in now if before.get(key) != now[key])


def _master(master: Master) -> str:
    """Return the digest of the cells that the master decides on, and of the files beside it."""
    cells = [
        (
            *(cell.id, str(cell.kind), cell.cell_type, cell.source, cell.visible, cell.points),
            *(cell.solution, cell.is_inside),
        )
        for cell in master.cells
    ]
    beside = [(name, _digest(data)) for name, data in sorted(master.files.items())]
    return _digest(repr((cells, beside, sorted(master.editable), master.imports)).encode())


@cache
def _grader(conditions: Conditions) -> str:
    """Return the digest of the grader's programs and tables, and of how it runs students' code."""
    limits = asdict(conditions.limits)
    return digest_of({"confined": conditions.confined, "limits": limits, "programs": programs()})


@cache
def programs() -> str:
    """Return the digest of all programs and tables between a submission and its score."""
    found = {}
    for folder, names in ((Path(__file__).parents[1], _GRADER), (FOLDER, _COURSE)):
        for file in (file for name in names for file in _programs(folder / name)):
            found[f"{folder.name}/{file.relative_to(folder)}"] = _digest(file.read_bytes())
    return digest_of(found)


def _programs(path: Path) -> Iterator[Path]:
    return (file for file in (path, *_files(path)) if file.suffix in (".py", ".toml", ".json"))


def _files(folder: Path) -> list[Path]:
    """Return the files in a folder that are not notebooks, and that no program left there."""
    return sorted(
        path
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".ipynb" and not _is_left_over(path, folder)
    )


def _is_left_over(path: Path, folder: Path) -> bool:
    return any(part.startswith((".", "__pycache__")) for part in path.relative_to(folder).parts)


def _content(path: Path) -> bytes:
    try:
        return read_bytes(path)
    except Unreadable:
        return b""


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()
