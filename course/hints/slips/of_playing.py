"""What is true of an agent's answers, by the facts that `course.hints.playing` sees."""

from typing import Any

_KINDS = {"NoneType": ["returns-nothing"], "square that is not legal": [], "str": []}


def of_playing(got: dict[str, Any]) -> list[str]:
    """What is true of an answer that is not legal.

    >>> of_playing({"gives a": "NoneType"}), of_playing({"gives a": "str"})
    (['returns-nothing'], [])
    """
    if "raises" in got:
        found: list[str] = got["slips"]
        return found
    return _KINDS.get(got["gives a"], ["other-kind"])
