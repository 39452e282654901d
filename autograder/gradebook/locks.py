"""One grader at a time: in a course folder, and in a gradebook on a PostgreSQL server."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import NullPool

from autograder.system import Trouble

_FILE = ".autograder-lock"
_KEY = 2048  # the number of the grader's lock among the advisory locks of a database
_WAIT = "60s"  # the longest wait for the lock; a grader holds it for a second or two
# A machine that is switched off closes no connection, so both sides probe it now and then.
_KEEPALIVES = {"keepalives_idle": "15", "keepalives_interval": "5", "keepalives_count": "3"}
_TIME_LIMITS = {"connect_timeout": "10", **_KEEPALIVES}
_LIBPQ = ("psycopg", "psycopg2")


@contextmanager
def one_at_a_time(root: Path, address: str, on_wait: Callable[[], object]) -> Iterator[None]:
    """Lock a course folder, and the folder of its gradebook file, during the block.

    `address` is the address of the gradebook. If another run has locked one of the two folders,
    call `on_wait`, then wait. However this process ends, the system releases the locks. Raise
    `Trouble` if a lock file cannot be opened for writing.
    """
    folders = {root.resolve()}
    with suppress(ArgumentError):  # the error is reported when the gradebook is opened
        url = make_url(address)
        if url.get_backend_name() == "sqlite" and url.database:
            folder = Path(url.database).resolve().parent
            folders |= {folder} if os.access(folder, os.W_OK) else set()
    with ExitStack() as locks:
        for folder in sorted(folders):  # in one order, so that no two runs wait for each other
            try:
                lock = os.open(folder / _FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            except OSError as error:
                raise Trouble(
                    f"{folder} cannot be written to: {error.strerror}. Nothing was changed"
                ) from error
            locks.callback(os.close, lock)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                on_wait()
                fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextmanager
def server_lock(address: str) -> Iterator[None]:
    """Lock a gradebook on a PostgreSQL server during the block, so that other graders wait.

    Do nothing for a gradebook in a file, because `one_at_a_time` locks its folder. However this
    process ends, the server releases the lock. Raise SQLAlchemy's errors.
    """
    if not _is_on_a_server(address):
        yield
        return
    engine = create_engine(with_time_limits(address), poolclass=NullPool)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        probe_this_machine(connection)
        connection.execute(text(f"SET lock_timeout = '{_WAIT}'"))
        connection.execute(text(f"SELECT pg_advisory_lock({_KEY})"))
        yield


def with_time_limits(address: str) -> str:
    """Return the address of a gradebook; add the time limits that the address of a server lacks.

    >>> with_time_limits("sqlite:///gradebook.db")
    'sqlite:///gradebook.db'
    >>> with_time_limits("postgresql+psycopg://me@school/grades?connect_timeout=5")[:60]
    'postgresql+psycopg://me@school/grades?connect_timeout=5&keep'
    """
    url = make_url(address)
    if not _is_on_a_server(address) or url.get_driver_name() not in _LIBPQ:
        return address
    query = {**_TIME_LIMITS, **url.query}
    return url.update_query_dict(query).render_as_string(hide_password=False)


def probe_this_machine(connection: Any) -> None:
    """Make the database server close this connection if this machine has not answered for 30 s."""
    if connection.dialect.name == "postgresql":
        for name, seconds in _KEEPALIVES.items():
            connection.execute(text(f"SET tcp_{name} = {seconds}"))


def _is_on_a_server(address: str) -> bool:
    return make_url(address).get_backend_name() == "postgresql"
