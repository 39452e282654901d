"""Submissions that were downloaded from Canvas or Moodle, for `nbgrader zip_collect`.

`nbgrader zip_collect LESSON --collector=autograder.records.collectors.FromCourse`, with the zip
file in `downloaded/LESSON/archive/`.

Canvas names a file `lovelaceada_LATE_1234_98765_merge-a-line-1.ipynb`: the student's name, perhaps
that it was late, the student's number, the file's number, the file (canvas-lms `ContentZipper`).
Moodle names a folder, or begins a file's name with, `Ada Lovelace_1234_assignsubmission_file`: the
student's name, and a number of its own (moodle `mod/assign/classes/downloader.php`).
"""

import os
import re
from functools import cached_property
from typing import Any

from nbgrader.api import Gradebook
from nbgrader.plugins import FileNameCollectorPlugin

_CANVAS = re.compile(
    r"(?P<name>[^_/]+)_(?:LATE_)?(?P<number>\d+)_(?P<file_number>\d+)_(?P<file>[^/]+)\Z"
)
_MOODLE = re.compile(r"(?P<name>[^_/]+)_(?P<number>\d+)_assignsubmission_file_?/?(?P<file>[^/]+)\Z")
_COPY = re.compile(r"-\d+(?=\.ipynb\Z)")  # Canvas counts what is handed in again
_UNUSUAL = re.compile(r"[^\w.-]+")


class FromCourse(FileNameCollectorPlugin):  # type: ignore[misc]
    """Says of each downloaded notebook whose it is, by what the gradebook knows of the students.

    A student is known by `lms_user_id`, else by the name; somebody who is not known gets an id made
    of what the file name says, so that nothing is lost.
    """

    def collect(self, submitted_file: str) -> dict[str, str] | None:
        """Whose a file is, and which notebook; nothing for a file that is no notebook of these."""
        found = _MOODLE.search(submitted_file) or _CANVAS.search(submitted_file)
        if found is None or os.path.splitext(submitted_file)[1] not in self.valid_ext:
            return None
        name = _plain(found["name"])
        student = self._known.get(found["number"]) or self._known.get(name)
        if student is None:
            student = _UNUSUAL.sub("-", f"{found['name']}-{found['number']}").strip(".-")
            self.log.warning("%s is not in the gradebook; collected as %s", found["name"], student)
        is_canvas = found.re is _CANVAS
        file = _COPY.sub("", found["file"]) if is_canvas else found["file"]
        return {"student_id": student, "file_id": file}

    @cached_property
    def _known(self) -> dict[str, str]:
        """Number of a student, and name that only one has → id."""
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
    """A name as file names have it: small letters and digits only."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())
