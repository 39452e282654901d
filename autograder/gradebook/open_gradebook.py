"""Functions that open nbgrader's gradebook, and enter an assignment in it."""

import logging
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

from nbgrader.api import Assignment, Gradebook, MissingEntry, Student
from nbgrader.dbutil import ALEMBIC_DIR
from nbgrader.preprocessors import SaveCells
from nbgrader.preprocessors.base import NbGraderPreprocessor
from sqlalchemy import create_engine, inspect, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    NoSuchModuleError,
    OperationalError,
    SQLAlchemyError,
)
from sqlalchemy.pool import NullPool

from autograder.gradebook.course_folder import CourseFolder
from autograder.gradebook.prepare_masters import Prepared, resources_for
from autograder.system import Trouble

_KEY = 2048  # the number of the grader's lock among the advisory locks of a database
_WAIT = "60s"  # the longest wait for the lock; a grader holds it for a second or two
# A machine that is switched off closes no connection, so both sides test connections regularly.
_KEEPALIVES = {"keepalives_idle": "15", "keepalives_interval": "5", "keepalives_count": "3"}
_TIME_LIMITS = {"connect_timeout": "10", **_KEEPALIVES}
_LIBPQ = ("psycopg", "psycopg2")
_VERSION_TABLE = "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)"
_REFUSED = (
    "{}, and nbgrader keeps those that submissions were graded with. Put {} back; or make a copy "
    "of the gradebook, run nbgrader db assignment remove {} --force, and grade again: what was "
    "entered by hand for it is lost."
)

# the first pattern that matches the database's error message decides which sentence is shown
_TROUBLES: Mapping[str, str] = {
    r"locked|lock timeout": (
        "is locked by another program. Close that, or wait for it, then try again."
    ),
    r"full|disk I/O": "cannot be written ({}). Make room on the disk, then try again.",
    r"readonly|unable to open": (
        "cannot be opened ({}). See to the folder and its permissions, then try again."
    ),
    r"no such (column|table)|(column|relation) .* does not exist": (
        "is of another version. Make a copy of it, then run: nbgrader db upgrade"
    ),
    r"database .* does not exist": "is not there ({}). Make it on the server with createdb.",
    r"authentication failed|no password|pg_hba|role .* does not exist": (
        "lets nobody in as this user ({}). Mend user and password in c.CourseDirectory.db_url, or "
        "what the server allows in pg_hba.conf."
    ),
    r"permission denied": (
        "may not be written by this user ({}). Make the user its owner on the server: ALTER "
        "DATABASE … OWNER TO …"
    ),
}

# alembic announces itself on the terminal when a gradebook is made
logging.getLogger("alembic").setLevel(logging.ERROR)


class GradebookError(Trouble):
    """The error raised if the gradebook cannot be used, or if nbgrader refuses to change it."""


class NotEnteredError(GradebookError):
    """The error raised if there is no gradebook yet, or if it does not have the assignment."""


def is_there(course: CourseFolder) -> bool:
    """Return true if the file of the gradebook exists, or if the gradebook is on a server."""
    with explained(course.db_url):
        url = make_url(course.db_url)
        return url.get_backend_name() != "sqlite" or Path(url.database or "").exists()


@contextmanager
def opened(course: CourseFolder) -> Iterator[Gradebook]:
    """Open the gradebook of a course during a `with` block; make the gradebook if there is none.

    A gradebook on a server is locked during the block, so that other graders wait. However this
    process ends, the server releases the lock. A gradebook in a file is not locked here, but by
    `one_at_a_time`. Errors of the database, also those in the block, become a `GradebookError`.
    """
    with explained(course.db_url), ExitStack() as stack:
        address = _with_time_limits(course.db_url)
        engine = create_engine(address, poolclass=NullPool)
        if engine.dialect.name == "postgresql":
            lock = stack.enter_context(engine.connect())
            lock.execution_options(isolation_level="AUTOCOMMIT")
            _probe_this_machine(lock)
            lock.execute(text(f"SET lock_timeout = '{_WAIT}'"))
            lock.execute(text(f"SELECT pg_advisory_lock({_KEY})"))
        if not inspect(engine).get_table_names():
            # If nbgrader finds no tables, it starts the program `alembic` to learn the version.
            # That takes a second, and after Ctrl+C `alembic` would print an error of its own.
            with engine.begin() as connection:
                connection.execute(text(_VERSION_TABLE))
        with closing(Gradebook(address, course.course_id)) as gradebook:
            _probe_this_machine(gradebook.db.connection())
            _enter_version(gradebook.db)
            gradebook.db.commit()
            gradebook.db.autoflush = False
            yield gradebook


def _with_time_limits(address: str) -> str:
    """Return the address of a gradebook; if it is on a PostgreSQL server, add missing time limits.

    >>> _with_time_limits("sqlite:///gradebook.db")
    'sqlite:///gradebook.db'
    >>> _with_time_limits("postgresql+psycopg://me@school/grades?connect_timeout=5")[:60]
    'postgresql+psycopg://me@school/grades?connect_timeout=5&keep'
    """
    url = make_url(address)
    if url.get_backend_name() != "postgresql" or url.get_driver_name() not in _LIBPQ:
        return address
    query = {**_TIME_LIMITS, **url.query}
    return url.update_query_dict(query).render_as_string(hide_password=False)


def _probe_this_machine(connection: Any) -> None:
    """Make the database server close this connection if this machine has not answered for 30 s."""
    if connection.dialect.name == "postgresql":
        for name, seconds in _KEEPALIVES.items():
            connection.execute(text(f"SET tcp_{name} = {seconds}"))


def _enter_version(db: Any) -> None:
    """Write the version of the tables into a gradebook that lacks it.

    A new gradebook gets its version last, so it has none if the program was interrupted meanwhile.
    """
    has_table = inspect(db.connection()).has_table("alembic_version")
    if has_table and db.execute(text("SELECT 1 FROM alembic_version")).first():
        return
    if db.scalars(select(Assignment)).first() or db.scalars(select(Student)).first():
        return  # an earlier nbgrader made the gradebook, and entered no version
    if not has_table:
        db.execute(text(_VERSION_TABLE))
    from alembic.script import ScriptDirectory  # takes long to load, and is seldom needed

    version = {"version": ScriptDirectory(ALEMBIC_DIR).get_current_head()}
    db.execute(text("INSERT INTO alembic_version (version_num) VALUES (:version)"), version)


@contextmanager
def explained(url: str) -> Iterator[None]:
    """Turn a database's errors in a `with` block into a `GradebookError` that says what to do."""
    it = f"The gradebook {shown(url)}"
    try:
        yield
    except sqlite3.Error as error:
        raise GradebookError(f"{it} {_what_to_do(DatabaseError('', {}, error))}") from error
    except ImportError as error:
        raise GradebookError(
            f"{it} needs the Python package {error.name}, which is not installed. For PostgreSQL: "
            "pip install 'course-2048[cluster]'."
        ) from error
    except (ArgumentError, NoSuchModuleError) as error:
        raise GradebookError(
            f"{shown(url)} is no address of a database: {_first_line(error)}. Mend "
            "c.CourseDirectory.db_url in nbgrader_config.py."
        ) from error
    except SQLAlchemyError as error:
        raise GradebookError(f"{it} {_what_to_do(error)}") from error
    except MissingEntry as error:
        raise NotEnteredError(
            f"{_first_line(error)} in the gradebook {shown(url)}; autograder grade enters it."
        ) from error


def register(course: CourseFolder, assignment: str, notebooks: Iterable[Prepared]) -> None:
    """Enter an assignment in the gradebook as nbgrader does, but in one transaction.

    Raise `GradebookError` if a notebook was removed, or graded cells were added or removed, after
    submissions had been graded.
    """
    found = {Path(one.master.notebook).stem: one for one in notebooks}
    # nbgrader commits after each row; while its session is bound to a connection, these commits
    # stay in the transaction of that connection
    with (
        opened(course) as gradebook,
        gradebook.engine.begin() as connection,
        closing(gradebook.db),
    ):
        gradebook.db.remove()
        # within one transaction, nobody else changes what was read, so it need not be read again
        gradebook.db.configure(bind=connection, expire_on_commit=False)
        row = gradebook.update_or_create_assignment(assignment)
        for name in {notebook.name for notebook in row.notebooks} - set(found):
            if row.submissions:
                gone = f"The notebook {name} is in no folder of {assignment} any more"
                raise GradebookError(_REFUSED.format(gone, "it", assignment))
            gradebook.remove_notebook(name, assignment)
        for one in found.values():
            path = course.masters(assignment) / one.master.notebook
            resources = resources_for(course, assignment, path)
            saver = SaveCells(parent=course.app)
            saver.gradebook = gradebook  # the saver's own `preprocess` would open another gradebook
            saver.notebook_id, saver.assignment_id = path.stem, assignment
            for kind in ("grade", "solution", "task", "source"):
                setattr(saver, f"new_{kind}_cells", {})
            try:
                NbGraderPreprocessor.preprocess(saver, one.notebook, resources)
                saver._create_notebook(one.notebook)
            except RuntimeError as error:
                other = f"Graded cells were added to {path} or removed"
                raise GradebookError(_REFUSED.format(other, "the cells", assignment)) from error


def shown(url: str) -> str:
    """Return the address of a gradebook, with `***` in place of the password."""
    try:
        return make_url(url).render_as_string(hide_password=True)
    except (ArgumentError, ValueError):
        return "in c.CourseDirectory.db_url"


def _what_to_do(error: SQLAlchemyError) -> str:
    """Return the rest of a sentence after "The gradebook …": what is wrong, and what to do.

    >>> _what_to_do(OperationalError("", {}, Exception("database is locked")))
    'is locked by another program. Close that, or wait for it, then try again.'
    """
    origin = getattr(error, "orig", None) or error
    cause = _first_line(origin)
    for pattern, sentence in _TROUBLES.items():
        if re.search(pattern, cause):
            return sentence.format(cause)
    if isinstance(error, OperationalError):
        return f"cannot be reached ({cause}). See that the database runs, then try again."
    if isinstance(error, DatabaseError) and type(origin).__module__ == "sqlite3":
        return (
            f"is damaged, or no gradebook ({cause}). Put back a copy of it (autograder "
            "undo), or move it away: a new one is made, without what was entered by hand."
        )
    return f"cannot be used ({cause})."


def _first_line(error: object) -> str:
    """Return the first line of an error's message, at most 200 letters, or the error's type."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200].rstrip(".")
