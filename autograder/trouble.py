"""Expected trouble: what a person can mend, in one sentence."""

import errno


class Trouble(Exception):  # noqa: N818 — a locked gradebook is no fault of the program
    """Something outside of the grader is not as it must be; the message says what to do."""


def is_full(error: OSError) -> bool:
    """The disk has no more room, or none for this user: no fault of what was to be written."""
    return error.errno in (errno.ENOSPC, errno.EDQUOT)
