"""Slips of functions that draw, from the facts in words that are seen of them."""

from collections.abc import Callable
from itertools import chain
from typing import Any

from course.hints.slips.of_kinds import of_error_named

_KINDS = {
    "NoneType": "returns-nothing",
    "str": "returns-text",
    "bool": "returns-flag",
    "int": "returns-number",
    "tuple": "returns-several",
    "list": "returns-no-board",
    "an error": "error-returned",
}


def of_chance(label: str, wanted: Any, got: Any) -> list[str]:
    """Return the slips of a fact about new tiles, which differs from a right function's.

    `label` is the name of the fact, as `course.hints.chance` gives it.
    """
    return _OF[label](wanted, got) if label in _OF else []


def _groups(wanted: list[list[str]], got: list[list[str]]) -> list[str]:
    """Return the slips of the answers on each of a few boards, taken together."""
    pairs = zip(wanted, got, strict=True)
    return list(dict.fromkeys(slip for one, other in pairs for slip in _answers(one, other)))


def _answers(wanted: list[str], got: list[str]) -> list[str]:
    """Return the slips of answers of which some or all are of a kind that is not wanted."""
    odd = [kind for kind in got if kind not in wanted]
    if not odd or any(kind == "raises NotImplementedError" for kind in odd):
        return []
    if wanted == ["raises ValueError"]:
        if odd == ["an error"]:
            return ["error-returned"]
        is_raised = all(kind.startswith("raises") for kind in odd)
        return ["other-error" if is_raised else "no-error"]
    error = next((kind.removeprefix("raises ") for kind in odd if kind.startswith("raises")), None)
    if error is not None:
        return ["stops-sometimes"] if "board" in got else of_error_named(error, "")
    if odd == ["NoneType"] and len(got) > 1:
        return ["forgets-return"]
    return [_KINDS.get(odd[0], "other-kind")]


def _outcomes(slip: str) -> Callable[[Any, Any], list[str]]:
    """Return a function that finds the slips of a move after which the board must be as it was.

    That is `slip` if an answer is another board, and else what the kinds of the answers show.
    """

    def found(wanted: list[str], got: list[str]) -> list[str]:
        return [slip] if "board" in got else _answers(wanted, got)

    return found


def _legal(wanted: list[str], got: list[str]) -> list[str]:
    return ["legal-move-does-nothing"] if got == ["as it was"] else []


def _other_legal(wanted: list[list[str]], got: list[list[str]]) -> list[str]:
    return ["legal-move-does-nothing"] if ["as it was"] in got else _groups(wanted, got)


def _new_tiles(wanted: list[int], got: list[int]) -> list[str]:
    if not got:
        return []
    if max(got) > max(wanted):
        return ["too-many-tiles"]
    if got == [0]:
        return ["no-new-tile"]
    return ["sometimes-too-few-tiles" if set(wanted) & set(got) else "too-few-tiles"]


def of_fours(got: str) -> list[str]:
    """Return the slip of a wrong share of 4s, in a list; it is empty if there are no tiles.

    >>> of_fours("most"), of_fours("none"), of_fours("nothing to count")
    (['too-many-fours'], ['never-a-four'], [])
    """
    words = {"none": "never-a-four", "all": "only-fours", "nothing to count": ""}
    return [*filter(None, [words.get(got, "too-many-fours")])]


def _p_four(wanted: list[str], got: list[str]) -> list[str]:
    return [] if "nothing to count" in got else ["p-four-not-obeyed"]


def _shares(wanted: list[str], got: list[str]) -> list[str]:
    return [] if "nothing to count" in got else ["unfair-squares"]


def _lone(wanted: list[Any], got: list[Any]) -> list[str]:
    if any(kind == "raises NotImplementedError" for kind in got[0]):
        return []
    return ["misses-a-lone-square"] if got != wanted else []


def _only(slip: str) -> Callable[[Any, Any], list[str]]:
    return lambda wanted, got: [slip]


_OF: dict[str, Callable[[Any, Any], Any]] = {
    "answers": _groups,
    "the board passed in": _only("changes-its-argument"),
    "new tiles": _new_tiles,
    "tiles": lambda wanted, got: _new_tiles([*chain(*wanted)], [*chain(*got)]),
    "other tiles": _only("other-tiles-change"),
    "slid tiles": _only("turn-not-slid"),
    "rows": _only("shared-rows"),
    "a legal move": _legal,
    "other legal moves": _other_legal,
    "small boards": _groups,
    "4s": lambda wanted, got: of_fours(got),
    "neither 2 nor 4": _only("no-two-and-no-four"),
    "4s, p_four 0 and 1": _p_four,
    "alone in its row, in its column": _shares,
    "corners": _shares,
    "one empty square of 1600": _lone,
    "the same rng": _only("own-chance"),
    "a full board": _answers,
    "shapes": lambda wanted, got: ["other-shape"] if all(got) else [],
    "an illegal move": _outcomes("illegal-move-changes"),
    "no legal move at all": _outcomes("illegal-move-changes"),
    "a merge on a full board": _answers,
    "a wrong direction": _answers,
}


_KINDS_OF_CLEARING = {
    "NoneType": "returns-nothing",
    "str": "returns-text",
    "bool": "returns-flag",
    "int": "returns-number",
    "list": "wrong-brackets",
    "board": "returns-board-alone",
}


def of_clearing(label: str, wanted: Any, got: Any) -> list[str]:
    """Return the slips of a fact about a second chance, which differs from a right function's.

    `label` is the name of the fact, as `course.hints.clearing` gives it.
    """
    return _OF_CLEARING[label](wanted, got) if label in _OF_CLEARING else []


def _answers_of_clearing(wanted: list[list[str]], got: list[list[str]]) -> list[str]:
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
    return [_KINDS_OF_CLEARING.get(odd.partition(" of ")[0], "other-kind")]


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


_OF_CLEARING: dict[str, Callable[[Any, Any], list[str]]] = {
    "answers": _answers_of_clearing,
    "the board passed in": _only("changes-its-argument"),
    "how many": _how_many,
    "which": _which,
    "the rest": _only("rest-changes"),
    "the score": _score,
    "the first, the last": _only("unfair-clearing"),
    "the same rng": _only("own-chance"),
    "few": _few,
}
