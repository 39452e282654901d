"""Writing the folder `autograded/`: graded notebooks, and the files beside them."""

import json
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from nbgrader.converters import Autograde

from autograder.gradebook.course_folder import CourseFolder
from autograder.gradebook.scores import Graded, scores_of
from autograder.notebook.graded_notebook import as_text
from autograder.notebook.master import Master
from autograder.notebook.submitted_files import (
    NBGRADERS_FILES,
    Unreadable,
    files_beside,
    read_bytes,
)
from autograder.system.disk import at_the_end, keep_on_disk

_UNFINISHED = ".unfinished-"


class Autograded:
    """The folders of an assignment's graded notebooks, one folder for each student.

    `master` is the instructor's copy of any one of the assignment's notebooks.
    """

    def __init__(self, course: CourseFolder, master: Master) -> None:
        self._course = course
        self._master = master
        converter = Autograde(coursedir=course.directory, parent=course.app)
        self._permissions = int(str(converter.permissions), 8)

    def metadata(self, student: str, notebook: str) -> Mapping[str, Any] | None:
        """Return the grader's metadata in a student's graded notebook, or `None` if it has none."""
        try:
            path = self._course.graded(student, self._master.lesson) / notebook
            found = json.loads(path.read_text(encoding="utf-8"))["metadata"]["autograder"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return found if isinstance(found, dict) else None

    def put(self, handed_in: Sequence[Graded]) -> list[Exception | None]:
        """Write the graded notebooks of some students, with the files beside them.

        Return a list with `None` for each student whose files were written, and with the error for
        each other student. After an error, the student's earlier files are still there, and none of
        the new ones.
        """
        made: list[Path] = []
        found: dict[str, Path | Exception] = {}
        with at_the_end(self.clear_unfinished):
            try:
                for one in handed_in:
                    try:  # an error affects one student only
                        made.append(self._write(one))
                        found[one.student] = made[-1]
                    except Exception as error:
                        found[one.student] = error
                if made:
                    keep_on_disk(self._course.autograded)  # before the first folder gets its name
                return [self._put_in_place(student, one) for student, one in found.items()]
            finally:
                for scratch in made:
                    _discard(scratch)

    def clear_unfinished(self) -> None:
        """Remove the files that an interrupted run left; no other run may be grading meanwhile."""
        for path in sorted(self._course.autograded.glob(f"{_UNFINISHED}*")):
            _discard(path)

    def _write(self, graded: Graded) -> Path:
        """Write a student's files into `new/` in a new temporary folder, and return that folder."""
        root, source, master = self._course.autograded, graded.folder.path, self._master
        # the problems with these files were already listed when the hand-in was read
        own, _ = files_beside(source, master.files.keys() - master.editable)
        files = {**master.files, **own}
        for name in NBGRADERS_FILES:
            with suppress(Unreadable):
                files[name] = read_bytes(source / name)
        for verdict, depends_on in zip(graded.verdicts, graded.dependencies, strict=True):
            notebook: dict[str, Any] = json.loads(verdict.notebook)
            metadata = notebook["metadata"].setdefault("autograder", {})
            # If the grader itself failed, this is not the digest of the real hand-in, so that the
            # next run grades it again.
            metadata["basis"] = {**depends_on, "submission": metadata.get("digest", "")}
            metadata["scores"] = scores_of(verdict)
            files[verdict.file] = as_text(notebook).encode()
        root.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=root))
        try:
            for name, data in files.items():
                path = scratch / "new" / name
                # the master's files come first; a student's file in the way of one is left out
                with suppress(FileExistsError, NotADirectoryError, IsADirectoryError):
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(data)
                    path.chmod(self._permissions)
        except BaseException:
            _discard(scratch)
            raise
        return scratch

    def _put_in_place(self, student: str, made: Path | Exception) -> Exception | None:
        """Replace a student's earlier folder by the new one; if that fails, keep the earlier one.

        `made` is the folder that `_write` returned, or its error. Return the error if there is one.
        """
        if isinstance(made, Exception):
            return made
        target = self._course.graded(student, self._master.lesson)
        new, old = made / "new", made / "old"
        try:
            for place in (target, *target.parents):
                if place == self._course.autograded:
                    break
                if os.path.lexists(place) and (place.is_symlink() or not place.is_dir()):
                    raise FileExistsError(17, f"{place} is in the way; move it elsewhere")
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.is_dir():
                target.rename(old)
            new.rename(target)
        except Exception as error:
            if old.exists():
                old.rename(target)
            return error
        return None


def _discard(scratch: Path) -> None:
    with suppress(OSError, RecursionError):  # the next run tries again
        shutil.rmtree(scratch)
