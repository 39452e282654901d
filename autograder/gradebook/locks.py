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

from autograder.trouble import Trouble

_FILE = ".autograder-lock"
_KEY = 2048  # the grader's own among the advisory locks of a database
_WAIT = "60s"  # a grader uses a gradebook for a second or two
# A machine that is switched off closes no connection, so both sides probe it now and then.
_KEEPALIVES = {"keepalives_idle": "15", "keepalives_interval": "5", "keepalives_count": "3"}
_TIME_LIMITS = {"connect_timeout": "10", **_KEEPALIVES}
_LIBPQ = ("psycopg", "psycopg2")


@contextmanager
def one_at_a_time(root: Path, address: str, on_wait: Callable[[], object]) -> Iterator[None]:
    """Hold the locks of a course folder, and of the folder where the file of its gradebook is.

    If another run has one of them, call `on_wait`, then wait. The system releases them when the
    process ends in any way. Raise `Trouble` if nothing can be written in the course folder.
    """
    folders = {root.resolve()}
    with suppress(ArgumentError):  # the gradebook says so when it is opened
        url = make_url(address)
        if url.get_backend_name() == "sqlite" and url.database:
            folder = Path(url.database).resolve().parent
            folders |= {folder} if os.access(folder, os.W_OK) else set()
    with ExitStack() as locks:
        for folder in sorted(folders):  # the same order for all, so that no two wait for each other
            try:
                lock = os.open(folder / _FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            except OSError as error:
                raise Trouble(
                    f"{folder} cannot be written to: {error.strerror}. Nothing was graded"
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
    """Keep other graders out of a gradebook on a server; a file is protected by its folder's lock.

    The server releases its lock when the process ends in any way. Raise SQLAlchemy's errors.
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
    """Return the address of a gradebook; one on a server gets time limits unless it has its own.

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
    """Have the server end a session half a minute after the machine of its grader has gone."""
    if connection.dialect.name == "postgresql":
        for name, seconds in _KEEPALIVES.items():
            connection.execute(text(f"SET tcp_{name} = {seconds}"))


def _is_on_a_server(address: str) -> bool:
    return make_url(address).get_backend_name() == "postgresql"
