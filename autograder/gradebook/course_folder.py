"""The course folder: its masters (the instructor's notebooks), hand-ins and graded notebooks."""

import glob
import json
import os
import re
import sys
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property, lru_cache
from pathlib import Path
from pwd import getpwnam
from typing import Any

from nbgrader.apps.baseapp import NbGrader
from nbgrader.preprocessors import ClearHiddenTests

from autograder.gradebook.timestamp import parse_timestamp, read_timestamp
from autograder.notebook.find_submitted_notebook import Handin, collect, refuse_misfiled
from autograder.notebook.master import Delimiters, Master, assignments_in, names_in
from autograder.notebook.safe_text import printable
from autograder.notebook.submitted_files import copy_files
from autograder.system import Trouble
from autograder.system.atomic_write import scratch_folder

LAST_WRITTEN = "submission_secret.txt"  # nbgrader writes it last when a student submits
UNFINISHED = ".unfinished-"  # the beginning of the names of folders that are being written
_CLOCKS_DIFFER = timedelta(hours=1)  # the clocks of two machines differ by at most this
COLLECTED = "collected.json"  # a file in `downloaded/ASSIGNMENT/`


@dataclass(frozen=True)
class Folder:
    """The folder that one student handed in; `student` is the student's id in the gradebook."""

    student: str
    path: Path


def find_own_programs() -> None:
    """Put this environment's programs on the PATH, because nbgrader calls `alembic` by name."""
    programs, path = str(Path(sys.executable).parent), os.environ.get("PATH", "")
    if programs not in path.split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join([programs, path])


def delimiters(configurable: Any) -> Delimiters:
    """Return the delimiters around hidden tests, from the configuration of an nbgrader object."""
    clear = ClearHiddenTests(parent=configurable)
    return Delimiters(clear.begin_test_delimeter, clear.end_test_delimeter)


class CourseFolder:
    """A course folder: the paths of masters, hand-ins, graded notebooks and feedback.

    The paths come from the configuration of `program`, an nbgrader application. Without a
    `program`, they come from the configuration in the working directory, as for every `nbgrader`
    command. Raise `Trouble` if the configuration cannot be read.
    """

    def __init__(self, program: Any = None) -> None:
        if program is None:
            find_own_programs()
            program = NbGrader(log_level="ERROR")
            # without this, nbgrader would ignore a wrong file, and use another gradebook
            program.raise_config_file_errors = True
            try:
                program.initialize([])
            except (Exception, SystemExit) as error:  # the configuration may raise anything
                cause = f"{type(error).__name__}: {error}"
                raise Trouble(
                    f"nbgrader's configuration cannot be read ({cause}). Mend it."
                ) from error
        self.app = program
        self.directory: Any = program.coursedir  # nbgrader's own object for the course folder
        self.root = Path(self.directory.root)
        self.autograded = self.root / str(self.directory.autograded_directory)
        self.source = self.masters(".")
        self.db_url = str(self.directory.db_url)  # the address of the gradebook
        self.course_id = str(self.directory.course_id)

    @property
    def hidden(self) -> Delimiters:
        """The delimiters around hidden tests."""
        return delimiters(self.app)

    def lessons(self) -> list[str]:
        """Return the names of the assignments in `source/`."""
        return assignments_in(self.source)

    @property
    def names(self) -> dict[str, frozenset[str]]:
        """A dictionary from assignments to the ids (`grade_id`) of graded and answer cells."""
        return _names_in(self.source, version_of(self.source.glob("*/*.ipynb")))

    def masters(self, assignment: str) -> Path:
        """Return the folder of an assignment's masters, the instructor's notebooks."""
        return self._place("source", ".", assignment)

    def submitted(self, student: str, assignment: str) -> Folder:
        """Return the folder for what a student hands in; there may be no such folder yet."""
        return Folder(student, self._place("submitted", student, assignment))

    def graded(self, student: str, assignment: str) -> Path:
        """Return the folder of a student's graded notebooks."""
        return self._place("autograded", student, assignment)

    def feedback(self, student: str, assignment: str) -> Path:
        """Return the folder of the feedback for a student."""
        return self._place("feedback", student, assignment)

    def downloads(self, assignment: str) -> Path:
        """Return the folder for downloads from Canvas or Moodle; nbgrader uses the same one."""
        return self.root / "downloaded" / assignment

    def collected(self, assignment: str) -> dict[str, Any]:
        """Return the notes that `autograder collect` has written; `{}` if there are none.

        Raise `Trouble` if the file with the notes cannot be read.
        """
        path = self.downloads(assignment) / COLLECTED
        try:
            notes = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            cause = f"{path} cannot be read ({error})"
            raise Trouble(f"{cause}; move it away, collect again") from error
        return notes if isinstance(notes, dict) else {}

    def seen(self, assignment: str) -> dict[str, str]:
        """Return a dictionary from students who handed in, or may have done so, to remarks.

        A remark is shown as long as its student has no grade.
        """
        found = {}
        for one in self.collected(assignment).get("unmatched", []):
            for student in one["candidates"]:
                found[student] = f"a file came that may be theirs ({one['sender']}): {one['why']}"
        handed_in = {one.student: "handed in, not graded yet" for one in self.handed_in(assignment)}
        return found | handed_in

    def whose(self, path: Path, assignment: str | None = None) -> tuple[str, str] | None:
        """Return the student and the assignment to which a path in `submitted/` belongs.

        Return `None` if the path is in no student's folder, or in that of another assignment than
        `assignment`, if this is given.
        """
        course = self.directory
        student = "(?P<student>[^/]+)"
        named = f"(?P<assignment>{re.escape(assignment) if assignment else '[^/]+'})"
        step = re.escape(course.submitted_directory)
        regex = course.format_path(step, student, named, escape=True)
        match = re.match(f"{regex}(?:/|$)", str(path))
        if match is None or match["student"] in course.student_id_exclude.split(","):
            return None
        return match["student"], match["assignment"]

    def _place(self, step: str, student: str, assignment: str) -> Path:
        folder = getattr(self.directory, f"{step}_directory")
        return Path(self.directory.format_path(folder, student, assignment))

    def handed_in(self, assignment: str) -> list[Folder]:
        """Return the folder of each student who handed in an assignment, sorted by path."""
        course = self.directory
        layout = course.directory_structure.format(
            nbgrader_step=glob.escape(course.submitted_directory),
            student_id="*",
            assignment_id=glob.escape(assignment),
        )
        paths = sorted(glob.glob(os.path.join(glob.escape(course.root), layout)))
        owners = ((self.whose(path, assignment), path) for path in map(Path, paths))
        return [Folder(printable(owner[0]), path) for owner, path in owners if owner]

    def collect(self, folder: Folder, master: Master) -> Handin:
        """Return the hand-in in a folder; a folder that is a symbolic link counts as unreadable."""
        for path in (folder.path, folder.path.parent):
            if path.is_symlink():
                return Handin(master.notebook, reason=f"the folder {path.name} is a symbolic link")
        return refuse_misfiled(collect(folder.path, master), master, self.names)

    @cached_property
    def exchange(self) -> Path:
        """The folder of this course in nbgrader's exchange; it may not be there yet."""
        from nbgrader.exchange.default import Exchange  # takes long to load

        root = Path(Exchange(coursedir=self.directory, parent=self.app).root)
        return root / self.course_id if self.course_id else root

    def collect_from_exchange(
        self, assignment: str, student: str, new: Collection[str] = ()
    ) -> list[str]:
        """Copy a submission from the exchange to `submitted/`, as `nbgrader collect --update` does.

        `new` are the names of folders that have just come, if the caller knows them. Then only
        these folders count, and they replace an earlier hand-in, whatever their dates say. Links
        are not followed, because this program may read more than the student may. Anybody may make
        a folder with any name in the exchange. So a folder is left there if it belongs to another
        user than the student, or if its name has no date, or a date in the future. Return a
        sentence on each folder or file that was left. Raise `Trouble` if nbgrader fails.
        """
        from nbgrader.apps.api import capture_log, temp_attrs  # takes long to load
        from nbgrader.exchange.default import ExchangeCollect

        zone = _exchange_zone(self.app)

        class Whole(ExchangeCollect):  # type: ignore[misc]
            src_records: list[Any]

            def _path_to_record(self, path: str) -> dict[str, Any]:
                name = os.path.basename(path)
                date = name.removeprefix(f"{student}+{assignment}+").partition("+")[0]
                try:
                    timestamp = parse_timestamp(date, zone)
                except ValueError:
                    timestamp = datetime.max
                return {"username": student, "filename": name, "timestamp": timestamp}

            def _is_taken(self, record: Mapping[str, Any]) -> bool:
                folder = Path(self.inbound_path, record["filename"])
                if folder.is_symlink() or not (folder / LAST_WRITTEN).is_file():
                    return False
                if record["timestamp"] > datetime.now(UTC).replace(tzinfo=None) + _CLOCKS_DIFFER:
                    left.add(f"{folder} was left there: it has no date, or one in the future")
                    return False
                with suppress(KeyError):  # the student is no user of this machine
                    if self.check_owner and getpwnam(student).pw_uid != folder.stat().st_uid:
                        left.add(f"{folder} was left there: it belongs to another user")
                        return False
                return not new or record["filename"] in new

            def _sort_by_timestamp(self, records: list[Any]) -> list[Any]:
                taken = [record for record in records if self._is_taken(record)]
                return list(super()._sort_by_timestamp(taken or records))

            def init_src(self) -> None:
                super().init_src()
                found: list[Any] = self.src_records
                self.src_records = [record for record in found if self._is_taken(record)]

            def do_copy(self, src: str, dest: str, log: Any = None) -> None:
                with scratch_folder(UNFINISHED, Path(dest).parent) as scratch:
                    most = 1000 * self.coursedir.max_dir_size
                    left.update(copy_files(Path(src), scratch / "new", most))
                    super().do_copy(str(scratch / "new"), dest, log)

        def earlier(folder: str) -> datetime | None:
            return None if new else read_timestamp(Path(folder), zone)[0]

        left: set[str] = set()
        only = {"assignment_id": assignment, "student_id": glob.escape(student)}
        with temp_attrs(self.directory, **only, get_existing_timestamp=earlier):
            collector = Whole(
                coursedir=self.directory, authenticator=self._api.authenticator, parent=self.app
            )
            collector.update = True
            said = capture_log(collector)
        _succeed(said, "collect")
        return sorted(left)

    def release_feedback(self, assignment: str, student: str) -> None:
        """Run `nbgrader release_feedback` for one student; raise `Trouble` if nbgrader fails."""
        _succeed(self._api.release_feedback(assignment, student), "release_feedback")

    @cached_property
    def _api(self) -> Any:
        from nbgrader.apps.api import NbGraderAPI  # takes long to load

        return NbGraderAPI(self.directory, parent=self.app)

    def timestamp(self, folder: Folder) -> tuple[datetime | None, str]:
        """Return a pair: the time of a hand-in in UTC or `None`, and a problem with it or `""`."""
        return read_timestamp(folder.path, _exchange_zone(self.app))


def _succeed(said: Mapping[str, Any], command: str) -> None:
    if not said["success"]:
        raise Trouble(f"nbgrader {command} failed: {said.get('error') or said.get('log')}")


def version_of(files: Iterable[Path]) -> tuple[tuple[str, int, int], ...]:
    """Return the path, time and size of each file, which show if a file has changed."""
    found = []
    for file in files:
        with suppress(OSError):  # such as an editor's link to nothing, or a file just removed
            stat = file.stat()
            found.append((str(file), stat.st_mtime_ns, stat.st_size))
    return tuple(sorted(found))


@lru_cache(maxsize=1)  # called for each hand-in; `version` changes with the notebooks
def _names_in(source: Path, version: object) -> dict[str, frozenset[str]]:
    return names_in(source)


@lru_cache(maxsize=1)  # formgrader calls it for each student
def _exchange_zone(program: Any) -> str:
    """Return `Exchange.timezone` from the configuration of an nbgrader program."""
    from nbgrader.exchange.abc import Exchange  # takes long to load

    return str(Exchange(parent=program).timezone)
