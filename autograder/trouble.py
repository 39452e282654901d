"""Expected trouble: what a person can mend, in one sentence."""

import errno


class Trouble(Exception):  # noqa: N818 — a locked gradebook is no fault of the program
    """Something outside of the grader is not as it must be; the message says what to do."""


def is_full(error: OSError) -> bool:
    """Return true if the disk or the user's quota is full, so that the data is not at fault."""
    return error.errno in (errno.ENOSPC, errno.EDQUOT)
