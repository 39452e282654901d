"""Writing the folder `autograded/`: graded notebooks, and the files beside them."""

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from nbgrader.converters import Autograde

from autograder.gradebook.course_folder import UNFINISHED, CourseFolder
from autograder.gradebook.write_grades import Graded, scores_of
from autograder.notebook.make_graded_notebook import as_text
from autograder.notebook.master import Master
from autograder.notebook.submitted_files import (
    NBGRADERS_FILES,
    Unreadable,
    files_beside,
    read_bytes,
)
from autograder.system.atomic_write import keep_on_disk, scratch_folder


class Autograded:
    """The folders of an assignment's graded notebooks, one folder for each student.

    `master` is any of the instructor's notebooks for the assignment. `__init__` removes the
    unfinished folders of interrupted runs, so no other run may be grading at that time.
    """

    def __init__(self, course: CourseFolder, master: Master) -> None:
        self._course = course
        self._master = master
        converter = Autograde(coursedir=course.directory, parent=course.app)
        self._permissions = int(str(converter.permissions), 8)
        for path in sorted(course.autograded.glob(f"{UNFINISHED}*")):
            with suppress(OSError, RecursionError):  # the next run tries again
                shutil.rmtree(path)

    def metadata(self, student: str, notebook: str) -> Mapping[str, Any] | None:
        """Return the grader's metadata in a student's graded notebook; `None` if there is none."""
        try:
            path = self._course.graded(student, self._master.lesson) / notebook
            found = json.loads(path.read_text(encoding="utf-8"))["metadata"]["autograder"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return found if isinstance(found, dict) else None

    def put(self, handed_in: Sequence[Graded]) -> list[Exception | None]:
        """Write the graded notebooks of some students, with the files beside them.

        Return an error or `None` for each student. After an error, the student's old files stay.
        """
        root = self._course.autograded
        found: list[Exception | None] = []
        try:
            root.mkdir(parents=True, exist_ok=True)
            # a folder that is nested too deeply to be removed stays; the next run tries again
            with suppress(RecursionError), scratch_folder(UNFINISHED, root) as scratch:
                for number, one in enumerate(handed_in):
                    try:  # an error affects one student only
                        self._write(one, scratch / f"{number}/new")
                        found.append(None)
                    except Exception as error:
                        found.append(error)
                keep_on_disk(root)  # before the first folder gets its name
                for number, one in enumerate(handed_in):
                    found[number] = found[number] or self._put_in_place(one, scratch / f"{number}")
        except OSError as error:
            return [error] * len(handed_in)
        return found

    def _write(self, graded: Graded, folder: Path) -> None:
        """Write a student's files into a new folder."""
        source, master = graded.folder.path, self._master
        # the problems with these files were already listed when the hand-in was read
        own, _ = files_beside(source, master.files.keys() - master.editable)
        files = {**master.files, **own}
        for name in NBGRADERS_FILES:
            with suppress(Unreadable):
                files[name] = read_bytes(source / name)
        for verdict, depends_on in zip(graded.verdicts, graded.dependencies, strict=True):
            notebook: dict[str, Any] = json.loads(verdict.notebook)
            metadata = notebook["metadata"].setdefault("autograder", {})
            # If the grader itself failed, `digest` is not that of the real hand-in. So the next run
            # grades the hand-in again.
            metadata["basis"] = {**depends_on, "submission": metadata.get("digest", "")}
            metadata["scores"] = scores_of(verdict)
            files[verdict.file] = as_text(notebook).encode()
        for name, data in files.items():
            path = folder / name
            # the master's files come first; a student's file that is in their way is left out
            with suppress(FileExistsError, NotADirectoryError, IsADirectoryError):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
                path.chmod(self._permissions)

    def _put_in_place(self, graded: Graded, made: Path) -> Exception | None:
        """Replace a student's folder by the folder `made/new`; if this fails, return the error."""
        target = self._course.graded(graded.student, self._master.lesson)
        old = made / "old"
        try:
            for place in (target, *target.parents):
                if place == self._course.autograded:
                    break
                if os.path.lexists(place) and (place.is_symlink() or not place.is_dir()):
                    raise FileExistsError(17, f"{place} is in the way; move it elsewhere")
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.is_dir():
                target.rename(old)
            (made / "new").rename(target)
        except Exception as error:
            if old.exists():
                old.rename(target)
            return error
        return None
