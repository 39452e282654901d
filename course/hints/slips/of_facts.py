"""Slips (ids of general hints) for wrong facts about objects, agents and drawn tiles."""

import builtins
from itertools import chain
from typing import Any

from course.function_calls import Answer
from course.hints.chance_facts import OTHER_SHAPE, PAIR
from course.hints.fact_comparison import NO_BOARD, UNKNOWN
from course.hints.mistakes import fact_hints
from course.hints.object_facts import PHASES, Fact
from course.hints.observe import AskedCall
from course.hints.slips.of_answers import slips_of
from course.hints.slips.of_kinds import OF_TYPES, of_error_named

OF_BOARD = ("slid", "new tiles", "cleared", "shape")  # labels of facts that a game's board shows
STEPS = ("all", "answer", "answer of a step")  # labels of facts about steps, not about attributes

# Labels of facts: if a fact with such a label is wrong, all facts after it are wrong, too.
SPOILING = ("all", "only looks", "slid", "new tiles", "board", "cleared")

_OF_AGENTS = {
    **OF_TYPES,
    "NoneType": "forgets-return",
    "tuple": "other-kind",
    "list of squares": "returns-list",
    "square as a list": "wrong-brackets",
    "square that is not legal": "not-legal",
}


def of_fact(wanted: Fact, got: Fact) -> list[str]:
    """Return the ids of the hints for a wrong fact; `[]` if none fits, or no code is written."""
    right, seen = wanted.value, got.value
    if UNKNOWN in (right, seen):
        return []
    if got.label in PHASES:
        kind = seen.get("gives a")
        if kind == "str":
            return ["not-legal" if got.label == "push" else "returns-text"]
        return list(seen["slips"]) if kind is None else [_OF_AGENTS.get(kind, "other-kind")]
    # If an error is wrong here, its kind says more than the label of the fact.
    label = "" if is_error(seen) and not is_error(right) else got.label
    if is_error(seen) and seen["error"] == NO_BOARD:
        return ["no-board"]
    if label == "answer of a step" or (isinstance(seen, list) and seen and is_error(seen[0])):
        return []
    if label in fact_hints():
        return [fact_hints()[label]]
    match label:
        case "new tiles" if right == "unchanged":
            return ["illegal-move-changes"]
        case "new tiles" if seen == "unchanged":
            return ["board-not-slid"]
        case "new tiles" if len(seen) != len(right):
            return ["no-new-tile" if not seen else "too-many-tiles"]
        case "new tiles":
            return ["p-four-not-obeyed"]
        case "board" if seen[:2] != right[:2]:
            return ["other-shape"]
        case "board" if len(seen) > len(right):
            return ["shared-rows", "too-many-tiles"]
        case "board":
            return ["too-few-tiles" if seen[2] < right[2] else "too-many-tiles"]
        case "cleared" if not isinstance(right, list):
            return []
        case "cleared" if not seen[1]:
            return ["rest-changes"]
        case "cleared" if seen[0] == 0:
            return ["nothing-cleared"]
        case "cleared":
            return ["too-many-cleared" if seen[0] > right[0] else "too-few-cleared"]
        case "chance left" if seen is True:
            return ["second-chance-stays"]
        case "chance back" if seen is False:
            return ["second-chance-not-back"]
        case "score" if got.part.endswith(".continue_") and type(seen) is int:
            return ["other-price"]
        case "text" if seen is False:
            return ["other-kind"]
        case "text":
            _is_long, has_rows, has_score = seen
            return ["text-rows" if not has_rows else "text-lines" if has_score else "text-score"]
        case "score" | "moves" if type(seen) is int:
            return [f"{label}-too-{'low' if seen < right else 'high'}"]
        case "first_fours":
            return of_fours(seen)
    slips = slips_of(_asked_of(wanted, got)) if got.question else []
    is_property = got.label.startswith(("is_", "has_", "can_"))
    is_forgotten = is_property and slips[:1] == ["returns-function"]
    return ["property-forgotten"] if is_forgotten else slips


def example_of(wanted: Fact, got: Fact) -> str:
    """Return a sentence on a wrong fact: its value, its error, or code to try.

    Return `""` if the fact has no `question`.
    """
    if not got.question:
        return ""
    if is_error(got.value) and got.value["error"].startswith("raises"):
        return f"For example, `{got.question}` {got.value['error']}."
    if got.label in (*OF_BOARD, "board", "only looks", "text", "all") or isinstance(
        got.value, dict
    ):
        question, dot, name = got.question.rpartition("game.")
        return f"Try `{question}{dot}{'board' if name in OF_BOARD else name}`."
    return _asked_of(wanted, got).example


def _asked_of(wanted: Fact, got: Fact) -> AskedCall:
    """Return the values of two facts, the right one and `got`, as two answers to the same call."""
    return AskedCall(got.question, (), _answer(wanted.value), _answer(got.value))


def is_error(value: Any) -> bool:
    """Return true if the value of a fact stands for an error."""
    return isinstance(value, dict) and "error" in value


def _answer(value: Any) -> Answer:
    """Return an `Answer` that a function may have given if a fact about it has this value."""
    if isinstance(value, dict) and value.get("a") == "method":
        return Answer(_answer, None, ())
    if isinstance(value, dict) and "a" in value:
        return Answer(object(), None, ())
    if not is_error(value):
        return Answer(value, None, ())
    said = value["error"]
    if said.endswith(", not a text"):
        return Answer(None if "NoneType" in said else object(), None, ())
    if said == "is given too many arguments":
        return Answer(None, TypeError("takes 0 positional arguments"), ())
    name, _, message = said.removeprefix("raises ").partition(": ")
    kind = getattr(builtins, name, Exception)
    return Answer(None, kind(message) if message else kind(), ())


_OF_KINDS = {
    **OF_TYPES,
    "NoneType": "returns-nothing",
    "list": "returns-no-board",
    "list of": "wrong-brackets",
    "board of": "returns-board-alone",
    "tuple of int, board": "pair-turned",
    "an error": "error-returned",
    OTHER_SHAPE: "other-shape",
}


def of_drawn(label: str, wanted: Any, got: Any) -> list[str]:
    """Return the ids of the hints for a wrong fact about a function that draws random numbers."""
    if label in fact_hints():
        is_counted = label == "the first, the last" or "nothing to count" not in got
        is_written = "NotImplementedError" not in str(got)
        return [fact_hints()[label]] if is_counted and is_written else []
    match label:
        case "a full board" | "a merge on a full board" | "a wrong direction":
            return _of_kinds(wanted, got)
        case "an illegal move" | "no legal move at all":  # both leave the board as it was
            return ["illegal-move-changes"] if "board" in got else _of_kinds(wanted, got)
        case "a legal move":
            return ["legal-move-does-nothing"] if got == ["as it was"] else []
        case "other legal moves" if ["as it was"] in got:
            return ["legal-move-does-nothing"]
        case "answers" | "small boards" | "other legal moves":
            return [*dict.fromkeys(chain(*map(_of_kinds, wanted, got)))]
        case "new tiles":
            return _of_counts({*wanted}, {*got}, "no-new-tile", "tiles")
        case "tiles":
            return _of_counts({*chain(*wanted)}, {*chain(*got)}, "too-few-tiles", "tiles")
        case "new tiles of other moves":
            return ["no-tile-after-some-moves"] if [0] in got and [1] in got else []
        case "4s":
            return of_fours(got)
        case "shapes":
            return ["other-shape"] if all(got) else []
        case "how many":
            right, seen = {*chain(*wanted)}, {*chain(*got)}
            is_some = [] not in got or seen == {0}
            return _of_counts(right, seen, "nothing-cleared", "cleared") if is_some else []
        case "which" if got:
            return ["large-tiles-cleared" if max(got) > max(wanted) else "some-tiles-never-cleared"]
        case "the score":
            return ["other-price"] if len(got) == len(wanted) else []
    return []


def of_fours(got: str) -> list[str]:
    """Return a list with the id of the hint for a wrong share of 4s; `[]` if there are no tiles.

    >>> of_fours("most"), of_fours("none"), of_fours("nothing to count")
    (['too-many-fours'], ['never-a-four'], [])
    """
    if got == "nothing to count":
        return []
    return [{"none": "never-a-four", "all": "only-fours"}.get(got, "too-many-fours")]


def _of_kinds(wanted: list[str], got: list[str]) -> list[str]:
    """Return the ids of the hints for answers of wrong kinds.

    Return `[]` if all kinds are right, or if no code is written yet.
    """
    odd = [kind for kind in got if kind not in wanted]
    if not odd or "raises NotImplementedError" in odd:
        return []
    if wanted == ["raises ValueError"]:
        if odd == ["an error"]:
            return ["error-returned"]
        is_raised = all(kind.startswith("raises") for kind in odd)
        return ["other-error" if is_raised else "no-error"]
    error = next((kind.removeprefix("raises ") for kind in odd if kind.startswith("raises")), None)
    if error is not None:
        is_seldom = bool({"board", PAIR} & {*got})
        return ["stops-sometimes"] if is_seldom else of_error_named(error, "")
    if odd == ["NoneType"] and len(got) > 1:
        return ["forgets-return"]
    kind = odd[0] if odd[0] in _OF_KINDS else odd[0].partition(" of ")[0] + " of"
    return [_OF_KINDS.get(kind, "other-kind")]


def _of_counts(right: set[int], seen: set[int], none: str, tiles: str) -> list[str]:
    """Return a list with the id of the hint for wrong counts of tiles; `[]` if nothing was counted.

    The id is `none` if all counts are 0. Else it ends with `tiles`, as "too-many-tiles" does.
    """
    if not seen:
        return []
    if seen == {0}:
        return [none]
    if max(seen) > max(right):
        return [f"too-many-{tiles}"]
    return [f"{'sometimes-' if seen & right else ''}too-few-{tiles}"]
