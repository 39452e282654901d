"""Wrong flags, numbers and texts."""

import re


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


def of_text(wanted: str, got: str) -> list[str]:
    """What is true of a text that is not the right one."""
    if got.casefold() == wanted.casefold():
        return ["text-case"]
    if _only(r"\W+", got) == _only(r"\W+", wanted):
        return ["text-marks"]
    if re.search(r"\{[\w.]+[^}]*\}", got):
        return ["text-braces"]
    numbers, right = re.findall(r"\d+", got), re.findall(r"\d+", wanted)
    words = _only(r"[\W\d]+", got).casefold() == _only(r"[\W\d]+", wanted).casefold()
    if words:
        return ["text-numbers"]
    return ["text-words"] if numbers == right else ["text-differs"]


def _only(without: str, text: str) -> str:
    return re.sub(without, "", text)
