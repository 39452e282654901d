"""Submissions that were downloaded from Canvas or Moodle, for `nbgrader zip_collect`.

`nbgrader zip_collect LESSON --collector=autograder.gradebook.collectors.FromCourse`, with the zip
file in `downloaded/LESSON/archive/`.

Canvas names a file `lovelaceada_LATE_1234_98765_merge-a-line-1.ipynb`: the student's sortable name
in letters, digits and underscores only, perhaps that it was late, the student's number, the file's
number, and the file's own name, in which `-1` counts what was handed in again. If students are
anonymous, it begins with `anon_Ab12c` (canvas-lms `lib/content_zipper.rb`: `get_filename`,
`add_upload_submission`).

Moodle names a folder `Ada Lovelace_1234_assignsubmission_file`, or begins a file's name with that:
the student's name, and a number of its own (moodle `mod/assign/classes/downloader.php`:
`get_student_prefix`, `load_submissionplugin_filelist`).
"""

import os
import re
from functools import cached_property
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook
from nbgrader.plugins import FileNameCollectorPlugin

_CANVAS = re.compile(
    r"(?:\A|/)(?:(?P<name>[^/]+?)_)??(?:LATE_)?(?P<number>\d+|anon_[^_/]+)_\d+_(?P<file>[^/]+)\Z"
)
_MOODLE = re.compile(r"(?P<name>[^_/]+)_(?P<number>\d+)_assignsubmission_file_?/?(?P<file>[^/]+)\Z")
_COPY = re.compile(r"-\d+(?=\.ipynb\Z)")  # Canvas counts what is handed in again
_UNUSUAL = re.compile(r"[^\w.-]+")


class FromCourse(FileNameCollectorPlugin):  # type: ignore[misc]
    """A collector that finds the student of each downloaded notebook in the gradebook.

    A student is found by `lms_user_id`, else by the name. A student who is not found gets an id
    made of what the file name says, so that nothing is lost.
    """

    def collect(self, submitted_file: str) -> dict[str, str] | None:
        """Return the student and the notebook of a file, or `None` if its name says neither."""
        found = _MOODLE.search(submitted_file) or _CANVAS.search(submitted_file)
        if found is None or os.path.splitext(submitted_file)[1] not in self.valid_ext:
            return None
        called = "-".join(filter(None, [found["name"], found["number"]]))
        student = self._known.get(found["number"]) or self._known.get(_plain(found["name"] or ""))
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
    def _known(self) -> dict[str, str]:
        """The students' ids: number of a student, or name that only one student has → id."""
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
    """Return a name as file names have it: lower-case letters and digits only."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())
