"""What a run knew of a submission beyond its scores, kept in the graded notebooks."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

Key = tuple[str, str]
"""A cell: the name of its notebook, without an ending, and its own."""


@dataclass(frozen=True)
class Remark:
    """What is known of one check; `told` is the part of its message that the student may read."""

    outcome: str = ""
    misconception: str = ""
    mistake: str = ""
    hint: str = ""
    told: str = ""


@dataclass(frozen=True)
class Kept:
    """All that is known of one submission.

    `problems` are its repairs in words; `seconds` is how long grading took, `None` where somebody
    else graded it; `answers` are the sources of the cells that the student wrote.
    """

    problems: tuple[str, ...] = ()
    is_readable: bool = True
    seconds: float | None = None
    remarks: Mapping[Key, Remark] = field(default_factory=dict)
    answers: Mapping[Key, str] = field(default_factory=dict)


def read_kept(folder: Path) -> Kept:
    """What is kept in the graded notebooks in a folder; less, where one can not be read."""
    problems: list[str] = []
    remarks: dict[Key, Remark] = {}
    answers: dict[Key, str] = {}
    seconds, is_readable = None, True
    for path in sorted(folder.glob("*.ipynb")):
        try:
            notebook = json.loads(path.read_text(encoding="utf-8"))
            known = notebook["metadata"].get("autograder", {})
            problems += known.get("problems", [])
            is_readable &= bool(known.get("is_readable", True))
            if "seconds" in known:
                seconds = (seconds or 0.0) + known["seconds"]
            for check in known.get("checks", ()):
                remarks[path.stem, check["id"]] = _remark(check)
            for cell in notebook["cells"]:
                marks = cell["metadata"].get("nbgrader", {})
                if marks.get("solution"):
                    answers[path.stem, marks["grade_id"]] = "".join(cell["source"])
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            problems.append(f"{path.name} in {folder} can not be read ({type(error).__name__})")
    return Kept(tuple(problems), is_readable, seconds, remarks, answers)


def _remark(check: Mapping[str, Any]) -> Remark:
    return Remark(**{part.name: str(check.get(part.name) or "") for part in fields(Remark)})
