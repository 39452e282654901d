"""Slips (ids of general hints) of objects and agents: those that wrong facts about them show."""

import builtins
from typing import Any

from course.function_calls import Answer
from course.hints.class_facts import PHASES, Fact
from course.hints.fact_comparison import NO_BOARD, UNKNOWN
from course.hints.slips.compared_call import AskedCall
from course.hints.slips.of_answers import slips_of
from course.hints.spawning_facts import of_fours

OF_BOARD = ("slid", "new tiles", "cleared", "shape")  # labels of facts that a game's board shows
STEPS = ("all", "answer", "answer of a step")  # labels of facts about steps, not about attributes

# Labels of facts that, if they are wrong, make all facts after them wrong, too.
SPOILING = ("all", "only looks", "slid", "new tiles", "board", "cleared")


def of_fact(wanted: Fact, got: Fact) -> list[str]:
    """Return the slips of a wrong fact, `got`; `[]` if the code for it is not written yet.

    `wanted` is the right fact.
    """
    if UNKNOWN in (wanted.value, got.value):
        return []
    if got.label in PHASES:
        return _of_playing(got.label, got.value)
    found = _of_label(wanted, got)
    if found is not None:
        return found
    slips = slips_of(_asked_of(wanted, got)) if got.question else []
    is_property = got.label.startswith(("is_", "has_", "can_"))
    if is_property and slips[:1] == ["returns-function"]:
        return ["property-forgotten"]
    return slips


def example_of(wanted: Fact, got: Fact) -> str:
    """Return a sentence that says what to try or, for a plain value, shows this value."""
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
    """Return a fact and the right fact as a call with two answers."""
    return AskedCall(got.question, (), _answer(wanted.value), _answer(got.value))


def _of_label(wanted: Fact, got: Fact) -> list[str] | None:
    """Return the slips that the label of a wrong fact shows; `None` if the value must show them."""
    right, seen = wanted.value, got.value
    if is_error(seen) and seen["error"] == NO_BOARD:
        return ["no-board"]
    if is_error(seen) and not is_error(right):
        return None
    if isinstance(seen, list) and seen and is_error(seen[0]):
        return []
    match got.label:
        case "only looks":
            return ["question-changes"]
        case "slid":
            return ["board-not-slid"]
        case "new tiles":
            return _of_new_tiles(right, seen)
        case "board":
            return _of_board(right, seen)
        case "shape" | "own_size":
            return ["other-shape"]
        case "cleared":
            return _of_cleared(right, seen)
        case "chance left" if seen is True:
            return ["second-chance-stays"]
        case "chance back" if seen is False:
            return ["second-chance-not-back"]
        case "score" if got.part.endswith(".continue_") and type(seen) is int:
            return ["other-price"]
        case "text":
            return _of_text(seen)
        case "score" | "moves" if type(seen) is int:
            return [f"{got.label}-too-{'low' if seen < right else 'high'}"]
        case "two_games" | "apart":
            return ["state-shared"]
        case "first_fours":
            return of_fours(seen)
        case "first_chance" | "chance" | "restarts":
            return ["own-chance"]
        case "own_chances":
            return ["second-chance-shared"]
        case "clearing":
            return ["own-chance"]
        case "answer of a step":
            return []
    return None


def _of_new_tiles(right: Any, seen: Any) -> list[str]:
    if right == "unchanged":
        return ["illegal-move-changes"]
    if seen == "unchanged":
        return ["board-not-slid"]
    if len(seen) != len(right):
        return ["no-new-tile" if not seen else "too-many-tiles"]
    return ["p-four-not-obeyed"]


def _of_board(right: Any, seen: Any) -> list[str]:
    if seen[:2] != right[:2]:
        return ["other-shape"]
    if len(seen) > len(right):
        return ["shared-rows", "too-many-tiles"]
    return ["too-few-tiles" if seen[2] < right[2] else "too-many-tiles"]


def _of_cleared(right: Any, seen: Any) -> list[str]:
    """Return the slips of a wrong number of cleared tiles, or of a change on other squares."""
    if not isinstance(right, list):
        return []
    if not seen[1]:
        return ["rest-changes"]
    if seen[0] == 0:
        return ["nothing-cleared"]
    return ["too-many-cleared" if seen[0] > right[0] else "too-few-cleared"]


def _of_text(seen: Any) -> list[str]:
    if seen is False:
        return ["other-kind"]
    _is_long, has_rows, has_score = seen
    if not has_rows:
        return ["text-rows"]
    return ["text-score"] if not has_score else ["text-lines"]


def is_error(value: Any) -> bool:
    """Return true if a fact is an error."""
    return isinstance(value, dict) and "error" in value


def _answer(value: Any) -> Answer:
    """Return an answer from which a fact with this value could come."""
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


_OF_AGENTS = {
    "NoneType": "forgets-return",
    "bool": "returns-flag",
    "int": "returns-number",
    "list": "returns-list",
    "list of squares": "returns-list",
    "square as a list": "wrong-brackets",
    "square that is not legal": "not-legal",
}


def _of_playing(phase: str, got: Any) -> list[str]:
    """Return the slips of an agent's answer that is not legal; `phase` is `"place"` or `"push"`."""
    if "raises" in got:
        return list(got["slips"])
    kind = got["gives a"]
    if kind == "str":
        return ["not-legal" if phase == "push" else "returns-text"]
    return [_OF_AGENTS.get(kind, "other-kind")]
