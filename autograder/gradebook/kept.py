"""The notes of a run on a submission, beyond its scores, kept in the graded notebooks."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

Key = tuple[str, str]
"""A cell: the name of its notebook, without an ending, and its own."""


@dataclass(frozen=True)
class Remark:
    """The notes on one check; `told` is the part of its message that the student may read.

    If it is not protected, the student's code may have changed what came out.
    """

    outcome: str = ""
    misconception: str = ""
    mistake: str = ""
    hint: str = ""
    told: str = ""
    is_protected: bool = True


@dataclass(frozen=True)
class Kept:
    """All that is known of one submission.

    `problems` are its repairs in words; `seconds` is how long grading took, `None` if another
    program graded it; `answers` are the sources of the cells that the student wrote.
    """

    problems: tuple[str, ...] = ()
    is_readable: bool = True
    seconds: float | None = None
    remarks: Mapping[Key, Remark] = field(default_factory=dict)
    answers: Mapping[Key, str] = field(default_factory=dict)


def read_kept(folder: Path, shows_hidden: bool = False) -> Kept:
    """Return the notes in the graded notebooks in a folder; one that cannot be read is a problem.

    If hidden tests are to be shown, the student may read the whole message of each check.
    """
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
                key = path.stem, marks.get("grade_id", "")
                if marks.get("solution"):
                    answers[key] = "".join(cell["source"])
                elif shows_hidden and key in remarks:
                    remarks[key] = replace(remarks[key], told=_message(cell))
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            problems.append(f"{path.name} in {folder} cannot be read ({type(error).__name__})")
    return Kept(tuple(problems), is_readable, seconds, remarks, answers)


def _message(cell: Mapping[str, Any]) -> str:
    """Return all that a failed check says."""
    lines = [line for output in cell["outputs"] for line in output.get("traceback", ())]
    return "\n".join(lines)


def _remark(check: Mapping[str, Any]) -> Remark:
    names = [part.name for part in fields(Remark) if part.name != "is_protected"]
    words = {name: str(check.get(name) or "") for name in names}
    return Remark(**words, is_protected=bool(check.get("is_protected", True)))
