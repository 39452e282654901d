"""The notes of a run in the graded notebooks, and what of a graded notebook students may see."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from nbformat.v4 import new_output
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool

from autograder.gradebook.course_folder import delimiters

_LATER = "What stood here was shown after a hidden test had begun; it is left out."
_WITHHELD = "A hidden test did not hold. What it asks is not shown."

Key = tuple[str, str]
"""A cell: the name of its notebook, without an ending, and its own."""


@dataclass(frozen=True)
class Remark:
    """The notes on one check; `told` is the part of its message that the student may read.

    Without `is_protected`, the student's code may have changed the result.
    """

    outcome: str = ""
    misconception: str = ""
    mistake: str = ""
    hint: str = ""
    told: str = ""
    is_protected: bool = True


@dataclass(frozen=True)
class Notes:
    """All that a run noted about one submission, beyond its scores.

    `problems` are its repairs in words; `seconds` is how long grading took, `None` if another
    program graded it; `answers` are the sources of the cells that the student wrote.
    """

    problems: tuple[str, ...] = ()
    is_readable: bool = True
    seconds: float | None = None
    remarks: Mapping[Key, Remark] = field(default_factory=dict)
    answers: Mapping[Key, str] = field(default_factory=dict)


def read_notes(folder: Path, shows_hidden: bool = False) -> Notes:
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
            noted = notebook["metadata"].get("autograder", {})
            problems += noted.get("problems", [])
            is_readable &= bool(noted.get("is_readable", True))
            if "seconds" in noted:
                seconds = (seconds or 0.0) + noted["seconds"]
            for check in noted.get("checks", ()):
                remarks[path.stem, check["id"]] = _remark(check)
            for cell in notebook["cells"]:
                marks = cell["metadata"].get("nbgrader", {})
                key = path.stem, marks.get("grade_id", "")
                if marks.get("solution"):
                    answers[key] = "".join(cell["source"])
                elif shows_hidden and key in remarks:
                    lines = [line for one in cell["outputs"] for line in one.get("traceback", ())]
                    remarks[key] = replace(remarks[key], told="\n".join(lines))
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            problems.append(f"{path.name} in {folder} cannot be read ({type(error).__name__})")
    return Notes(tuple(problems), is_readable, seconds, remarks, answers)


def _remark(check: Mapping[str, Any]) -> Remark:
    names = [part.name for part in fields(Remark) if part.name != "is_protected"]
    words = {name: str(check.get(name) or "") for name in names}
    return Remark(**words, is_protected=bool(check.get("is_protected", True)))


class Withhold(NbGraderPreprocessor):  # type: ignore[misc]
    """A preprocessor for `c.GenerateFeedback.preprocessors` that keeps hidden tests out of pages.

    Test cells are as they were given out, and a failed one says only what the student may read of
    what `autograder grade` found. Of a notebook that another program graded, nothing is shown that
    was run after a hidden test had begun.
    """

    show_hidden = Bool(False, help="True shows hidden tests, and what they ask, to students.").tag(
        config=True
    )

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Return the notebook as its student may see it."""
        if self.show_hidden:
            return nb, resources
        visible = delimiters(self)
        checks = nb.metadata.get("autograder", {}).get("checks")
        said: dict[str, str] = {}
        for check in checks or ():
            hint = f"\n{check['mistake']}\nHint: {check['hint']}" if check["hint"] else ""
            said[check["id"]] = check["told"] or f"{_WITHHELD}{hint}"
        has_hidden_begun = False
        for cell in nb.cells:
            shown = visible.without_hidden(cell.source)
            has_hidden_begun |= shown != cell.source
            cell.source = shown
            if not cell.get("outputs"):
                continue
            marks = cell.metadata.get("nbgrader", {})
            if checks is None and has_hidden_begun:
                cell.outputs = _error(_LATER)
            elif checks is not None and marks.get("grade") and not marks.get("solution"):
                cell.outputs = _error(said.get(marks["grade_id"], _WITHHELD))
        return nb, resources


def _error(message: str) -> list[Any]:
    """Return the output of a cell whose test did not hold."""
    lines = message.splitlines()
    return [new_output("error", ename="CheckFailed", evalue=lines[0], traceback=lines)]  # type: ignore[no-untyped-call]
