"""Turns at a gradebook on a PostgreSQL server: one grader at a time uses it, on any machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url
from sqlalchemy.pool import NullPool

_KEY = 2048  # the grader's own among the advisory locks of a database
_WAIT = "60s"  # a grader's turn at a gradebook takes a second or two
# A machine that is switched off closes no connection, so both sides probe it now and then.
_KEEPALIVES = {"keepalives_idle": "15", "keepalives_interval": "5", "keepalives_count": "3"}
_PATIENCE = {"connect_timeout": "10", **_KEEPALIVES}
_LIBPQ = ("psycopg", "psycopg2")


def with_patience(address: str) -> str:
    """Return the address of a gradebook; one on a server gets time limits unless it has its own.

    >>> with_patience("sqlite:///gradebook.db")
    'sqlite:///gradebook.db'
    >>> with_patience("postgresql+psycopg://me@school/grades?connect_timeout=5")[:60]
    'postgresql+psycopg://me@school/grades?connect_timeout=5&keep'
    """
    url = make_url(address)
    if not _is_on_a_server(address) or url.get_driver_name() not in _LIBPQ:
        return address
    query = {**_PATIENCE, **url.query}
    return url.update_query_dict(query).render_as_string(hide_password=False)


@contextmanager
def taking_turns(address: str) -> Iterator[None]:
    """Keep other graders out of a gradebook on a server; a file is protected by its folder's lock.

    The server releases its lock when the process ends in any way. Raise SQLAlchemy's errors.
    """
    if not _is_on_a_server(address):
        yield
        return
    engine = create_engine(with_patience(address), poolclass=NullPool)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        have_it_end(connection)
        connection.execute(text(f"SET lock_timeout = '{_WAIT}'"))
        connection.execute(text(f"SELECT pg_advisory_lock({_KEY})"))
        yield


def have_it_end(connection: Any) -> None:
    """Make the server end a session half a minute after the machine of its grader has gone."""
    if connection.dialect.name == "postgresql":
        for name, seconds in _KEEPALIVES.items():
            connection.execute(text(f"SET tcp_{name} = {seconds}"))


def _is_on_a_server(address: str) -> bool:
    return make_url(address).get_backend_name() == "postgresql"
