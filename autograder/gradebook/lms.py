"""Canvas and Moodle: tables of grades for their gradebooks, and submissions downloaded from them.

Grades are written as a table with this command, or with `lms.Moodle`:

`nbgrader export --exporter autograder.gradebook.lms.Canvas --to canvas.csv`

Canvas: the columns are the same as in Canvas's own export (canvas-lms `lib/gradebook_exporter.rb`)
and in the tests of its import (`spec/lib/gradebook_importer_spec.rb`). Canvas finds a student by
`ID`; if that is empty, by `SIS User ID`; and if that is empty, too, by `SIS Login ID`.

Moodle: its import ("Grade import" in MoodleDocs) accepts any columns. It finds a user by `Email
address`, `ID number` or `Username`, and a grade item by the name of its column.

Submissions are downloaded as a zip file. Put it into `downloaded/LESSON/archive/`, and collect the
submissions with this command:

`nbgrader zip_collect LESSON --collector=autograder.gradebook.lms.FromCourse`

Canvas names a file `lovelaceada_LATE_1234_98765_merge-a-line-1.ipynb`. The parts are the student's
sortable name in letters, digits and underscores; `LATE` if the file was late; the student's number;
the file's number; and the file's own name, in which `-1` counts how often the file was handed in
again. If the student is anonymous, the name begins with, for example, `anon_Ab12c` (canvas-lms
`lib/content_zipper.rb`: `get_filename`, `add_upload_submission`).

Moodle names a folder `Ada Lovelace_1234_assignsubmission_file`, or begins the name of a file with
this text. The parts are the student's name and a number that Moodle gave (moodle
`mod/assign/classes/downloader.php`: `get_student_prefix`, `load_submissionplugin_filelist`).
"""

import os
import re
from functools import cached_property
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.plugins import ExportPlugin, FileNameCollectorPlugin

from autograder.gradebook.read_grades import as_rows

_CANVAS = re.compile(
    r"(?:\A|/)(?:(?P<name>[^/]+?)_)??(?:LATE_)?(?P<number>\d+|anon_[^_/]+)_\d+_(?P<file>[^/]+)\Z"
)
_MOODLE = re.compile(r"(?P<name>[^_/]+)_(?P<number>\d+)_assignsubmission_file_?/?(?P<file>[^/]+)\Z")
_COPY = re.compile(r"-\d+(?=\.ipynb\Z)")  # Canvas counts repeated hand-ins
_UNUSUAL = re.compile(r"[^\w.-]+")


class _Export(ExportPlugin):  # type: ignore[misc]
    """An exporter of a CSV table: a row for each student, a column for each assignment.

    A text that a spreadsheet would run as a formula gets an apostrophe in front.
    """

    file = ""

    def export(self, gradebook: Gradebook) -> None:
        """Write the table to the path `--to`; `--assignment` and `--student` limit its content."""
        path = Path(self.to or self.file)
        named, students = set(map(str, self.assignment)), set(map(str, self.student))
        assignments = [one for one in gradebook.assignments if not named or one.name in named]
        self.log.info("Exporting grades to %s", path)
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


class FromCourse(FileNameCollectorPlugin):  # type: ignore[misc]
    """A collector for `nbgrader zip_collect`: it looks up the student of each downloaded notebook.

    A student is looked up in the gradebook by `lms_user_id`, and then by name. A student who is not
    in the gradebook gets an id made from the name of the file, so that no file is lost.
    """

    def collect(self, submitted_file: str) -> dict[str, str] | None:
        """Return the student's id and the notebook's name for a downloaded file.

        Return `None` if the path has neither Canvas's form nor Moodle's, or if nbgrader does not
        accept the file's ending.
        """
        found = _MOODLE.search(submitted_file) or _CANVAS.search(submitted_file)
        if found is None or os.path.splitext(submitted_file)[1] not in self.valid_ext:
            return None
        called = "-".join(filter(None, [found["name"], found["number"]]))
        student = self._ids.get(found["number"]) or self._ids.get(_plain(found["name"] or ""))
        if student is None:
            student = _UNUSUAL.sub("-", called).strip(".-")
            self.log.warning("%s is not in the gradebook; collected as %s", called, student)
        is_copy = found.re is _CANVAS and found["file"] not in self._notebooks
        file = _COPY.sub("", found["file"]) if is_copy else found["file"]
        return {"student_id": student, "file_id": file}

    @cached_property
    def _notebooks(self) -> set[str]:
        """The file names of the assignment's notebooks in its source folder."""
        course: Any = self.parent.coursedir
        folder = course.format_path(course.source_directory, ".", course.assignment_id)
        return {path.name for path in Path(folder).glob("*.ipynb")}

    @cached_property
    def _ids(self) -> dict[str, str]:
        """A dictionary to look up the id of a student, by `lms_user_id` and by name.

        A name that several students have is left out.
        """
        course: Any = self.parent.coursedir
        known: dict[str, str] = {}
        twice = set()
        with Gradebook(course.db_url, course.course_id) as gradebook:
            for one in gradebook.students:
                first, last = one.first_name or "", one.last_name or ""
                for name in {_plain(first + last), _plain(last + first), _plain(one.id)} - {""}:
                    twice |= {name} if known.setdefault(name, one.id) != one.id else set()
            for name in twice:
                del known[name]
            known |= {one.lms_user_id: one.id for one in gradebook.students if one.lms_user_id}
        return known


def _plain(name: str) -> str:
    """Return a name in lower case, with letters and digits only, so that names can be compared."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())
