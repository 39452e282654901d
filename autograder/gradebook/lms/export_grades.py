"""Tables of grades that Canvas's and Moodle's gradebooks can import.

A table is written with this command, or with `lms.Moodle`:

`nbgrader export --exporter autograder.gradebook.lms.Canvas --to canvas.csv`

Canvas: the columns are the same as in Canvas's own export (canvas-lms `lib/gradebook_exporter.rb`)
and in the tests of its import (`spec/lib/gradebook_importer_spec.rb`). Canvas finds a student by
`ID`; if that is empty, by `SIS User ID`; and if that is empty, too, by `SIS Login ID`. It finds an
assignment by its title, the name of the column. So the assignment must be there first, with the
same title as in nbgrader; of a title that is not there, Canvas offers to make a new assignment.

Moodle: its import ("Grade import" in MoodleDocs) accepts any columns. It finds a user by `Email
address`, `ID number` or `Username`, and a grade item by the name of its column.
"""

from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.plugins import ExportPlugin

from autograder.gradebook.read_grades import as_rows


class _Export(ExportPlugin):  # type: ignore[misc]
    """An exporter of a CSV table: a row for each student, a column for each assignment.

    A text that a spreadsheet would run as a formula gets an apostrophe in front.
    """

    file = ""
    advice = ""

    def export(self, gradebook: Gradebook) -> None:
        """Write the table to the path `--to`; `--assignment` and `--student` limit its content."""
        path = Path(self.to or self.file)
        named, students = set(map(str, self.assignment)), set(map(str, self.student))
        assignments = [one for one in gradebook.assignments if not named or one.name in named]
        self.log.info("Exporting grades to %s", path)
        if self.advice:
            self.log.info(self.advice, ", ".join(one.name for one in assignments))
        rows = self.header(assignments)
        for student in gradebook.students:
            if not students or student.id in students:
                scores = (_score(gradebook, one, student) for one in assignments)
                rows.append([*(text or "" for text in self.columns(student)), *scores])
        path.write_text(as_rows(rows), encoding="utf-8", newline="")

    def header(self, assignments: list[Any]) -> list[list[Any]]:
        """Return the rows above the rows of the students."""
        raise NotImplementedError

    def columns(self, student: Any) -> list[Any]:
        """Return the values that identify a student, for the first columns."""
        raise NotImplementedError


class Canvas(_Export):
    """An exporter for Canvas's gradebook; `lms_user_id` is the student's number in Canvas."""

    file = "canvas.csv"
    advice = "Canvas must have assignments with these titles before the import: %s"

    def header(self, assignments: list[Any]) -> list[list[Any]]:
        """Return the header row and the row of the possible points."""
        names = [one.name for one in assignments]
        return [
            ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *names],
            ["    Points Possible", *[""] * 4, *(one.max_score for one in assignments)],
        ]

    def columns(self, student: Any) -> list[Any]:
        """Return the name and the numbers of a student."""
        name = ", ".join(filter(None, [student.last_name, student.first_name]))
        return [name or student.id, student.lms_user_id, "", student.id, ""]


class Moodle(_Export):
    """An exporter for Moodle's gradebook; `lms_user_id` is the ID number in a student's profile."""

    file = "moodle.csv"

    def header(self, assignments: list[Any]) -> list[list[Any]]:
        """Return the header row."""
        names = [one.name for one in assignments]
        return [["First name", "Last name", "Username", "ID number", "Email address", *names]]

    def columns(self, student: Any) -> list[Any]:
        """Return the names, the number and the address of a student."""
        names = [student.first_name, student.last_name, student.id]
        return [*names, student.lms_user_id, student.email]


def _score(gradebook: Gradebook, assignment: Any, student: Any) -> float | str:
    """Return a student's score after the late penalty, or "" if nothing was handed in."""
    try:
        submission = gradebook.find_submission(assignment.name, student.id)
    except MissingEntry:
        return ""
    return max(0.0, float(submission.score) - float(submission.late_submission_penalty or 0.0))
