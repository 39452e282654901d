"""The two folders of a course by which hand-ins come: `submitted/`, and nbgrader's exchange."""

import asyncio
import logging
import os
import re
import shutil
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import Any

from watchfiles import awatch

from autograder.gradebook.course_folder import LAST_WRITTEN, UNFINISHED, CourseFolder, Folder
from autograder.notebook.submitted_files import LARGEST, Unreadable, read_bytes, walk
from autograder.serve.records import Files, HandedIn, Records, digest_of
from autograder.system import Trouble
from autograder.system.atomic_write import keep_on_disk, scratch_folder

log = logging.getLogger("autograder.serve")

_AGAIN = 5.0  # seconds until a folder is tried again
_COMING = 600.0  # seconds after which an unfinished folder in the exchange is given up
_DEPTH = 10
_MOST_FILES = 500
_MOST_BYTES = 256 * 2**20  # of all files in a folder
_TURN = 2.0  # seconds of collecting, until newer hand-ins are looked for again
_QUIET, _LONGEST = 100, 1000  # milliseconds: the pause that ends a report, the longest wait


class WatchedFolders:
    """The folders of a course, watched for hand-ins.

    `see` is called in a thread for each student's folder in `submitted/` that has changed. The
    arguments are the folder, the assignment, and true if the folder was graded before watching
    began. After the start, what is new in the exchange is collected only while `has_room` returns
    true.
    """

    def __init__(
        self,
        course: CourseFolder,
        see: Callable[[Folder, str, bool], None],
        has_room: Callable[[], bool],
    ) -> None:
        self._course, self._see, self._has_room = course, see, has_room
        self._inbound = course.exchange / "inbound"
        self._collected: set[Path] = set()
        self._failed: set[Path] = set()
        self._is_coming = False  # true: the exchange has more to be collected
        self._one_at_a_time = asyncio.Lock()
        self._submitted = course.root / str(course.directory.submitted_directory)
        self._submitted.mkdir(exist_ok=True)
        for left in self._submitted.glob(f"*/{UNFINISHED}*"):  # left by a server that was killed
            shutil.rmtree(left, ignore_errors=True)

    async def watch(self) -> None:
        """Watch both folders for ever; first look at all that is in them already."""
        # The exchange is watched, its folders are not: a student's link in them would be followed.
        await asyncio.gather(
            self._watch(self._submitted, True, self._changed),
            self._watch(self._inbound, False, self._came),
        )

    async def _watch(
        self, folder: Path, recursive: bool, changed: Callable[[list[Path] | None], object]
    ) -> None:
        """Watch a folder for ever; call `changed` first with `None`, then about once a second.

        The later calls get the paths that have changed since the last call, often none. After an
        error, watching begins again, with `None`.
        """
        is_first = True
        while True:
            try:
                while not folder.is_dir():  # an exchange that nobody has used
                    await asyncio.sleep(_AGAIN)
                async for changes in awatch(
                    folder,
                    recursive=recursive,
                    watch_filter=None,
                    step=_QUIET,
                    debounce=_LONGEST,
                    rust_timeout=_LONGEST,
                    yield_on_timeout=True,
                ):
                    async with self._one_at_a_time:
                        if is_first:  # only now, as later changes will be reported
                            is_first = False
                            await asyncio.to_thread(changed, None)
                        await asyncio.to_thread(changed, [Path(path) for _, path in changes])
            except Exception as error:  # such as a folder that cannot be watched
                log.error("the folders are looked at again, because of an error: %s", error)
                is_first = True
                await asyncio.sleep(_AGAIN)

    def _changed(self, paths: list[Path] | None) -> None:
        """Call `see` for students' folders with changed `paths`; if that is `None`, for all."""
        lessons = self._course.lessons()
        if paths is None:
            for assignment in lessons:
                for folder in self._course.handed_in(assignment):
                    self._see_one(folder, assignment, self._is_graded(folder, assignment))
            return
        # If a new folder is filled at once, a change of the folder alone may be reported.
        below = [path / lesson for path in paths for lesson in lessons if (path / lesson).is_dir()]
        found = {whose for path in (*paths, *below) if (whose := self._course.whose(path))}
        for student, assignment in sorted(found):
            if assignment in lessons:
                self._see_one(self._course.submitted(student, assignment), assignment, False)

    def _is_graded(self, folder: Folder, assignment: str) -> bool:
        """Return true if the folder was graded after its last file came."""
        with suppress(OSError):  # it was not graded, or a file is gone already
            graded = self._course.graded(folder.student, assignment).stat().st_ctime
            files = islice(walk(folder.path, _DEPTH), _MOST_FILES)
            return graded >= max(path.lstat().st_ctime for path in (folder.path, *files))
        return False

    def _came(self, paths: list[Path] | None) -> None:
        """Let nbgrader collect what is new in the exchange, as `nbgrader collect` does.

        If `paths` is `None`, watching begins; then a hand-in is new if its date is later than that
        of the student's folder in `submitted/`.
        """
        is_first = paths is None
        if not (is_first or paths or self._is_coming):
            return
        folders = set(self._inbound.iterdir())
        finished = {last for one in folders if (last := one / LAST_WRITTEN).exists()}
        self._is_coming = False
        for one in folders - {last.parent for last in finished}:
            with suppress(OSError):  # it is gone already
                self._is_coming |= one.lstat().st_ctime > time.time() - _COMING
        lessons = "|".join(map(re.escape, self._course.lessons()))
        submitted = re.compile(rf"(?P<student>[^.].*)\+(?P<assignment>{lessons})\+.+")
        new: dict[tuple[str, str], set[Path]] = {}
        for last in finished - self._collected:
            name = submitted.fullmatch(last.parent.name)
            if name and name[0].isprintable():
                new.setdefault((name["student"], name["assignment"]), set()).add(last)
        begin = time.monotonic()
        for (student, assignment), files in self._in_turn(new):
            is_late = time.monotonic() - begin > _TURN or not self._has_room()
            if is_late and not is_first:
                self._is_coming |= not files <= self._failed
                break
            came = () if is_first else {last.parent.name for last in files}
            try:
                for sentence in self._course.collect_from_exchange(assignment, student, came):
                    log.warning("%s", sentence)
            except Trouble as error:  # the others are collected, and this one with the next change
                log.error("%s of %s cannot be collected: %s", assignment, student, error)
                self._failed |= files
                continue
            self._collected |= files
            self._see_one(self._course.submitted(student, assignment), assignment, False)

    def _in_turn(self, new: Mapping[tuple[str, str], set[Path]]) -> list[tuple[Any, set[Path]]]:
        """Return the items of `new`: one of each user of this machine, then one more of each, etc.

        So nobody delays others by making many folders, even under the names of many students. Items
        that could not be collected before come last.
        """
        numbers: Counter[tuple[bool, int]] = Counter()
        order = []
        for whose, files in sorted(new.items()):
            user = -1
            with suppress(OSError):  # it is gone already
                user = max(files).parent.lstat().st_uid
            has_failed = files <= self._failed
            numbers[has_failed, user] += 1
            order.append((has_failed, numbers[has_failed, user], whose, files))
        return [(whose, files) for *_, whose, files in sorted(order, key=itemgetter(0, 1, 2))]

    def _see_one(self, folder: Folder, assignment: str, is_old: bool) -> None:
        try:
            self._see(folder, assignment, is_old)
        except Exception as error:  # the other folders are seen all the same
            log.error("%s of %s cannot be taken in: %s", assignment, folder.student, error)


def digests_in(folder: Path) -> dict[str, str]:
    """Return a dictionary from the paths of a folder's files, at most 500, to SHA-256 digests."""
    found = {}
    left = _MOST_BYTES
    is_real = folder.is_dir() and not folder.is_symlink()
    for path in islice(walk(folder, _DEPTH) if is_real else (), _MOST_FILES):
        try:
            data = read_bytes(path, min(left, LARGEST))
            left -= len(data)
        except Unreadable as error:
            data = str(error).encode()
        found[path.relative_to(folder).as_posix()] = sha256(data).hexdigest()
    return found


def write_files(files: Files, folder: Path) -> None:
    """Make a folder, which must not be there yet, and write files into it."""
    folder.mkdir(parents=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)


def put_into_submitted(course: CourseFolder, one: HandedIn, records: Records) -> None:
    """Put a hand-in that came by HTTP into `submitted/`, whole or not at all.

    An older folder that did not come by HTTP is moved to `downloaded/ASSIGNMENT/replaced/`.
    """
    folder = course.submitted(one.student, one.assignment).path
    there = digests_in(folder)
    digest = digest_of(there)
    if digest == one.digest:
        return
    kept = None
    came = [each for each in records.of(one.student, one.assignment) if each.door == "http"]
    if there and all(each.digest != digest for each in came):
        kept = course.downloads(one.assignment) / "replaced" / one.student
        kept.mkdir(parents=True, exist_ok=True)
        kept /= f"{datetime.now(UTC):%Y-%m-%d-%H-%M-%S-%f}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with scratch_folder(UNFINISHED, folder.parent) as scratch:
        write_files(records.files(one.id), scratch / "new")
        keep_on_disk(scratch)
        if os.path.lexists(folder):
            shutil.move(folder, kept or scratch / "old")
        (scratch / "new").rename(folder)
