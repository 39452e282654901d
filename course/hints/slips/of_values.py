"""Slips of flags and numbers."""


def of_flag(got: bool) -> list[str]:
    """Return the slip of a `True` that should be `False`, or the other way round."""
    return ["yes-too-often" if got else "no-too-often"]


def of_number(wanted: int, got: int) -> list[str]:
    """Return the slips of a number that is not the right one."""
    found = []
    if got == 0:
        found.append("number-zero")
    elif got * 2 == wanted:
        found.append("number-half")
    elif got == wanted * 2:
        found.append("number-double")
    return [*found, "number-too-small" if got < wanted else "number-too-large"]
