"""Copies of a gradebook that is a file: one is made before each run that changes the gradebook.

A copy of `gradebook.db` is, for example, `gradebook-copies/000017-20261124T140211Z-grade ps1.db`.
SQLite's backup API makes the copies and brings them back. So another program, such as formgrader,
may use the gradebook meanwhile, and a crash in the middle leaves the gradebook as it was. All
functions but `gradebook_file` expect that the course folder is locked (`one_at_a_time`).
"""

import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import monotonic

from sqlalchemy.engine import make_url

from autograder.gradebook.course_folder import UNFINISHED
from autograder.gradebook.open_gradebook import explained, shown
from autograder.notebook.safe_text import printable
from autograder.system import Trouble
from autograder.system.atomic_write import scratch_folder

KEPT = 10  # copies
_TIME = "%Y%m%dT%H%M%SZ"
_NAME = re.compile(r"(\d{6,})-(\d{8}T\d{6}Z)-(.*)\.db")
_ODD = re.compile(r"[^\w .,+-]")
_LONGEST = 50  # letters of a command in the name of a file
_PATIENCE = 5.0  # seconds to wait for another program that writes
_opened = partial(sqlite3.connect, timeout=_PATIENCE)
_SHORT = 10  # names that are listed at most

_STUDENTS = "SELECT id FROM student"
_FROM = "FROM submitted_assignment AS s JOIN assignment AS a ON a.id = s.assignment_id"
_OF_NOTEBOOKS = f"""{_FROM} JOIN submitted_notebook AS sn ON sn.assignment_id = s.id
    JOIN notebook AS n ON n.id = sn.notebook_id"""
_OF_CELLS = f"""SELECT s.student_id, a.name, n.name, c.name, {{}} {_OF_NOTEBOOKS}
    JOIN {{}} AS g ON g.notebook_id = sn.id JOIN base_cell AS c ON c.id = g.cell_id WHERE {{}}"""
_SUBMISSIONS = f"SELECT s.student_id, a.name {_FROM}"
_TIMES = f"SELECT s.student_id, a.name, '', '', s.timestamp {_FROM}"
_PENALTIES = f"""SELECT s.student_id, a.name, n.name, '', sn.late_submission_penalty
    {_OF_NOTEBOOKS} WHERE coalesce(sn.late_submission_penalty, 0) != 0"""
_SCORES = _OF_CELLS.format("g.auto_score", "grade", "true")
_BY_HAND = _OF_CELLS.format(
    *("g.manual_score, g.extra_credit", "grade"),
    "g.manual_score IS NOT NULL OR coalesce(g.extra_credit, 0) != 0",
)
_COMMENTS = _OF_CELLS.format("g.manual_comment", "comment", "coalesce(g.manual_comment, '') != ''")
# For each kind of change: words for it, a query to be run in the gradebook and in a copy of it, and
# which rows of the two results count. "came": only the gradebook has the row. "went": only the copy
# has it. "both": each has a row about the same cell or submission, and the two rows differ.
# "either": the row came or went.
_CHANGES = (
    ("students added", _STUDENTS, "came"),
    ("students removed", _STUDENTS, "went"),
    ("submissions entered", _SUBMISSIONS, "came"),
    ("submissions taken out", _SUBMISSIONS, "went"),
    ("submissions handed in at another time", _TIMES, "both"),
    ("late penalties that changed", _PENALTIES, "either"),
    ("cells to which the grader gave another score", _SCORES, "both"),
    ("cells whose score by hand changed", _BY_HAND, "either"),
    ("cells whose comment by hand changed", _COMMENTS, "either"),
)


@dataclass(frozen=True)
class GradebookCopy:
    """A copy of a gradebook; `command` is the command of `autograder` before which it was made."""

    path: Path
    number: int
    time: datetime
    command: str

    def __str__(self) -> str:
        local = self.time.astimezone().strftime("%Y-%m-%d %H:%M:%S")
        return f"from {local}, before autograder {self.command}"


def gradebook_file(address: str) -> Path:
    """Return the path of the gradebook with this URL. Raise `Trouble` if it is no SQLite file."""
    with explained(address):
        url = make_url(address)
    path = url.database or ""
    if url.get_backend_name() != "sqlite" or path in ("", ":memory:") or path.startswith("file:"):
        raise Trouble(
            f"The gradebook {shown(address)} is no SQLite file, so autograder keeps no copies of "
            "it: bring it back from the backups of its own database (PostgreSQL: pg_restore)."
        )
    return Path(path).absolute()


@contextmanager
def copy_kept(address: str, command: str) -> Iterator[None]:
    """Copy the gradebook before a `with` block; remove the copy if the block changed nothing.

    `command` goes into the copy's name. Only the ten newest copies are kept. A gradebook that is
    not a file, or does not exist yet, is not copied. Raise `Trouble` if no copy can be made.
    """
    file = None
    with suppress(Trouble):
        file = gradebook_file(address)
    if file is None or not file.exists() or not file.stat().st_size:
        yield
        return
    copy = _keep(address, file, command)
    try:
        yield
    finally:
        with suppress(OSError, sqlite3.Error):  # if this fails, there is a copy too many
            if _is_same(copy, file):
                copy.unlink()
            for old in copies_of(address)[KEPT:]:
                old.path.unlink()


def copies_of(address: str) -> list[GradebookCopy]:
    """Return the copies of a gradebook, the newest first."""
    found = []
    for path in _folder(gradebook_file(address)).glob("*.db"):
        if match := _NAME.fullmatch(path.name):
            time = datetime.strptime(match[2], _TIME).replace(tzinfo=UTC)
            found.append(GradebookCopy(path, int(match[1]), time, match[3]))
    return sorted(found, key=lambda copy: -copy.number)


def ways_back(address: str) -> list[GradebookCopy]:
    """Return copies that differ from the gradebook, newest first; raise `Trouble` if none does."""
    file = gradebook_file(address)
    with explained(address):
        found = [copy for copy in copies_of(address) if not _is_same(copy.path, file)]
    if not found:
        raise Trouble(
            f"There is nothing to bring back: no copy in {_folder(file)} differs from the "
            "gradebook. autograder grade keeps one before each run that changes a gradebook that "
            "is there."
        )
    return found


def done_since(address: str, copy: GradebookCopy) -> list[str]:
    """Return a few words on each kind of change to the gradebook since `copy` was made."""
    file = gradebook_file(address)
    if not file.exists():
        return ["the gradebook was removed"]
    if not _is_gradebook(file):
        return ["the gradebook was damaged; it cannot be read any more"]
    told = []
    with explained(address), closing(_opened(copy.path)) as old, closing(_opened(file)) as new:
        for words, query, side in _CHANGES:
            before, after = (set(one.execute(query).fetchall()) for one in (old, new))
            came, went = ({row[:4] for row in rows} for rows in (after - before, before - after))
            sides = {"came": came, "went": went, "both": came & went, "either": came | went}
            if found := sides[side]:
                names = sorted({printable(str(row[0])) for row in found})  # the students
                more = f" and {len(names) - _SHORT} more" if len(names) > _SHORT else ""
                told.append(f"{words}: {len(found)} ({', '.join(names[:_SHORT])}{more})")
    return told or ["something that is no score, such as a due date or the cells of an assignment"]


def bring_back(address: str, copy: GradebookCopy) -> None:
    """Put a copy in place of the gradebook, and keep the replaced gradebook as the newest copy.

    The copy that was put back is no longer among the copies. If the gradebook is damaged, it is not
    kept as a copy, but moved to the folder of the copies. Raise `Trouble` if the copy cannot be
    brought back; then the gradebook is as it was, unless it was damaged.
    """
    file = gradebook_file(address)
    if file.exists() and _is_gradebook(file):
        _keep(address, file, "undo")
    elif file.exists():  # it is damaged
        when = datetime.now(UTC).strftime(_TIME)
        for ending in ("", "-journal", "-wal", "-shm"):  # also SQLite's own files beside it
            path = file.with_name(file.name + ending)
            if path.exists():
                path.rename(_folder(file) / f"damaged-{when}-{path.name}")
    is_new = not file.exists()
    with explained(address):
        _back_up(copy.path, file)
    if is_new:
        shutil.copymode(copy.path, file)
    with suppress(OSError):
        copy.path.unlink()


def _keep(address: str, file: Path, command: str) -> Path:
    """Copy the gradebook, and return the copy's path. Remove the previous copy if it is equal."""
    folder, copies = _folder(file), copies_of(address)
    number = copies[0].number + 1 if copies else 1
    command = _ODD.sub("_", command)[:_LONGEST]
    path = folder / f"{number:06}-{datetime.now(UTC).strftime(_TIME)}-{command}.db"
    try:
        folder.mkdir(exist_ok=True)
        for left in folder.glob(f"{UNFINISHED}*"):  # left by a run that was killed
            shutil.rmtree(left, ignore_errors=True)
        with explained(address), scratch_folder(UNFINISHED, folder) as place:
            _back_up(file, place / path.name)
            shutil.copymode(file, place / path.name)
            (place / path.name).rename(path)
            if copies and _is_same(copies[0].path, path):
                copies[0].path.unlink()
    except OSError as error:
        raise Trouble(
            f"No copy of the gradebook can be kept in {folder}: {error.strerror}. Mend that, then "
            "try again; nothing was changed."
        ) from error
    return path


def _folder(file: Path) -> Path:
    return file.with_name(f"{file.stem}-copies")


def _back_up(source: Path, target: Path) -> None:
    """Make the database `target` equal to `source`, in one transaction.

    Raise `sqlite3.OperationalError` if another program keeps one of the two locked; SQLite's
    `backup` alone would wait for ever.
    """
    end = monotonic() + _PATIENCE

    def give_up(status: int, _remaining: int, _total: int) -> None:
        is_waiting = status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
        if is_waiting and monotonic() > end:
            raise sqlite3.OperationalError("database is locked")

    with closing(_opened(source)) as old, closing(_opened(target)) as new:
        old.backup(new, progress=give_up)


def _is_gradebook(file: Path) -> bool:
    """Return true if a file is an undamaged database with tables.

    Raise `sqlite3.Error` if it is locked.
    """
    try:
        with closing(_opened(file)) as database:
            is_whole = database.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
            return is_whole and bool(database.execute("SELECT 1 FROM sqlite_master").fetchone())
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        return False


def _is_same(copy: Path, file: Path) -> bool:
    """Return true if two databases have the same tables with the same rows."""
    if not file.exists():
        return False
    try:
        with closing(_opened(copy)) as database:
            database.execute("ATTACH ? AS other", (str(file),))
            both = ("main", "other")
            kinds = "SELECT name, sql FROM {}.sqlite_master WHERE type = 'table' ORDER BY name"
            mine, others = (database.execute(kinds.format(one)).fetchall() for one in both)
            return mine == others and not any(
                database.execute(
                    f'SELECT * FROM {one}."{table}" EXCEPT SELECT * FROM {other}."{table}" LIMIT 1'
                ).fetchone()
                for table, _ in mine
                for one, other in (both, both[::-1])
            )
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:  # one of the two is damaged
        return False
