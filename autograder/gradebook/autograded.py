"""The folder `autograded/`: graded notebooks, the files beside them, and what they depend on."""

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from nbgrader.converters import Autograde

from autograder.disk import at_the_end, keep_on_disk
from autograder.gradebook.cache import Dependencies
from autograder.gradebook.course_folder import CourseFolder
from autograder.gradebook.scores import Graded, scores_of
from autograder.notebook.files import (
    NBGRADERS_FILES,
    Unreadable,
    files_beside,
    read_bytes,
)
from autograder.notebook.master import Master
from autograder.notebook.writing import as_text
from autograder.submission import Verdict

_UNFINISHED = ".unfinished-"

Thing = TypeVar("Thing")
Made = TypeVar("Made")


class Autograded:
    """The graded notebooks of an assignment, in their folders; `master` is one of its notebooks."""

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
        """Put graded notebooks in place, with the files beside them: all of a student's or none.

        Return for each student the error that kept the notebooks from being written, if there was
        one; then the earlier result is still there.
        """
        made: list[Path | Exception] = []
        with at_the_end(self.clear_unfinished):
            try:
                made += [_tried(self._write, one) for one in handed_in]
                if not all(isinstance(one, Exception) for one in made):
                    keep_on_disk(self._course.autograded)  # before the first folder gets its name
                return [
                    scratch
                    if isinstance(scratch, Exception)
                    else _tried(self._put_in_place, (graded.student, scratch))
                    for graded, scratch in zip(handed_in, made, strict=True)
                ]
            finally:
                for one in made:
                    if isinstance(one, Path):
                        _discard(one)

    def clear_unfinished(self) -> None:
        """Remove what an interrupted run may have left; nobody else may be grading here."""
        for path in sorted(self._course.autograded.glob(f"{_UNFINISHED}*")):
            _discard(path)

    def _write(self, graded: Graded) -> Path:
        """Write a student's files into a new folder, and return it; they are in `new` in it."""
        root, source, master = self._course.autograded, graded.folder.path, self._master
        own, _ = files_beside(source, master.files.keys() - master.editable)  # problems are known
        files = {**master.files, **own}
        for name in NBGRADERS_FILES:
            with suppress(Unreadable):
                files[name] = read_bytes(source / name)
        for verdict, depends_on in zip(graded.verdicts, graded.dependencies, strict=True):
            files[verdict.file] = as_text(graded_notebook(verdict, depends_on)).encode()
        root.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=root))
        try:
            for name, data in files.items():
                path = scratch / "new" / name
                # a student's may be in the way of one of the master's, which comes first
                with suppress(FileExistsError, NotADirectoryError, IsADirectoryError):
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(data)
                    path.chmod(self._permissions)
        except BaseException:
            _discard(scratch)
            raise
        return scratch

    def _put_in_place(self, made: tuple[str, Path]) -> None:
        """Put a student's folder in the place of an earlier one, put back if that fails.

        Raise `FileExistsError` that names what is in the way: all that is not a real folder.
        """
        student, scratch = made
        target = self._course.graded(student, self._master.lesson)
        for place in (target, *target.parents):
            if place == self._course.autograded:
                break
            if os.path.lexists(place) and (place.is_symlink() or not place.is_dir()):
                raise FileExistsError(17, f"{place} is in the way; move it elsewhere")
        target.parent.mkdir(parents=True, exist_ok=True)
        new, old = scratch / "new", scratch / "old"
        if target.is_dir():
            target.rename(old)
        try:
            new.rename(target)
        except OSError:
            if old.exists():
                old.rename(target)
            raise


def _tried(do: Callable[[Thing], Made], thing: Thing) -> Made | Exception:
    """Return the result or the error: an error such as a full disk costs one student only."""
    try:
        return do(thing)
    except Exception as error:
        return error


def _discard(scratch: Path) -> None:
    with suppress(OSError, RecursionError):  # the next run tries again
        shutil.rmtree(scratch)


def graded_notebook(verdict: Verdict, dependencies: Dependencies) -> dict[str, Any]:
    """Return the graded notebook with what it depends on, and the scores that it stands for.

    The digest of the submission is the verdict's own: if the grader failed, it is not that of the
    real hand-in, so that the next run tries again.
    """
    notebook: dict[str, Any] = json.loads(verdict.notebook)
    metadata = notebook["metadata"].setdefault("autograder", {})
    metadata["basis"] = {**dependencies, "submission": metadata.get("digest", "")}
    metadata["scores"] = scores_of(verdict)
    return notebook
