"""Expected trouble: what a person can mend, in one sentence."""


class Trouble(Exception):  # noqa: N818 — a locked gradebook is no fault of the program
    """Something outside of the grader is not as it must be; the message says what to do."""
