"""Grades for Canvas and Moodle, as tables that their gradebooks import.

`nbgrader export --exporter autograder.gradebook.exports.Canvas --to canvas.csv`

Canvas: the columns are those of its own export, in canvas-lms `lib/gradebook_exporter.rb`, and of
the tests of its import, `spec/lib/gradebook_importer_spec.rb`. It finds a student by `ID`, else by
`SIS User ID`, else by `SIS Login ID`.

Moodle: "Grade import" in MoodleDocs maps any columns, a user by `Email address`, `ID number` or
`Username`, and a grade item by the name of its column.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.plugins import ExportPlugin

from autograder.gradebook.results import as_rows


class _Export(ExportPlugin):  # type: ignore[misc]
    """A table: a row for each student, a column for each assignment. No name in it is a formula."""

    file = ""

    def export(self, gradebook: Gradebook) -> None:
        """Write the table to `--to`; `--assignment` and `--student` choose what is in it."""
        path = Path(self.to or self.file)
        wanted = {str(name) for name in self.assignment}
        assignments = [one for one in gradebook.assignments if not wanted or one.name in wanted]
        self.log.info("Exporting grades to %s", path)
        rows = self.rows(gradebook, assignments)
        path.write_text(as_rows(rows), encoding="utf-8", newline="")

    def rows(self, gradebook: Gradebook, assignments: list[Any]) -> Iterator[list[Any]]:
        """Yield the rows of the table, its header first."""
        raise NotImplementedError

    def students(self, gradebook: Gradebook) -> list[Any]:
        """Return the students that are wanted."""
        wanted = {str(name) for name in self.student}
        return [one for one in gradebook.students if not wanted or one.id in wanted]


class Canvas(_Export):
    """The table for Canvas's gradebook; `lms_user_id` is its own number of a student."""

    file = "canvas.csv"

    def rows(self, gradebook: Gradebook, assignments: list[Any]) -> Iterator[list[Any]]:
        """Yield the header, the line of the possible points, then the students."""
        names = [one.name for one in assignments]
        yield ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *names]
        yield ["    Points Possible", *[""] * 4, *(one.max_score for one in assignments)]
        for student in self.students(gradebook):
            name = ", ".join(filter(None, [student.last_name, student.first_name]))
            known = [name or student.id, student.lms_user_id or "", "", student.id, ""]
            yield [*known, *(_score(gradebook, one, student) for one in assignments)]


class Moodle(_Export):
    """The table for Moodle's gradebook; `lms_user_id` is the ID number in a student's profile."""

    file = "moodle.csv"

    def rows(self, gradebook: Gradebook, assignments: list[Any]) -> Iterator[list[Any]]:
        """Yield the header, then the students."""
        names = [one.name for one in assignments]
        yield ["First name", "Last name", "Username", "ID number", "Email address", *names]
        for student in self.students(gradebook):
            known = [student.first_name, student.last_name, student.id]
            known += [student.lms_user_id, student.email]
            scores = (_score(gradebook, one, student) for one in assignments)
            yield [*(text or "" for text in known), *scores]


def _score(gradebook: Gradebook, assignment: Any, student: Any) -> float | str:
    """Return the score with late penalties taken off, or "" if nothing was handed in."""
    try:
        submission = gradebook.find_submission(assignment.name, student.id)
    except MissingEntry:
        return ""
    return max(0.0, float(submission.score) - float(submission.late_submission_penalty or 0.0))
