"""Slips of second chances, from the facts in words that `course.hints.clearing` sees."""

from collections.abc import Callable
from itertools import chain
from typing import Any

from course.hints.slips.of_errors import of_error_named

_KINDS = {
    "NoneType": "returns-nothing",
    "str": "returns-text",
    "bool": "returns-flag",
    "int": "returns-number",
    "list": "wrong-brackets",
    "board": "returns-board-alone",
}


def of_clearing(label: str, wanted: Any, got: Any) -> list[str]:
    """Return the slips of the fact with this label, which differs from a right function's."""
    return _OF[label](wanted, got) if label in _OF else []


def _answers(wanted: list[list[str]], got: list[list[str]]) -> list[str]:
    """Return the slips of the kinds of answers on each of a few boards."""
    right = wanted[0][0]
    odd = next((kind for kinds in got for kind in kinds if kind != right), "")
    if not odd or odd == "raises NotImplementedError":
        return []
    is_seldom = any(odd in kinds and right in kinds for kinds in got)
    if odd.startswith("raises"):
        name = odd.removeprefix("raises ")
        return ["stops-sometimes"] if is_seldom else of_error_named(name, "")
    if odd == "a board of another shape":
        return ["other-shape"]
    if odd == "tuple of int, board":
        return ["pair-turned"]
    if odd == "NoneType" and any(right in kinds for kinds in got):
        return ["forgets-return"]
    return [_KINDS.get(odd.partition(" of ")[0], "other-kind")]


def _how_many(wanted: list[list[int]], got: list[list[int]]) -> list[str]:
    right, seen = set(chain(*wanted)), set(chain(*got))
    if not seen:
        return []
    if seen == {0}:
        return ["nothing-cleared"]
    if [] in got:
        return []
    if max(seen) > max(right):
        return ["too-many-cleared"]
    return ["sometimes-too-few-cleared" if seen & right else "too-few-cleared"]


def _which(wanted: list[int], got: list[int]) -> list[str]:
    if not got:
        return []
    return ["large-tiles-cleared" if max(got) > max(wanted) else "some-tiles-never-cleared"]


def _score(wanted: list[int], got: list[int]) -> list[str]:
    return ["other-price"] if len(got) == len(wanted) else []


def _few(wanted: list[Any], got: list[Any]) -> list[str]:
    is_unwritten = "NotImplementedError" in str(got)
    return [] if is_unwritten else ["few-tiles-are-a-problem"]


def _only(slip: str) -> Callable[[Any, Any], list[str]]:
    return lambda wanted, got: [slip]


_OF: dict[str, Callable[[Any, Any], list[str]]] = {
    "answers": _answers,
    "the board passed in": _only("changes-its-argument"),
    "how many": _how_many,
    "which": _which,
    "the rest": _only("rest-changes"),
    "the score": _score,
    "the first, the last": _only("unfair-clearing"),
    "the same rng": _only("own-chance"),
    "few": _few,
}
