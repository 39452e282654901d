"""Slips of agents of the duel, from the facts in words that `course.hints.playing` sees."""

from typing import Any

from course.hints.facts import UNKNOWN

_KINDS = {
    "NoneType": "forgets-return",
    "bool": "returns-flag",
    "int": "returns-number",
    "list": "returns-list",
    "list of squares": "returns-list",
    "square as a list": "wrong-brackets",
    "square that is not legal": "not-legal",
}


def of_playing(phase: str, got: Any) -> list[str]:
    """Return the slips of an agent's answer that is not legal; `phase` is when it is asked.

    >>> of_playing("push", {"gives a": "str"}), of_playing("place", {"gives a": "str"})
    (['not-legal'], ['returns-text'])
    """
    if got == UNKNOWN:
        return []
    if "raises" in got:
        return list(got["slips"])
    kind = got["gives a"]
    if kind == "str":
        return ["not-legal" if phase == "push" else "returns-text"]
    return [_KINDS.get(kind, "other-kind")]
