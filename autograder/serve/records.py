"""The records of a server: tokens, hand-ins, and the answer to each.

They are a SQLite file in the course folder. A hand-in is acknowledged when its row is on the disk,
so a server that is killed at any moment finds all that it has acknowledged when it starts again.
"""

import fcntl
import json
import os
import secrets
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any

from autograder.notebook.submitted_files import NBGRADERS_FILES
from autograder.system import Trouble

FILE = ".autograder-serve.db"
# SQLite waits until a row is on the disk, and lets others read meanwhile. `files` is NULL if the
# files are in `submitted/` already. `told` is the answer as JSON, or NULL until there is one.
# `bits` is the number of results of hidden tests that the answer gave away. `is_recorded` is also
# true if the gradebook has a later hand-in instead.
_SCHEMA = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
CREATE TABLE IF NOT EXISTS tokens (
    digest VARCHAR(64) NOT NULL PRIMARY KEY, student VARCHAR(128) NOT NULL
);
CREATE INDEX IF NOT EXISTS ix_tokens_student ON tokens (student);
CREATE TABLE IF NOT EXISTS handins (
    id INTEGER NOT NULL PRIMARY KEY, door VARCHAR(16) NOT NULL, student VARCHAR(128) NOT NULL,
    assignment VARCHAR(128) NOT NULL, at VARCHAR(32) NOT NULL, digest VARCHAR(64) NOT NULL,
    files BLOB, told VARCHAR, bits INTEGER NOT NULL, is_recorded BOOLEAN NOT NULL
);
"""

Files = Mapping[str, bytes]
"""The files of a hand-in: name → content."""


@dataclass(frozen=True)
class HandedIn:
    """One hand-in in the records.

    `door` is `http`, `exchange` or `folder`. `digest` is a hash of the files. `at` is the time in
    UTC. `told` is the answer that the student can read, or `None` if there is none yet.
    """

    id: int
    door: str
    student: str
    assignment: str
    digest: str
    at: datetime
    told: dict[str, Any] | None


def digest_of_files(files: Files) -> str:
    """Return a digest, a hash of names and contents; only equal files have the same digest."""
    return digest_of({name: sha256(data).hexdigest() for name, data in files.items()})


def digest_of(digests: Mapping[str, str]) -> str:
    """Return the digest of files; `digests` is a dictionary: name → SHA-256 of the content."""
    return sha256(json.dumps(sorted(digests.items())).encode()).hexdigest()


class Records:
    """The records in a course folder, for any thread. All methods may raise `sqlite3.Error`."""

    def __init__(self, root: Path) -> None:
        self.path = root / FILE
        self._one_at_a_time = Lock()
        try:
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))  # read by the owner only
            self._db = sqlite3.connect(self.path, timeout=60, check_same_thread=False)
            self._db.executescript(_SCHEMA)
        except (OSError, sqlite3.Error) as error:
            raise Trouble(f"{self.path} cannot be used: {error}") from error

    def new_tokens(self, students: Iterable[str]) -> dict[str, str]:
        """Replace the tokens of students; return a dictionary from students to new tokens.

        Only the digests of tokens are kept.
        """
        made = {student: secrets.token_urlsafe(24) for student in students}
        with self._one_at_a_time, self._db:
            self._db.executemany("DELETE FROM tokens WHERE student = ?", ((one,) for one in made))
            rows = [(_hashed(token), student) for student, token in made.items()]
            self._db.executemany("INSERT INTO tokens (digest, student) VALUES (?, ?)", rows)
        return made

    def revoke(self, students: Sequence[str]) -> list[str]:
        """Make the tokens of students invalid; return the students who had one."""
        delete = "DELETE FROM tokens WHERE student = ? RETURNING student"
        return [student for one in students for (student,) in self._do(delete, one)]

    def student_of(self, token: str) -> str | None:
        """Return the student to whom a token was given, or `None` if it is not valid."""
        found = self._do("SELECT student FROM tokens WHERE digest = ?", _hashed(token))
        return found[0][0] if found else None

    def has_tokens(self) -> set[str]:
        """Return the students who have a valid token."""
        return {student for (student,) in self._do("SELECT student FROM tokens")}

    def add(
        self, door: str, student: str, assignment: str, digest: str, files: Files | None
    ) -> HandedIn:
        """Write a hand-in to the disk; return it. `files` is `None` if `submitted/` has them."""
        packed = None
        if files is not None:  # one line of JSON with names and sizes, then the contents
            head = json.dumps({name: len(data) for name, data in files.items()})
            packed = head.encode() + b"\n" + b"".join(files.values())
        at = datetime.now(UTC).isoformat(timespec="microseconds")
        [(number,)] = self._do(
            "INSERT INTO handins (door, student, assignment, at, digest, files, bits, is_recorded)"
            " VALUES (?, ?, ?, ?, ?, ?, 0, 0) RETURNING id",
            *(door, student, assignment, at, digest, packed),
        )
        return self.get(number)

    def get(self, number: int) -> HandedIn:
        """Return a hand-in by its number. Raise `LookupError` if there is none."""
        return self._handed_in("id = ?", number)[0]

    def files(self, number: int) -> dict[str, bytes]:
        """Return the files of a hand-in that came by HTTP."""
        [(packed,)] = self._do("SELECT files FROM handins WHERE id = ?", number) or [(None,)]
        head, _, rest = (packed or b"{}").partition(b"\n")
        files, start = {}, 0
        for name, size in json.loads(head).items():
            files[name] = rest[start : start + size]
            start += size
        return files

    def own_files(self, number: int) -> Files:
        """Return the student's own files of a hand-in, without those that nbgrader adds."""
        files = self.files(number)
        return {name: data for name, data in files.items() if name not in NBGRADERS_FILES}

    def of(self, student: str, assignment: str | None = None) -> list[HandedIn]:
        """Return a student's hand-ins, all or those for one assignment, the oldest first."""
        if assignment is None:
            return self._handed_in("student = ?", student)
        return self._handed_in("student = ? AND assignment = ?", student, assignment)

    def is_replaced(self, one: HandedIn) -> bool:
        """Return true if a later hand-in lies in `submitted/` in place of this one."""
        every = self.of(one.student, one.assignment) if one.door != "http" else []
        return any(each.id > one.id and each.door != "http" for each in every)

    def untold(self) -> list[HandedIn]:
        """Return the hand-ins without an answer, the oldest first."""
        return self._handed_in("told IS NULL")

    def unrecorded(self) -> list[HandedIn]:
        """Return the hand-ins whose results are not in the gradebook, the oldest first."""
        return self._handed_in("NOT is_recorded")

    def tell(self, number: int, told: Mapping[str, Any], bits: int = 0) -> None:
        """Store `told`, the answer to a hand-in; it reveals the results of `bits` hidden tests."""
        text = json.dumps(told)
        self._do("UPDATE handins SET told = ?, bits = ? WHERE id = ?", text, bits, number)

    def reopen(self, number: int) -> HandedIn:
        """Delete a hand-in's answer, and note that it must be graded again; return the hand-in."""
        self._do("UPDATE handins SET told = NULL, is_recorded = 0 WHERE id = ?", number)
        return self.get(number)

    def recorded(self, numbers: Iterable[int]) -> None:
        """Note that the results of hand-ins are in the gradebook."""
        with self._one_at_a_time, self._db:
            rows = ((number,) for number in numbers)
            self._db.executemany("UPDATE handins SET is_recorded = 1 WHERE id = ?", rows)

    def told_bits(self, assignment: str) -> dict[str, tuple[int, int]]:
        """Return a dictionary: student → (number of hand-ins, number of hidden results told).

        A hidden result is the result of a hidden test.
        """
        query = "SELECT student, count(*), sum(bits) FROM handins WHERE assignment = ? GROUP BY 1"
        return {student: (count, bits) for student, count, bits in self._do(query, assignment)}

    def _handed_in(self, where: str, *values: object) -> list[HandedIn]:
        columns = "id, door, student, assignment, digest, at, told"
        query = f"SELECT {columns} FROM handins WHERE {where} ORDER BY id"
        return [
            HandedIn(
                *(number, door, student, assignment, digest, datetime.fromisoformat(at)),
                told and json.loads(told),
            )
            for number, door, student, assignment, digest, at, told in self._do(query, *values)
        ]

    def _do(self, statement: str, *values: object) -> list[Any]:
        """Run one SQL statement, wait until its effect is on the disk, and return its rows."""
        with self._one_at_a_time, self._db:
            return self._db.execute(statement, values).fetchall()


def only_one(root: Path) -> int:
    """Lock a course folder until this process ends, and return the lock's file descriptor.

    Raise `Trouble` if another server has locked the folder.
    """
    lock = os.open(root / f"{FILE}-lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise Trouble(
            f"Another autograder serve runs in {root}. One is enough: end it, or use that one."
        ) from None
    return lock


def _hashed(token: str) -> str:
    # a token is random and long, so a quick hash without salt is as safe as a slow one
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
