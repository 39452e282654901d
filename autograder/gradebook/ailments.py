"""Troubles of a gradebook, on a disk or on a server, and what to do about them."""

import re
from collections.abc import Mapping

from sqlalchemy.exc import DatabaseError, OperationalError, SQLAlchemyError

# the first pattern that is found in the message of the database counts
_SAID: Mapping[str, str] = {
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


def what_to_do(error: SQLAlchemyError) -> str:
    """Return the end of a sentence that begins with the gradebook: its trouble, and what to do.

    >>> what_to_do(OperationalError("", {}, Exception("database is locked")))
    'is locked by another program. Close that, or wait for it, then try again.'
    """
    origin = getattr(error, "orig", None) or error
    cause = first_line(origin)
    for pattern, sentence in _SAID.items():
        if re.search(pattern, cause):
            return sentence.format(cause)
    if isinstance(error, OperationalError):
        return f"cannot be reached ({cause}). See that the database runs, then try again."
    if isinstance(error, DatabaseError) and type(origin).__module__ == "sqlite3":
        return (
            f"is damaged, or no gradebook ({cause}). Put back a copy of it, or move it away: a new "
            "one is made, without what was entered by hand."
        )
    return f"cannot be used ({cause})."


def first_line(error: object) -> str:
    """Return the first line of an error's message, cut at 200 characters, or its type's name."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200].rstrip(".")
