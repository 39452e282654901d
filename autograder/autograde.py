"""Set-up of `nbgrader autograde` and formgrader, so that they grade as `autograder grade` does."""

import os
import re
from datetime import datetime
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Any

import nbgrader.apps.api
import nbgrader.apps.autogradeapp
from nbgrader.converters import Autograde as NbgraderAutograde
from nbgrader.converters.base import NbGraderException
from nbgrader.exchange.default import Exchange
from traitlets import Bool

from autograder.gradebook.course_folder import CourseFolder, find_own_programs
from autograder.jail import JailMissing
from autograder.system import Trouble
from autograder.system.atomic_write import put_file

CONFIGURATION = "nbgrader_config.py"
LINES = """\
from autograder.autograde import use_autograder
use_autograder(c)
"""
_COURSE_ID = 'c.CourseDirectory.course_id = "{}"\n'
_EXCHANGE = """\
# where students get notebooks and hand them in; for a class, a folder that all can reach
c.Exchange.root = {!r}
"""
_EVERYBODY = 0o777  # the mode in which nbgrader makes an exchange
_FEEDBACK = [
    "nbgrader.preprocessors.GetGrades",
    "autograder.gradebook.read_graded_notebook.Withhold",
    "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
]


def set_up(folder: Path) -> str:
    """Write the configuration file of a course folder, if there is none, and make its exchange.

    The exchange is the folder in which nbgrader hands out and collects notebooks. A course id or an
    exchange that another configuration file sets stays as it is. Return a text that says what was
    done, which lines a file that was there lacks, and what to do next. Raise `Trouble` if a
    configuration cannot be read.
    """
    path = folder / CONFIGURATION
    is_new = not path.exists()
    written = "" if is_new else path.read_text(encoding="utf-8", errors="replace")
    course = CourseFolder()
    exchange = Path(Exchange(coursedir=course.directory, parent=course.app).root)
    lines = ""
    if not course.course_id:
        lines += _COURSE_ID.format(re.sub(r"[^\w-]+", "-", folder.name).strip("-") or "course")
    if "root" not in course.app.config.Exchange and not os.access(exchange, os.W_OK):
        exchange = folder / "exchange"
        lines += _EXCHANGE.format(str(exchange))
    if "use_autograder(c)" not in written:
        lines += LINES
    if is_new:
        put_file(path, f"c = get_config()  # noqa: F821\n\n{lines}")
    done = f"{path} is written." if is_new else f"{path} has the lines already."
    if (is_new or not lines) and not exchange.exists():
        exchange.mkdir(parents=True)
        exchange.chmod(_EVERYBODY)
        done += f" The exchange {exchange} is made."
    next_step = "Then look at an assignment in source/ with: autograder verify ASSIGNMENT"
    if is_new or not lines:
        return f"{done} {next_step}"
    shown = lines.replace("\n", "\n    ").rstrip()
    return (
        f"{path} is there, and is not changed. Add these lines at its end:\n\n    {shown}\n\n"
        f"autograder grade works without them; with them nbgrader autograde and formgrader grade "
        f"in the jail, and nbgrader can release. {next_step}"
    )


def use_autograder(c: Any) -> None:
    """Make nbgrader's own programs grade in the jail, and keep hidden tests out of feedback.

    A course's `nbgrader_config.py` calls this function with its configuration `c`.
    """
    c.GenerateFeedback.preprocessors = _FEEDBACK
    # nbgrader has no settings for these classes and functions, so they are replaced
    nbgrader.apps.autogradeapp.Autograde = Autograde
    nbgrader.apps.api.Autograde = Autograde
    nbgrader.apps.api.NbGraderAPI.get_submitted_timestamp = _submitted_timestamp
    find_own_programs()


def _submitted_timestamp(api: Any, assignment_id: str, student_id: str) -> datetime | None:
    """Return when a student handed in, or `None`; nbgrader's own function fails on a bad file."""
    course = CourseFolder(api)
    return course.timestamp(course.submitted(student_id, assignment_id))[0]


class Autograde(NbgraderAutograde):  # type: ignore[misc]
    """The class that nbgrader uses in place of its own; it grades assignments with this grader."""

    confined = Bool(True, help="False runs the student's code without a jail.").tag(config=True)
    anyway = Bool(False, help="True grades by tests that the answer key does not pass.").tag(
        config=True
    )

    def start(self) -> None:
        """Grade the hand-ins, and log scores and repairs. Raise `NbGraderException` on failure."""
        # every program of nbgrader's loads this module, but only this method needs these imports
        from autograder.grade_assignment import RunOptions, grade_assignment
        from autograder.workers import make_executor

        course, assignment = CourseFolder(self), str(self.coursedir.assignment_id)
        wanted = self.coursedir.student_id  # an id, or a pattern that matches several
        folders = [
            one
            for one in course.handed_in(assignment)
            if one.student == wanted or fnmatchcase(one.student, wanted)
        ]
        executors = partial(make_executor, 1, None)
        options = RunOptions(executors, 1, self.force, self.confined, self.anyway)
        on_wait = partial(self.log.warning, "Another run is not done; waiting")
        try:
            if not folders:
                raise Trouble(f"Nothing was handed in for {assignment}")
            self.run_pre_convert_hook()
            grading = grade_assignment(course, assignment, folders, options, on_wait, int)
            self.run_post_convert_hook()
        except (JailMissing, Trouble, FileNotFoundError) as error:
            self.log.error("%s", error)  # nbgrader itself does not print the error
            raise NbGraderException(str(error)) from error
        for line in grading.graded:
            assert line.verdict is not None
            self.log.info("%s: %g of %g", line.student, line.verdict.score, line.verdict.max_score)
            for problem in line.verdict.problems:
                self.log.warning("%s: %s", line.student, problem)
        for line in grading.lines:
            if line.is_removed:
                self.log.warning(
                    "%s was removed from the course after grading; not entered again", line.student
                )
        for result in grading.results:
            if result.is_withdrawn:
                self.log.warning(
                    "%s is in the gradebook, but gone from submitted/; nothing was removed",
                    result.student,
                )
        lost = ", ".join(line.student for line in grading.lines if not line.is_recorded)
        if trouble := grading.trouble or (lost and f"Not everything was recorded of {lost}"):
            self.log.error("%s", trouble)
            raise NbGraderException(trouble)
