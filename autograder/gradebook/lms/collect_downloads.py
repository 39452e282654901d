"""Submissions that were downloaded from Canvas or Moodle: a student is found for each file.

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

from nbgrader.api import Gradebook
from nbgrader.plugins import FileNameCollectorPlugin

_CANVAS = re.compile(
    r"(?:\A|/)(?:(?P<name>[^/]+?)_)??(?:LATE_)?(?P<number>\d+|anon_[^_/]+)_\d+_(?P<file>[^/]+)\Z"
)
_MOODLE = re.compile(r"(?P<name>[^_/]+)_(?P<number>\d+)_assignsubmission_file_?/?(?P<file>[^/]+)\Z")
_COPY = re.compile(r"-\d+(?=\.ipynb\Z)")  # Canvas counts repeated hand-ins
_UNUSUAL = re.compile(r"[^\w.-]+")


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
