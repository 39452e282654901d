"""Grading single notebook files against the masters, without the gradebook."""

from dataclasses import replace
from pathlib import Path

from autograder.course import ROOT
from autograder.gradebook.course_folder import CourseFolder
from autograder.gradebook.planning import plan_assignment
from autograder.jail import Conditions
from autograder.notebook.collect import collect, identify
from autograder.notebook.master import Master, read_assignment, read_masters
from autograder.notebook.reading import Unreadable, printable
from autograder.pipeline import grade
from autograder.submission import Verdict
from autograder.trouble import Trouble


class Checking:
    """A checker of single files, by the masters in the course folder, or else by the project's own.

    If an `assignment` is given, every file is taken for one of its notebooks. Raise `Trouble` if
    there is no master.
    """

    def __init__(self, course: CourseFolder, assignment: str | None, confined: bool) -> None:
        self._course = course
        self._confined = confined
        self._is_named = assignment is not None
        self._masters = _masters(course, assignment)
        self._planned: dict[str, tuple[dict[str, Master], Conditions]] = {}

    def verdict(self, path: Path) -> Verdict:
        """Return the verdict on one notebook file, under the assignment that it belongs to."""
        name = printable(str(path))
        try:
            is_plain = self._is_named and len(self._masters) == 1
            raw = self._masters[0] if is_plain else identify(path, self._masters)
        except Unreadable as reason:
            return Verdict(name, "", (), (str(reason),), is_readable=False)
        masters, conditions = self._found(raw)
        master = masters[raw.notebook]
        return replace(grade(collect(path, master), master, conditions), name=name)

    def _found(self, raw: Master) -> tuple[dict[str, Master], Conditions]:
        """Return an assignment's masters with their plans, by file name, and how they are run."""
        if raw.lesson not in self._planned:
            self._planned[raw.lesson] = self._plan(raw)
        return self._planned[raw.lesson]

    def _plan(self, raw: Master) -> tuple[dict[str, Master], Conditions]:
        if not (self._course.source / raw.lesson).is_dir():
            return {raw.notebook: raw}, Conditions(self._confined)
        planned = plan_assignment(self._course, raw.lesson, self._confined)
        return {master.notebook: master for master in planned.masters}, planned.conditions


def _masters(course: CourseFolder, assignment: str | None) -> tuple[Master, ...]:
    for source in (course.source, ROOT / "source"):
        try:
            if assignment is not None:
                return read_assignment(assignment, source, course.hidden)
            if found := read_masters(source, course.hidden):
                return found
        except FileNotFoundError:
            continue
    known = ", ".join(course.lessons()) or "none; run this in the course's folder"
    what = f"{assignment} in source/" if assignment else "masters in source/"
    raise Trouble(f"there are no {what}; the assignments are {known}")
