"""The folder `autograded/`: graded notebooks, the files beside them, and what they depend on."""

import fnmatch
import json
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

from nbgrader.converters import Autograde

from autograder.disk import at_the_end, keep_on_disk
from autograder.gradebook.cache import Dependencies
from autograder.gradebook.course_folder import CourseFolder, Folder
from autograder.gradebook.scores import scores_of
from autograder.notebook.reading import printable
from autograder.notebook.writing import as_text
from autograder.submission import Verdict
from autograder.trouble import is_full

UNFINISHED = ".unfinished-"

_DEPTH = 20  # folders within folders
_LENGTH = 1000  # characters of a name with its folders; systems take 4,095 of a whole path
_FILES = 5000
_KILOBYTE = 1000  # bytes, as nbgrader counts sizes

Thing = TypeVar("Thing")
Made = TypeVar("Made")


@dataclass(frozen=True)
class Graded:
    """A hand-in, with a verdict for each notebook and what each verdict depends on."""

    folder: Folder
    verdicts: Sequence[Verdict]
    dependencies: Sequence[Dependencies]


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
        converter = Autograde(coursedir=course.directory, parent=course.app)
        self._permissions = int(str(converter.permissions), 8)

    def metadata(self, student: str, notebook: str) -> Mapping[str, Any] | None:
        """Return the grader's metadata in a student's graded notebook, or `None` if it has none."""
        try:
            path = self._course.graded(student, self._assignment) / notebook
            found = json.loads(path.read_text(encoding="utf-8"))["metadata"]["autograder"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return found if isinstance(found, dict) else None

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

    def clear_unfinished(self) -> None:
        """Remove what an interrupted run may have left; nobody else may be grading here."""
        with suppress(OSError):
            for path in sorted(self._course.autograded.glob(f"{UNFINISHED}*")):
                _discard(path)

    def _write(self, graded: Graded) -> _New:
        root = self._course.autograded
        root.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=root))
        try:
            new = scratch / "new"
            new.mkdir()
            for verdict, depends_on in zip(graded.verdicts, graded.dependencies, strict=True):
                text = as_text(graded_notebook(verdict, depends_on))
                (new / verdict.file).write_text(text, encoding="utf-8")
            source, limits = graded.folder.path, self._course.directory
            if self._editable:
                copy_beside(source, new, limits, only=self._editable)
            copy_beside(self._course.masters(self._assignment), new, limits)
            problems = copy_beside(source, new, limits)
            for place, _, names in os.walk(new):
                for name in names:
                    os.chmod(os.path.join(place, name), self._permissions)
        except BaseException:
            _discard(scratch)
            raise
        return _New(graded.folder.student, scratch, problems)

    def _put_in_place(self, made: _New) -> list[str]:
        """Put a folder in the place of an earlier one, which is put back if that fails.

        Raise `FileExistsError` that names what is in the way: all that is not a real folder.
        """
        target = self._course.graded(made.student, self._assignment)
        for place in (target, *target.parents):
            if place == self._course.autograded:
                break
            if os.path.lexists(place) and (place.is_symlink() or not place.is_dir()):
                raise FileExistsError(17, f"{place} is in the way; move it elsewhere")
        target.parent.mkdir(parents=True, exist_ok=True)
        new, old = made.scratch / "new", made.scratch / "old"
        if target.is_dir():
            target.rename(old)
        try:
            new.rename(target)
        except OSError:
            if old.exists():
                old.rename(target)
            raise
        return made.problems


def _tried(do: Callable[[Thing], Made], thing: Thing) -> Made | Exception:
    """Return the result or the error: an error such as a full disk costs one student only."""
    try:
        return do(thing)
    except Exception as error:
        return error


def _discard(scratch: Path) -> None:
    with suppress(OSError):  # the next run tries again
        remove(scratch)


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


def copy_beside(
    source: Path, target: Path, limits: Any, only: Collection[str] | None = None
) -> list[str]:
    """Copy the files beside the notebooks; return what could not be copied, in words.

    `limits` are those of nbgrader's `CourseDirectory`: names that are left out, and sizes. Links,
    pipes, and what is too big or too deep are left out; so are names with characters that move a
    terminal, as nbgrader prints each name when it makes feedback. With `only`, all others are left
    out. What is in the target already stays. Raise `OSError` if the disk is full.
    """
    problems: list[str] = []
    left, most = (_KILOBYTE * size for size in (limits.max_dir_size, limits.max_file_size))
    for number, (path, size) in enumerate(_files(source, tuple(limits.ignore), problems)):
        name = path.relative_to(source)
        if only is not None and name.as_posix() not in only:
            continue
        if number == _FILES:
            problems.append(f"there are more than {_FILES} files; the rest were not taken along")
            break
        if size > min(left, most):
            problems.append(f"{printable(str(name))} was too big to be taken along")
            continue
        if printable(str(name)) != str(name):
            problems.append(f"{_short(str(name))} was not taken along: odd characters in its name")
            continue
        left -= size
        try:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            if not os.path.lexists(target / name):
                shutil.copyfile(path, target / name, follow_symlinks=False)
        except OSError as error:
            if is_full(error):
                raise
            problems.append(f"{printable(str(name))} could not be taken along: {error.strerror}")
    return problems


def _files(
    folder: Path, ignore: tuple[str, ...], problems: list[str]
) -> Iterator[tuple[Path, int]]:
    """Yield the regular files that are not notebooks and not ignored, with their sizes in bytes."""

    def wanted(name: str) -> bool:
        return not any(fnmatch.fnmatch(name, pattern) for pattern in (*ignore, "*.ipynb"))

    def refused(error: OSError) -> None:
        where = os.path.relpath(error.filename, folder)
        problems.append(f"{_short(where)} could not be taken along: {error.strerror}")

    for place, folders, names in os.walk(folder, onerror=refused):
        folders[:] = sorted(filter(wanted, folders))
        inside = Path(place).relative_to(folder)
        if folders and (len(inside.parts) >= _DEPTH or len(str(inside)) > _LENGTH):
            problems.append(f"what is in {_short(str(inside))} lies too deep to be taken along")
            folders.clear()
        for name in sorted(filter(wanted, names)):
            kind = os.lstat(os.path.join(place, name))
            if stat.S_ISREG(kind.st_mode):
                yield Path(place, name), kind.st_size


def _short(name: str) -> str:
    shown = printable(name)
    return shown if len(shown) <= 80 else f"{shown[:79]}…"


def remove(path: Path) -> None:
    """Remove a file, a link or a folder with all that is in it; it is no error if nothing is there.

    The folders in a folder are moved up beside it one after the other, so that no path gets too
    long for the system. Raise `OSError` for what cannot be removed.
    """
    if not os.path.lexists(path):
        return
    if path.is_symlink() or not path.is_dir():
        path.unlink()
        return
    places = (path.with_name(f"{path.name[:100]}.{number}") for number in count())
    folders = [path]
    while folders:
        folder = folders.pop()
        folder.chmod(0o700)
        for entry in list(os.scandir(folder)):
            if entry.is_dir(follow_symlinks=False):
                folders.append(next(place for place in places if not os.path.lexists(place)))
                os.chmod(entry.path, 0o700)
                os.rename(entry.path, folders[-1])
            else:
                os.unlink(entry.path)
        if folder != path:
            folder.rmdir()
    path.rmdir()
