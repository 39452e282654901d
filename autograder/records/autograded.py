"""The folder `autograded/`: graded notebooks, and what they rest on."""

import json
import os
import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from nbgrader.converters import Autograde

from autograder.disk import at_the_end, keep_on_disk
from autograder.notebook.writing import as_text
from autograder.records.basis import Basis
from autograder.records.beside import Bounds, copy_beside
from autograder.records.folder import CourseFolder, Folder
from autograder.records.removal import remove
from autograder.records.scores import scores_of
from autograder.submission import Verdict

UNFINISHED = ".unfinished-"

Thing = TypeVar("Thing")
Made = TypeVar("Made")


@dataclass(frozen=True)
class Graded:
    """A hand-in, with a verdict for each notebook and the basis that each verdict rests on."""

    folder: Folder
    verdicts: Sequence[Verdict]
    bases: Sequence[Basis]


@dataclass(frozen=True)
class _New:
    """The files written for a student that are not yet at their final place."""

    student: str
    scratch: Path
    problems: list[str]


class Autograded:
    """The graded notebooks of an assignment, in their folders.

    `assignment` is its id. Of the `editable` files beside the notebooks, a student's own count.
    """

    def __init__(self, course: CourseFolder, assignment: str, editable: Collection[str]) -> None:
        self._course = course
        self._assignment = assignment
        self._editable = editable
        self._source = course.source / assignment
        self._bounds = Bounds.of(course.directory)
        converter = Autograde(coursedir=course.directory, parent=course.app)
        self._permissions = int(str(converter.permissions), 8)

    def remarks(self, student: str, notebook: str) -> Mapping[str, Any] | None:
        """Return the remarks in a student's graded notebook, or `None` if none can be read."""
        try:
            text = (self._place(student) / notebook).read_text(encoding="utf-8")
            remarks = json.loads(text)["metadata"]["autograder"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return remarks if isinstance(remarks, dict) else None

    def put(self, handed_in: Sequence[Graded]) -> list[list[str] | Exception]:
        """Put graded notebooks in place, with the files beside them: all of a student's or none.

        Return for each student what could not be copied, in words, or the error that kept the
        notebooks from being written; then the earlier result is still there.
        """
        made: list[_New | Exception] = []
        with at_the_end(self.clear_unfinished):
            try:
                made += [_tried(self._write, one) for one in handed_in]
                if not all(isinstance(one, Exception) for one in made):
                    keep_on_disk(self._course.autograded)  # before the first folder gets its name
                return [
                    one if isinstance(one, Exception) else _tried(self._put_in_place, one)
                    for one in made
                ]
            finally:
                for one in made:
                    if not isinstance(one, Exception):
                        _discard(one.scratch)

    def _write(self, graded: Graded) -> "_New":
        root = self._course.autograded
        root.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=root))
        try:
            new = scratch / "new"
            new.mkdir()
            for verdict, basis in zip(graded.verdicts, graded.bases, strict=True):
                (new / verdict.file).write_text(_with_basis(verdict, basis), encoding="utf-8")
            source = graded.folder.path
            if self._editable:
                copy_beside(source, new, self._bounds, only=self._editable)
            copy_beside(self._source, new, self._bounds)
            problems = copy_beside(source, new, self._bounds)
            self._permit(new)
        except BaseException:
            _discard(scratch)
            raise
        return _New(graded.folder.student, scratch, problems)

    def _put_in_place(self, made: "_New") -> list[str]:
        target = self._place(made.student)
        _make_way(target.parent, self._course.autograded)
        _replace(target, made.scratch / "new", made.scratch / "old")
        return made.problems

    def clear_unfinished(self) -> None:
        """Remove what an interrupted run may have left; nobody else may be grading here."""
        with suppress(OSError):
            for path in sorted(self._course.autograded.glob(f"{UNFINISHED}*")):
                with suppress(OSError):
                    remove(path)

    def _place(self, student: str) -> Path:
        course = self._course.directory
        return Path(course.format_path(course.autograded_directory, student, self._assignment))

    def _permit(self, folder: Path) -> None:
        for place, _, names in os.walk(folder):
            for name in names:
                os.chmod(os.path.join(place, name), self._permissions)


def _tried(do: Callable[[Thing], Made], thing: Thing) -> Made | Exception:
    """Return the result or the error: an error such as a full disk costs one student only."""
    try:
        return do(thing)
    except Exception as error:
        return error


def _discard(scratch: Path) -> None:
    with suppress(OSError):  # the next run tries again
        remove(scratch)


def _with_basis(verdict: Verdict, basis: Basis) -> str:
    """Return the graded notebook with what it rests on, and the scores that it stands for.

    The digest of the submission is the verdict's own: if the grader failed, it is not that of the
    real hand-in, so that the next run tries again.
    """
    notebook = json.loads(verdict.notebook)
    remarks = notebook["metadata"].setdefault("autograder", {})
    remarks["basis"] = {**basis, "submission": remarks.get("digest", "")}
    remarks["scores"] = scores_of(verdict)
    return as_text(notebook)


def _make_way(folder: Path, root: Path) -> None:
    """Make a folder under the root, or raise `FileExistsError` that names what is in its way."""
    for place in (folder, *folder.parents):
        if place == root:
            break
        _refuse(place)
    folder.mkdir(parents=True, exist_ok=True)


def _refuse(place: Path) -> None:
    """Raise `FileExistsError` if something lies there that is not a real folder."""
    if os.path.lexists(place) and (place.is_symlink() or not place.is_dir()):
        raise FileExistsError(17, f"{place} is in the way; move it elsewhere")


def _replace(target: Path, new: Path, old: Path) -> None:
    """Put a folder in the place of another, which is put back if that fails."""
    if os.path.lexists(target):
        _refuse(target)
        target.rename(old)
    try:
        new.rename(target)
    except OSError:
        if old.exists():
            old.rename(target)
        raise
