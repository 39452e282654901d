"""`nbgrader autograde` and formgrader's button, set up to grade as `autograder grade` does.

A submission is collected, graded and noted in its notebook by the same functions; nbgrader itself
walks through the submissions, and writes the gradebook from what it finds in the notebooks.

nbgrader's own converter removes a graded copy before it knows that it can make another, and sees a
notebook only under its own name at the top of a submission. Here, no earlier result is lost.
"""

import glob
import os
import shutil
import tempfile
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import nbformat
import nbgrader.apps.api
import nbgrader.apps.autogradeapp
from nbconvert.exporters import NotebookExporter
from nbgrader.converters import Autograde as NbgraderAutograde
from nbgrader.converters.base import BaseConverter, NbGraderException
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool
from traitlets.utils.importstring import import_item

from autograder.disk import put_file
from autograder.gradebook.autograded import UNFINISHED, copy_beside, graded_notebook, remove
from autograder.gradebook.cache import dependencies_of, shared_dependencies
from autograder.gradebook.course_folder import CourseFolder, find_own_programs
from autograder.gradebook.locks import one_at_a_time
from autograder.gradebook.planning import PlannedAssignment, plan_assignment
from autograder.jail.bubblewrap import JailMissing, bwrap
from autograder.notebook.collect import understand
from autograder.notebook.writing import as_notebook
from autograder.pipeline import grade
from autograder.trouble import Trouble

CONFIGURATION = "nbgrader_config.py"
LINES = """\
from autograder.gradebook.autograde import use_autograder
use_autograder(c)
"""
_NEW = f"""c = get_config()  # noqa: F821

{LINES}"""
_AUTOGRADE = [
    "autograder.gradebook.autograde.Judge",  # in place of nbgrader's Execute
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
_FEEDBACK = [
    "nbgrader.preprocessors.GetGrades",
    "autograder.gradebook.notes.Withhold",
    "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
]


def set_up(folder: Path) -> str:
    """Write the configuration of a course folder if there is none; return what is to be done."""
    path = folder / CONFIGURATION
    next_step = "Then look at an assignment with: autograder verify ASSIGNMENT"
    if not path.exists():
        put_file(path, _NEW)
        return f"{path} is written. {next_step}"
    if "use_autograder(c)" in path.read_text(encoding="utf-8", errors="replace"):
        return f"{path} has the lines already. {next_step}"
    lines = LINES.replace("\n", "\n    ").rstrip()
    return (
        f"{path} is there, and is not changed. Add these lines at its end:\n\n    {lines}\n\n"
        f"autograder grade works without them; with them nbgrader autograde and formgrader grade "
        f"in the jail, too. {next_step}"
    )


def use_autograder(c: Any) -> None:
    """Make nbgrader's own programs, too, run students' code in the jail and the tests outside."""
    c.Autograde.exporter_class = "autograder.gradebook.autograde.Repair"
    c.Autograde.autograde_preprocessors = _AUTOGRADE
    c.GenerateFeedback.preprocessors = _FEEDBACK
    take_the_place_of_nbgraders()
    find_own_programs()


def take_the_place_of_nbgraders() -> None:
    """Make nbgrader's programs grade with `Autograde`, for which nbgrader has no setting."""
    nbgrader.apps.autogradeapp.Autograde = Autograde
    nbgrader.apps.api.Autograde = Autograde
    nbgrader.apps.api.NbGraderAPI.get_submitted_timestamp = _submitted_timestamp


def _submitted_timestamp(api: Any, assignment_id: str, student_id: str) -> datetime | None:
    """Return when a student handed in, for formgrader's list, or `None` if that cannot be read.

    With nbgrader's own function, formgrader lists nobody if one time cannot be read.
    """
    course = CourseFolder(api)
    return course.timestamp(course.submitted(student_id, assignment_id))[0]


class Repair(NotebookExporter):
    """An exporter for `c.Autograde.exporter_class` that makes any hand-in a notebook."""

    def from_filename(self, filename: str, resources: Any = None, **kw: Any) -> Any:
        """Return a hand-in as a repaired notebook; one that nbgrader wrote stays as it is."""
        course, names = CourseFolder.of(self), resources["nbgrader"]
        folder = course.submitted(names["student"], names["assignment"])
        if Path(filename).parent != folder.path:
            return super().from_filename(filename, resources, **kw)
        planned = _planned(course, names["assignment"], Judge(parent=self).confined)
        master = planned.master_of(names["notebook"])
        repaired = as_notebook(understand(course.collect(folder, master), master), master)
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
        course, names = CourseFolder.of(self), resources["nbgrader"]
        planned = _planned(course, names["assignment"], self.confined)
        master = planned.master_of(names["notebook"])
        folder = course.submitted(names["student"], names["assignment"])
        handin = course.collect(folder, master)
        verdict = grade(handin, master, planned.conditions)
        for problem in verdict.problems:
            self.log.warning("%s: %s", names["student"], problem)
        shared = shared_dependencies(master, planned.conditions)
        graded = graded_notebook(verdict, dependencies_of(handin.digest, folder.path, shared))
        result = nbformat.from_dict(graded)  # type: ignore[no-untyped-call]
        # the sanitized notebook has nbgrader's checksums
        marks = {
            cell.metadata.nbgrader.grade_id: cell.metadata
            for cell in nb.cells
            if "grade_id" in cell.metadata.get("nbgrader", {})
        }
        for cell in result.cells:
            cell.metadata = marks.get(cell.id, cell.metadata)
        return result, resources


_last: dict[Any, PlannedAssignment] = {}


def _planned(course: CourseFolder, assignment: str, confined: bool) -> PlannedAssignment:
    """Return an assignment with its plans, worked out once until a file in its folder changes."""
    folder = course.masters(assignment)
    stamps = [(str(path), path.stat().st_mtime_ns) for path in sorted(folder.rglob("*"))]
    key = (str(folder), tuple(stamps), confined)
    if key not in _last:
        planned = plan_assignment(course, assignment, confined)
        _last.clear()
        _last[key] = planned
    return _last[key]


class _Copying(BaseConverter):  # type: ignore[misc]
    """A converter that copies what lies beside a notebook; nbgrader's own would follow links."""

    def init_assignment(self, assignment_id: str, student_id: str) -> None:
        """Copy what `autograder grade` would copy."""
        source = Path(self._format_source(assignment_id, student_id))
        target = Path(self._format_dest(assignment_id, student_id))
        for problem in copy_beside(source, target, self.coursedir):
            self.log.warning("%s: %s", student_id, problem)


class Autograde(NbgraderAutograde, _Copying):  # type: ignore[misc]
    """nbgrader's own converter, for which every folder that was handed in holds the notebook."""

    def start(self) -> None:
        """Grade; stop before anything is removed if there is no jail, or a test is not right."""
        kinds = self.autograde_preprocessors
        judge = Judge(parent=self)
        try:
            if Judge in [import_item(kind) if isinstance(kind, str) else kind for kind in kinds]:
                if judge.confined:
                    bwrap()
                with suppress(FileNotFoundError):  # nbgrader says so itself
                    course = CourseFolder(self)
                    planned = _planned(course, self.coursedir.assignment_id, judge.confined)
                    if not judge.anyway:
                        planned.refuse_wrong_tests("c.Judge.anyway = True grades by them")
        except (JailMissing, Trouble) as error:
            self.log.error("%s", error)  # the program itself says nothing more
            raise NbGraderException(str(error)) from error
        super().start()

    def init_notebooks(self) -> None:
        """List the notebooks of each folder under their own names, however they were named there.

        `Repair` looks for the real file.
        """
        course = self.coursedir
        source = course.format_path(course.source_directory, ".", course.assignment_id)
        masters = glob.glob(os.path.join(glob.escape(source), f"{course.notebook_id}.ipynb"))
        names = sorted(map(os.path.basename, masters))
        self.notebooks: list[str] = []
        self.assignments = {
            folder: [os.path.join(folder, name) for name in names]
            for folder in glob.glob(self._format_source(course.assignment_id, course.student_id))
            if os.path.isdir(folder)
        }
        if not names or not self.assignments:
            super().init_notebooks()

    def init_destination(self, assignment_id: str, student_id: str) -> bool:
        """Return true if a submission is to be graded, after its earlier result was set aside.

        If the earlier result cannot be copied, it stays, and nothing is graded.
        """
        graded = Path(os.path.normpath(self._format_dest(assignment_id, student_id)))
        if graded.is_dir():
            copy = self._scratch / str(len(self._aside))
            try:
                shutil.copytree(graded, copy, symlinks=True)
            except (OSError, RecursionError) as error:
                self.log.error("%s stays as it is, it cannot be copied: %s", graded, error)
                return False
            self._aside[graded] = copy
        return bool(super().init_destination(assignment_id, student_id))

    def convert_notebooks(self) -> None:
        """Grade one submission after the other; if that fails for one, its earlier result stays."""
        self._aside: dict[Path, Path] = {}
        course = CourseFolder(self)
        on_wait = partial(self.log.warning, "Another run is not done; waiting")
        try:
            with one_at_a_time(course.root, course.db_url, on_wait):
                self._convert(course.autograded)
        except Trouble as error:
            raise NbGraderException(str(error)) from error

    def _convert(self, autograded: Path) -> None:
        autograded.mkdir(parents=True, exist_ok=True)
        self._scratch = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=autograded))
        try:
            super().convert_notebooks()
        finally:
            for graded, copy in self._aside.items():
                if not graded.exists():
                    copy.rename(graded)
                    self.log.error("%s is the earlier result, which was put back", graded)
            remove(self._scratch)
