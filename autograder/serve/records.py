"""The records of a server: tokens, hand-ins, and what was told of each.

They are a SQLite file in the course folder. A hand-in is acknowledged when its row is on the disk,
so a server that is killed at any moment finds all that it has acknowledged when it starts again.
"""

import fcntl
import json
import os
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    create_engine,
    delete,
    event,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import DatabaseError

from autograder.notebook.submitted_files import NBGRADERS_FILES
from autograder.system import Trouble

FILE = ".autograder-serve.db"
_SCHEMA = MetaData()
_TOKENS = Table(
    "tokens",
    _SCHEMA,
    Column("digest", String(64), primary_key=True),
    Column("student", String(128), nullable=False, index=True),
)
_HANDINS = Table(
    "handins",
    _SCHEMA,
    Column("id", Integer, primary_key=True),
    Column("door", String(16), nullable=False),
    Column("student", String(128), nullable=False),
    Column("assignment", String(128), nullable=False),
    Column("at", String(32), nullable=False),
    Column("digest", String(64), nullable=False),
    Column("files", LargeBinary),  # NULL if they are in `submitted/` already
    Column("told", String),  # the answer as JSON, NULL until there is one
    Column("bits", Integer, nullable=False, default=0),
    Column("is_recorded", Boolean, nullable=False, default=False),
)
_PLAIN = tuple(column for column in _HANDINS.c if column.name != "files")

Files = Mapping[str, bytes]
"""The files of a hand-in: name → content."""


@dataclass(frozen=True)
class HandedIn:
    """One hand-in in the records.

    `door` is `http`, `exchange` or `folder`. `at` is the time in UTC. `told` is the answer that the
    student can read, or `None` if there is none yet; `bits` is how many results of hidden tests the
    answer gave away. `is_recorded` is true if the result is in the gradebook, or if a later hand-in
    took the place of this one before.
    """

    id: int
    door: str
    student: str
    assignment: str
    at: datetime
    digest: str
    told: dict[str, Any] | None
    bits: int
    is_recorded: bool


def digest_of_files(files: Files) -> str:
    """Return a digest that only equal files have in common."""
    return digest_of({name: sha256(data).hexdigest() for name, data in files.items()})


def digest_of(digests: Mapping[str, str]) -> str:
    """Return the digest of files whose own digests are known: name → digest of the content."""
    return sha256(json.dumps(sorted(digests.items())).encode()).hexdigest()


class Records:
    """The records in a course folder. Any thread may use them."""

    def __init__(self, root: Path) -> None:
        self.path = root / FILE
        try:
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))  # tokens are in it
            self._engine = create_engine(f"sqlite:///{self.path}", connect_args={"timeout": 60})
            event.listen(self._engine, "connect", _safe)
            _SCHEMA.create_all(self._engine)
        except (OSError, DatabaseError) as error:
            raise Trouble(f"{self.path} cannot be used: {error}") from error

    def new_tokens(self, students: Iterable[str]) -> dict[str, str]:
        """Return a new token for each student: student → token. Only its digest is kept.

        A student's earlier tokens are not valid any more.
        """
        made = {student: secrets.token_urlsafe(24) for student in students}
        with self._engine.begin() as db:
            db.execute(delete(_TOKENS).where(_TOKENS.c.student.in_(made)))
            for student, token in made.items():
                db.execute(insert(_TOKENS).values(digest=_hashed(token), student=student))
        return made

    def revoke(self, students: Sequence[str]) -> list[str]:
        """Make the tokens of students invalid; return the students that had one."""
        those = _TOKENS.c.student.in_(students)
        with self._engine.begin() as db:
            had = list(db.scalars(select(_TOKENS.c.student).where(those)))
            db.execute(delete(_TOKENS).where(those))
        return had

    def student_of(self, token: str) -> str | None:
        """Return the student to whom a token was given, or `None` if it is not valid."""
        query = select(_TOKENS.c.student).where(_TOKENS.c.digest == _hashed(token))
        with self._engine.connect() as db:
            found: str | None = db.scalar(query)
            return found

    def has_tokens(self) -> set[str]:
        """Return the students who have a valid token."""
        with self._engine.connect() as db:
            return set(db.scalars(select(_TOKENS.c.student)))

    def add(
        self, door: str, student: str, assignment: str, digest: str, files: Files | None
    ) -> HandedIn:
        """Write a hand-in; when this returns, it is on the disk.

        `files` are kept if they are not in `submitted/` yet. Raise SQLAlchemy's errors.
        """
        at = datetime.now(UTC)
        row = {
            "door": door,
            "student": student,
            "assignment": assignment,
            "at": at.isoformat(timespec="microseconds"),
            "digest": digest,
            "files": None if files is None else _packed(files),
        }
        with self._engine.begin() as db:
            number = int(db.scalar(insert(_HANDINS).values(**row).returning(_HANDINS.c.id)) or 0)
        return HandedIn(number, door, student, assignment, at, digest, None, 0, False)

    def get(self, number: int) -> HandedIn:
        """Return a hand-in by its number. Raise `LookupError` if there is none."""
        found = self._query(_HANDINS.c.id == number)
        if not found:
            raise LookupError(number)
        return found[0]

    def files(self, number: int) -> Files:
        """Return the files of a hand-in that came by HTTP."""
        with self._engine.connect() as db:
            packed = db.scalar(select(_HANDINS.c.files).where(_HANDINS.c.id == number))
        return {} if packed is None else _unpacked(packed)

    def own_files(self, number: int) -> Files:
        """Return the student's own files of a hand-in, without those that nbgrader adds."""
        files = self.files(number)
        return {name: data for name, data in files.items() if name not in NBGRADERS_FILES}

    def of(self, student: str, assignment: str | None = None) -> list[HandedIn]:
        """Return a student's hand-ins, all or those for one assignment, the oldest first."""
        where = _HANDINS.c.student == student
        if assignment is not None:
            where &= _HANDINS.c.assignment == assignment
        return self._query(where)

    def count(self, student: str, assignment: str) -> int:
        """Return how many times a student has handed in an assignment."""
        query = select(func.count()).where(
            _HANDINS.c.student == student, _HANDINS.c.assignment == assignment
        )
        with self._engine.connect() as db:
            return int(db.scalar(query) or 0)

    def untold(self) -> list[HandedIn]:
        """Return the hand-ins of which nothing was told yet, the oldest first."""
        return self._query(_HANDINS.c.told.is_(None))

    def unrecorded(self) -> list[HandedIn]:
        """Return the hand-ins whose results are not in the gradebook, the oldest first."""
        return self._query(_HANDINS.c.is_recorded.is_(False))

    def tell(self, number: int, told: Mapping[str, Any], bits: int = 0) -> None:
        """Keep the answer to a hand-in."""
        text = json.dumps(told)
        with self._engine.begin() as db:
            db.execute(update(_HANDINS).where(_HANDINS.c.id == number).values(told=text, bits=bits))

    def recorded(self, numbers: Iterable[int]) -> None:
        """Note that the results of hand-ins are in the gradebook."""
        with self._engine.begin() as db:
            db.execute(
                update(_HANDINS).where(_HANDINS.c.id.in_(list(numbers))).values(is_recorded=True)
            )

    def told_bits(self, assignment: str) -> dict[str, tuple[int, int]]:
        """Return for each student the number of hand-ins, and of the hidden results told."""
        query = select(_HANDINS.c.student, func.count(), func.sum(_HANDINS.c.bits))
        query = query.where(_HANDINS.c.assignment == assignment).group_by(_HANDINS.c.student)
        with self._engine.connect() as db:
            return {student: (count, bits) for student, count, bits in db.execute(query)}

    def _query(self, where: Any) -> list[HandedIn]:
        query = select(*_PLAIN).where(where).order_by(_HANDINS.c.id)
        with self._engine.connect() as db:
            return [_handed_in(dict(row)) for row in db.execute(query).mappings()]


def only_one(root: Path) -> int:
    """Lock a course folder for this server; the system releases the lock when the process ends.

    Return the descriptor of the lock. Raise `Trouble` if another server has the folder.
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


def _handed_in(facts: dict[str, Any]) -> HandedIn:
    told = facts.pop("told")
    at = datetime.fromisoformat(facts.pop("at"))
    return HandedIn(**facts, at=at, told=None if told is None else json.loads(told))


def _hashed(token: str) -> str:
    # a token is random and long, so a quick hash without salt is as safe as a slow one
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _packed(files: Files) -> bytes:
    """Return files as bytes: one line of JSON with names and sizes, then the contents."""
    head = json.dumps({name: len(data) for name, data in files.items()})
    return head.encode() + b"\n" + b"".join(files.values())


def _unpacked(packed: bytes) -> dict[str, bytes]:
    head, _, rest = packed.partition(b"\n")
    files, start = {}, 0
    for name, size in json.loads(head).items():
        files[name] = rest[start : start + size]
        start += size
    return files


def _safe(connection: Any, _: object) -> None:
    """Make SQLite wait until a row is on the disk, and let others read meanwhile."""
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
