"""The course folder: where nbgrader's own configuration says that everything lies."""

import fnmatch
import glob
import os
import re
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from nbgrader.apps.baseapp import NbGrader
from nbgrader.converters import Autograde
from nbgrader.utils import parse_utc

from autograder.notebook.collect import Handin, collect
from autograder.notebook.master import Master, read_master, read_masters
from autograder.notebook.reading import Unreadable, printable, read_bytes
from autograder.submission import Verdict

_TIMESTAMP = "timestamp.txt"


@dataclass(frozen=True)
class Folder:
    """The folder that one student handed in; `student` is the id that the gradebook knows."""

    student: str
    path: Path


class CourseFolder:
    """Everything that lies on the disk: masters, what was handed in, what was graded.

    nbgrader's configuration is read from the working directory, as every `nbgrader` command does.
    """

    def __init__(self) -> None:
        self.app = NbGrader(log_level="ERROR")
        self.app.initialize([])
        self._directory = self.app.coursedir

    @property
    def root(self) -> Path:
        """The course folder itself."""
        return Path(self._directory.root)

    @property
    def source(self) -> Path:
        """The folder of the masters."""
        return Path(self._directory.format_path(self._directory.source_directory, ".", "."))

    @property
    def db_url(self) -> str:
        """Where the gradebook is."""
        return str(self._directory.db_url)

    @property
    def course_id(self) -> str:
        """The name of the course in the gradebook."""
        return str(self._directory.course_id)

    def master(self, lesson_id: str) -> Master:
        """The master of a lesson; raises `FileNotFoundError` if it is not in `source/`."""
        return read_master(lesson_id, self.source)

    def masters(self) -> tuple[Master, ...]:
        """The masters of all lessons."""
        return read_masters(self.source)

    def handed_in(self, lesson_id: str) -> list[Folder]:
        """The folders that were handed in for a lesson, one a student, in order of the ids."""
        course = self._directory
        step, excluded = course.submitted_directory, course.student_id_exclude.split(",")
        layout = course.directory_structure.format(
            nbgrader_step=glob.escape(step), student_id="*", assignment_id=glob.escape(lesson_id)
        )
        regex = course.format_path(
            re.escape(step), "(?P<student>[^/]+)", re.escape(lesson_id), escape=True
        )
        paths = sorted(glob.glob(os.path.join(glob.escape(course.root), layout)))
        found = [(re.fullmatch(regex, path), Path(path)) for path in paths]
        folders = [Folder(printable(match["student"]), path) for match, path in found if match]
        return [folder for folder in folders if folder.student not in excluded]

    def collect(self, folder: Folder, master: Master) -> Handin:
        """The notebook in a folder that was handed in; links that lead elsewhere are no folder."""
        for path in (folder.path, folder.path.parent):
            if path.is_symlink():
                return Handin(master.notebook, reason=f"the folder {path.name} is a symbolic link")
        return collect(folder.path, master)

    def timestamp(self, folder: Folder) -> tuple[datetime | None, str]:
        """When a folder was handed in, in UTC, or `None`; and what was wrong with its file."""
        if not os.path.lexists(folder.path / _TIMESTAMP):
            return None, ""
        try:
            text = read_bytes(folder.path / _TIMESTAMP).decode("ascii").strip()
            # no path: the name of a time zone may be one
            if re.fullmatch(r"[\w .,:+-]{8,64}", text):
                return parse_utc(text), ""
        except (Unreadable, ValueError, OverflowError, AttributeError, TypeError):
            pass
        return None, f"{_TIMESTAMP} could not be read; the time of handing in is not known"

    def is_graded(self, folder: Folder, handin: Handin, master: Master) -> bool:
        """This very hand-in, with this very time, was graded before."""
        done = self._autograded(folder.student, master.lesson)
        try:
            is_same = handin.digest.encode() in (done / master.notebook).read_bytes()
            return is_same and _content(done / _TIMESTAMP) == _content(folder.path / _TIMESTAMP)
        except OSError:
            return False

    def store(self, folder: Folder, graded: Verdict, master: Master) -> list[str]:
        """Puts a graded notebook, and what lay beside it, in `autograded/`: all of it or nothing.

        Returns what could not be taken along, in words.
        """
        target = self._autograded(folder.student, master.lesson)
        unfinished = self._unfinished(master.lesson) / "new"
        unfinished.mkdir(parents=True)
        (unfinished / master.notebook).write_text(graded.notebook, encoding="utf-8")
        _copy_beside(self.source / master.lesson, unfinished, self._directory)
        problems = _copy_beside(folder.path, unfinished, self._directory)
        permissions = int(str(Autograde(coursedir=self._directory, parent=self.app).permissions), 8)
        for place, _, names in os.walk(unfinished):
            for name in names:
                os.chmod(os.path.join(place, name), permissions)
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():
            target.rename(unfinished.with_name("old"))
        unfinished.rename(target)
        self.clear_unfinished(master.lesson)
        return problems

    def clear_unfinished(self, lesson_id: str) -> None:
        """Removes what an interrupted run may have left."""
        shutil.rmtree(self._unfinished(lesson_id), ignore_errors=True)

    def _autograded(self, student: str, lesson_id: str) -> Path:
        course = self._directory
        return Path(course.format_path(course.autograded_directory, student, lesson_id))

    def _unfinished(self, lesson_id: str) -> Path:
        course = self._directory
        return Path(course.root, course.autograded_directory, f".unfinished-{lesson_id}")


def _copy_beside(source: Path, target: Path, course: Any) -> list[str]:
    """Copies the files beside the notebook, as nbgrader does, but no links, pipes or giants."""
    problems = []
    left = 1000 * course.max_dir_size
    for path in _files_beside(source, course.ignore):
        name = path.relative_to(source)
        size = path.lstat().st_size
        if size > min(left, 1000 * course.max_file_size):
            problems.append(f"{printable(str(name))} was too big to be taken along")
            continue
        left -= size
        try:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            if not os.path.lexists(target / name):
                shutil.copyfile(path, target / name, follow_symlinks=False)
        except OSError as error:
            what = printable(str(name))
            problems.append(f"{what} could not be taken along: {error.strerror}")
    return problems


def _files_beside(folder: Path, ignore: list[str]) -> Iterator[Path]:
    """The regular files in a folder that are no notebooks and not ignored."""
    patterns = [*ignore, "*.ipynb"]

    def wanted(name: str) -> bool:
        return not any(fnmatch.fnmatch(name, pattern) for pattern in patterns)

    for place, folders, names in os.walk(folder):
        folders[:] = sorted(filter(wanted, folders))
        for name in sorted(filter(wanted, names)):
            path = Path(place, name)
            if stat.S_ISREG(path.lstat().st_mode):
                yield path


def _content(path: Path) -> bytes:
    try:
        return read_bytes(path)
    except Unreadable:
        return b""
