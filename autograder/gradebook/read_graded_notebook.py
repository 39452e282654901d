"""Reading of the grader's notes in graded notebooks, and hiding of what students may not see."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from nbformat.v4 import new_output
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool

from autograder.gradebook.course_folder import delimiters
from autograder.grading_data import Difference, Outcome
from autograder.groups.group_names_file import Named, read_names

_LATER = "What stood here was shown after a hidden test had begun; it is left out."
_WITHHELD = "A hidden test did not hold. What it asks is not shown."

# For example ("1-merge-a-line", "merge-once").
Key = tuple[str, str]
"""A cell: the name of its notebook without `.ipynb`, and the cell's own name, its `grade_id`."""


@dataclass(frozen=True)
class Remark:
    """The grader's notes on one check.

    `misconception` is the id of a known mistake or of a named group, `mistake` its title, and
    `hint` a hint on it. `told` is the part of the check's message that the student may read. If
    `is_protected` is false, the student's code may have changed the result.
    """

    outcome: str = ""
    misconception: str = ""
    mistake: str = ""
    hint: str = ""
    told: str = ""
    is_protected: bool = True
    difference: Difference | None = None


@dataclass(frozen=True)
class Notes:
    """The grader's notes on one submission: everything but its scores.

    `problems` is notebook → sentences on what was repaired or could not be read. `unreadable` has
    only the notebooks of which nothing could be graded: notebook → why. If there are several
    notebooks, all these sentences begin with a notebook's name. `seconds` is how long grading took,
    or `None` if another program graded. `answers` are the sources of the cells that the student
    wrote.
    """

    problems: Mapping[str, Sequence[str]] = field(default_factory=dict)
    unreadable: Mapping[str, str] = field(default_factory=dict)
    seconds: float | None = None
    remarks: Mapping[Key, Remark] = field(default_factory=dict)
    answers: Mapping[Key, str] = field(default_factory=dict)

    @property
    def all_problems(self) -> list[str]:
        """The problems of all notebooks."""
        return [problem for ones in self.problems.values() for problem in ones]


def read_notes(folder: Path, named: Mapping[str, Named], shows_hidden: bool = False) -> Notes:
    """Return the notes in a folder of graded notebooks.

    `named` is a dictionary from ids of groups of wrong programs to the names of the groups. If
    `shows_hidden` is true, each check's `told` is the whole message, hidden tests included.
    """
    problems: dict[str, list[str]] = defaultdict(list)
    unreadable: dict[str, str] = {}
    remarks: dict[Key, Remark] = {}
    answers: dict[Key, str] = {}
    seconds = None
    texts = "outcome", "misconception", "mistake", "hint", "told"
    paths = sorted(folder.glob("*.ipynb"))
    for path in paths:
        before = f"{path.name}: " if len(paths) > 1 else ""
        try:
            notebook = json.loads(path.read_text(encoding="utf-8"))
            noted = notebook["metadata"].get("autograder", {})
            problems[path.stem] += (f"{before}{one}" for one in noted.get("problems", []))
            if not noted.get("is_readable", True):
                unreadable[path.stem] = problems[path.stem][0]
            if "seconds" in noted:
                seconds = (seconds or 0.0) + noted["seconds"]
            for check in noted.get("checks", ()):
                check = with_name(check, named)
                words: dict[str, Any] = {name: str(check.get(name) or "") for name in texts}
                if check.get("difference"):
                    found = {name: str(text) for name, text in check["difference"].items()}
                    words["difference"] = Difference(**found)
                is_protected = bool(check.get("is_protected", True))
                remarks[path.stem, check["id"]] = Remark(**words, is_protected=is_protected)
            for cell in notebook["cells"]:
                marks = cell["metadata"].get("nbgrader", {})
                key = path.stem, marks.get("grade_id", "")
                if marks.get("solution"):
                    answers[key] = "".join(cell["source"])
                elif shows_hidden and key in remarks:
                    lines = [line for one in cell["outputs"] for line in one.get("traceback", ())]
                    remarks[key] = replace(remarks[key], told="\n".join(lines))
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            problems[path.stem].append(
                f"{path.name} in {folder} cannot be read ({type(error).__name__})"
            )
    return Notes(problems, unreadable, seconds, remarks, answers)


def with_name(check: Mapping[str, Any], named: Mapping[str, Named]) -> Mapping[str, Any]:
    """Return the notes on a check; if they name no mistake, add the name of the check's group."""
    group = (check.get("difference") or {}).get("group", "")
    if check.get("mistake") or group not in named:
        return check
    return {**check, "misconception": group, **named[group]._asdict()}


class Withhold(NbGraderPreprocessor):  # type: ignore[misc]
    """A preprocessor that keeps hidden tests out of the pages that nbgrader makes for students.

    It cuts hidden lines from all cells, and replaces the output of a test by the part of its
    message that the student may read. If another program graded the notebook, a fixed sentence
    replaces the outputs of the first cell with hidden tests, and of all cells below that cell.
    """

    show_hidden = Bool(False, help="True shows hidden tests, and what they ask, to students.").tag(
        config=True
    )

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Return the notebook as its student may see it, and the `resources`."""
        if self.show_hidden:
            return nb, resources
        visible = delimiters(self)
        checks = nb.metadata.get("autograder", {}).get("checks")
        said: dict[str, str] = {}
        names = read_names(Path(CourseDirectory(parent=self).root)) if checks else {}
        named = names.get(resources.get("nbgrader", {}).get("assignment", ""), {})
        for check in (with_name(one, named) for one in checks or ()):
            hint = f"\n{check['mistake']}\nHint: {check['hint']}" if check["hint"] else ""
            # a test that passed with a part of its points has nothing that is withheld
            unsaid = "" if check["outcome"] == Outcome.PASSED else _WITHHELD
            said[check["id"]] = check["told"] or f"{unsaid}{hint}".lstrip()
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
                text = said.get(marks["grade_id"], _WITHHELD)
                cell.outputs = _error(text) if text else []
        return nb, resources


def _error(message: str) -> list[Any]:
    """Return the outputs of a cell whose test failed, in nbformat's form."""
    lines = message.splitlines()
    return [new_output("error", ename="CheckFailed", evalue=lines[0], traceback=lines)]  # type: ignore[no-untyped-call]
