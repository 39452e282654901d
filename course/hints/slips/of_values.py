"""Wrong flags and numbers."""


def of_flag(got: bool) -> list[str]:
    """What is true of `True` or `False` where it should be the other one."""
    return ["yes-too-often" if got else "no-too-often"]


def of_number(wanted: int, got: int) -> list[str]:
    """What is true of a number that is not the right one."""
    found = []
    if got == 0:
        found.append("number-zero")
    elif got * 2 == wanted:
        found.append("number-half")
    elif got == wanted * 2:
        found.append("number-double")
    return [*found, "number-too-small" if got < wanted else "number-too-large"]
