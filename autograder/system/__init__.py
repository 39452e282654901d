"""Calls to the operating system: write whole files, end cleanly; and the error `Trouble`."""

import errno


class Trouble(Exception):  # noqa: N818 — a locked gradebook is no fault of the program
    """An error whose cause is outside of the grader; the message says what to do."""


def is_full(error: OSError) -> bool:
    """Return true if the cause of an error is that the disk or the user's quota is full."""
    return error.errno in (errno.ENOSPC, errno.EDQUOT)
