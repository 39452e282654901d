"""Classes that nbgrader calls, set in `nbgrader_config.py`: repair, and the judge for `Execute`."""

import json
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters import NotebookExporter
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool

from autograder.gradebook.basis import basis_of, common_basis
from autograder.gradebook.plans import conditions_for, plans_for
from autograder.gradebook.prepared import prepare
from autograder.gradebook.scores import scores_of
from autograder.jail import Conditions
from autograder.notebook.collect import Handin, collect, handin_of, understand
from autograder.notebook.master import Master
from autograder.notebook.writing import as_notebook
from autograder.pipeline import grade
from autograder.plan import troubles_of, wrong_tests
from autograder.trouble import Trouble


class Repair(NotebookExporter):
    """An exporter for `c.Autograde.exporter_class` that makes any hand-in a notebook."""

    def from_filename(self, filename: str, resources: Any = None, **kw: Any) -> Any:
        """Return a hand-in as a repaired notebook; one that nbgrader wrote stays as it is."""
        course, path = _course(self), Path(filename)
        names = resources["nbgrader"]
        if path.parent != _handed_in(course, names):
            return super().from_filename(filename, resources, **kw)
        master = find_master(self, course, names, Judge(parent=self).confined)[0]
        handin = collect(path.parent, master)
        submission = understand(handin, master)
        repaired = as_notebook(submission, master, handin.digest)
        notebook = nbformat.from_dict(repaired)  # type: ignore[no-untyped-call]
        return self.from_notebook_node(  # type: ignore[no-untyped-call]
            notebook, resources, **kw
        )


class Judge(NbGraderPreprocessor):  # type: ignore[misc]
    """A preprocessor for `c.Autograde.autograde_preprocessors`, in place of nbgrader's `Execute`.

    A check that passed has no output and one that did not has an error, so that nbgrader comes to
    the judge's scores.
    """

    confined = Bool(True, help="False runs the student's code without a jail.").tag(config=True)
    anyway = Bool(
        False, help="True grades by tests that the answer key does not pass, or the stub does."
    ).tag(config=True)

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Return the notebook with the outputs of the jail and the results of the judge."""
        names, course = resources["nbgrader"], _course(self)
        master, conditions = find_master(self, course, names, self.confined)
        remarks = nb.metadata.pop("autograder", {})
        graded = grade(_handin(nb, master, remarks), master, conditions)
        for problem in graded.problems:
            self.log.warning("%s: %s", names["student"], problem)
        result = nbformat.from_dict(json.loads(graded.notebook))  # type: ignore[no-untyped-call]
        # if the grader itself failed, the next run is to try again
        is_done = graded.is_readable or not remarks.get("is_readable", True)
        digest = remarks.get("digest", "") if is_done else ""
        common = common_basis(master, conditions)
        basis = basis_of(digest, _handed_in(course, names), common)
        result.metadata.autograder.update(digest=digest, basis=basis, scores=scores_of(graded))
        _keep_marks(result, nb)
        return result, resources


def _handed_in(course: Any, names: dict[str, str]) -> Path:
    """Return the folder that a student handed in."""
    return Path(
        course.format_path(course.submitted_directory, names["student"], names["assignment"])
    )


def _handin(notebook: Any, master: Master, remarks: Any) -> Handin:
    problems = tuple(remarks.get("problems", ()))
    if problems and not remarks.get("is_readable", True):
        return Handin(master.notebook, reason=problems[0], problems=problems[1:])
    handin = handin_of(master.notebook, json.dumps(notebook).encode())
    return replace(handin, problems=problems)


def _keep_marks(result: Any, sanitized: Any) -> None:
    """Copy the cells' metadata from the sanitized notebook, which has nbgrader's checksums."""
    marks = {
        cell.metadata.nbgrader.grade_id: cell.metadata
        for cell in sanitized.cells
        if "grade_id" in cell.metadata.get("nbgrader", {})
    }
    for cell in result.cells:
        cell.metadata = marks.get(cell.id, cell.metadata)


def _course(configurable: Any) -> Any:
    """Return the course folder of the nbgrader program that something belongs to."""
    while not hasattr(configurable, "coursedir"):
        configurable = configurable.parent
    return configurable.coursedir


_found: dict[Any, tuple[tuple[Master, ...], Conditions, list[str]]] = {}


def find_master(
    parent: Any, course: Any, names: dict[str, str], confined: bool
) -> tuple[Master, Conditions]:
    """Return the master of a notebook with its plan, and how it is run.

    Both are worked out once, until a file in the assignment's source folder changes. Raise
    `KeyError` if the assignment has no such notebook.
    """
    masters, conditions, _ = _worked_out(parent, course, names["assignment"], confined)
    return {master.notebook: master for master in masters}[f"{names['notebook']}.ipynb"], conditions


def refuse_wrong_tests(parent: Any, course: Any, assignment: str) -> None:
    """Raise `Trouble` if `verify` would find the tests themselves wrong, unless `anyway` is set."""
    judge = Judge(parent=parent)
    with suppress(FileNotFoundError):  # nbgrader says so itself
        troubles = _worked_out(parent, course, assignment, judge.confined)[2]
        if troubles and not judge.anyway:
            raise Trouble(wrong_tests(assignment, troubles, "c.Judge.anyway = True grades by them"))


def _worked_out(
    parent: Any, course: Any, assignment: str, confined: bool
) -> tuple[tuple[Master, ...], Conditions, list[str]]:
    """Return the masters with their plans, how they are run, and what is wrong with them."""
    folder = Path(course.format_path(course.source_directory, ".", assignment))
    stamps = [(str(path), path.stat().st_mtime_ns) for path in sorted(folder.rglob("*"))]
    key = (str(folder), tuple(stamps), confined)
    if key not in _found:
        notebooks = prepare(parent, course, assignment)
        conditions = conditions_for(parent, notebooks, confined)
        do = partial(grade, conditions=conditions)
        plans = plans_for(Path(course.root), notebooks, conditions, do)
        pairs = zip(plans, notebooks, strict=True)
        masters = tuple(plan.applied(one.master) for plan, one in pairs)
        _found.clear()
        _found[key] = masters, conditions, troubles_of(plans)
    return _found[key]
