"""`nbgrader autograde` and formgrader's button, changed so that no earlier result is lost.

nbgrader itself removes a graded copy before it knows that it can make another, and sees a notebook
only under its own name at the top of a submission.
"""

import glob
import os
import shutil
import tempfile
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import nbgrader.apps.api
import nbgrader.apps.autogradeapp
from nbgrader.converters import Autograde as NbgraderAutograde
from nbgrader.converters.base import BaseConverter, NbGraderException

from autograder.gradebook.autograded import UNFINISHED
from autograder.gradebook.beside import Bounds, copy_beside
from autograder.gradebook.locks import one_at_a_time
from autograder.gradebook.removal import remove
from autograder.gradebook.timestamp import exchange_zone, read_timestamp
from autograder.jail.bubblewrap import JailMissing, bwrap
from autograder.trouble import Trouble


def take_the_place_of_nbgraders() -> None:
    """Make nbgrader's programs grade with `Autograde`, for which nbgrader has no setting."""
    nbgrader.apps.autogradeapp.Autograde = Autograde
    nbgrader.apps.api.Autograde = Autograde
    nbgrader.apps.api.NbGraderAPI.get_submitted_timestamp = _submitted_timestamp


def _submitted_timestamp(api: Any, assignment_id: str, student_id: str) -> datetime | None:
    """Return when a student handed in, for formgrader's list, or `None` if that cannot be read.

    With nbgrader's own function, formgrader lists nobody if one time cannot be read.
    """
    course = api.coursedir
    folder = course.format_path(course.submitted_directory, student_id, assignment_id)
    return read_timestamp(Path(folder), exchange_zone(api))[0]


class _Beside(BaseConverter):  # type: ignore[misc]
    """A converter that copies what lies beside a notebook; nbgrader's own would follow links."""

    def init_assignment(self, assignment_id: str, student_id: str) -> None:
        """Copy what `autograder grade` would copy."""
        source = Path(self._format_source(assignment_id, student_id))
        target = Path(self._format_dest(assignment_id, student_id))
        for problem in copy_beside(source, target, Bounds.of(self.coursedir)):
            self.log.warning("%s: %s", student_id, problem)


class Autograde(NbgraderAutograde, _Beside):  # type: ignore[misc]
    """nbgrader's own converter, for which every folder that was handed in holds the notebook."""

    def start(self) -> None:
        """Grade; stop before anything is removed if there is no jail, or a test is not right."""
        from autograder.gradebook.preprocessors import Judge, refuse_wrong_tests  # the whole grader

        try:
            name = f"{Judge.__module__}.{Judge.__name__}"
            if not {Judge, name}.isdisjoint(self.autograde_preprocessors):
                if Judge(parent=self).confined:
                    bwrap()
                refuse_wrong_tests(self, self.coursedir, self.coursedir.assignment_id)
        except (JailMissing, Trouble) as error:
            self.log.error("%s", error)  # the program itself says nothing more
            raise NbGraderException(str(error)) from error
        super().start()

    def init_notebooks(self) -> None:
        """List the notebooks of each folder under their own names, however they were named there.

        `Repair` looks for the real file.
        """
        course = self.coursedir
        names = self._expected()
        self.notebooks: list[str] = []
        self.assignments = {
            folder: [os.path.join(folder, name) for name in names]
            for folder in glob.glob(self._format_source(course.assignment_id, course.student_id))
            if os.path.isdir(folder)
        }
        if not names or not self.assignments:
            super().init_notebooks()

    def init_destination(self, assignment_id: str, student_id: str) -> bool:
        """Return true if a submission is to be graded, after its earlier result was set aside.

        If the earlier result cannot be copied, it stays, and nothing is graded.
        """
        graded = Path(os.path.normpath(self._format_dest(assignment_id, student_id)))
        if graded.is_dir():
            copy = self._scratch / str(len(self._aside))
            try:
                shutil.copytree(graded, copy, symlinks=True)
            except (OSError, RecursionError) as error:
                self.log.error("%s stays as it is, it cannot be copied: %s", graded, error)
                return False
            self._aside[graded] = copy
        return bool(super().init_destination(assignment_id, student_id))

    def convert_notebooks(self) -> None:
        """Grade one submission after the other; if that fails for one, its earlier result stays."""
        self._aside: dict[Path, Path] = {}
        root, address = Path(self.coursedir.root), self.coursedir.db_url
        on_wait = partial(self.log.warning, "Another run is not done; waiting")
        try:
            with one_at_a_time(root, address, on_wait):
                self._convert(root / self.coursedir.autograded_directory)
        except Trouble as error:
            raise NbGraderException(str(error)) from error

    def _convert(self, autograded: Path) -> None:
        autograded.mkdir(parents=True, exist_ok=True)
        self._scratch = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=autograded))
        try:
            super().convert_notebooks()
        finally:
            for graded, copy in self._aside.items():
                if not graded.exists():
                    copy.rename(graded)
                    self.log.error("%s is the earlier result, which was put back", graded)
            remove(self._scratch)

    def _expected(self) -> list[str]:
        """Return the file names of the master's notebooks that are to be graded."""
        course = self.coursedir
        source = course.format_path(course.source_directory, ".", course.assignment_id)
        pattern = os.path.join(glob.escape(source), f"{course.notebook_id}.ipynb")
        return sorted(os.path.basename(path) for path in glob.glob(pattern))
