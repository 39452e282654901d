"""Slips of objects and of agents, from the facts that `course.hints` sees of them."""

import builtins
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from course import lessons
from course.answers import Answer
from course.hints.facts import NO_BOARD, UNKNOWN
from course.hints.slips.asked import Asked
from course.hints.slips.of_answers import slips_of
from course.hints.slips.of_chance import of_fours
from course.rules.board import DIRECTIONS

_STATE = ("board", "score", "moves", "is_over", "has_won", "text")
_MOVED = ("slid", "new tiles", "score", "moves", "is_over", "has_won")
_SPECIAL = ("shape", "score", "moves", "is_over", "has_won", "can_continue")
_CONTINUED = ("cleared", *_SPECIAL[1:])

STEPS = ("all", "answer", "answer of a step")  # facts of what is done, and not only read

# Facts that make all that follows wrong, too, if they are wrong.
SPOILING = ("all", "slid", "new tiles", "board", "cleared")


@dataclass(frozen=True)
class Fact:
    """One thing that is seen of an object. `part` is the exercise that it is about.

    `question` is the code that shows it, as a learner would type it.
    """

    part: str
    label: str
    question: str
    value: Any

    @property
    def attribute(self) -> str:
        """The attribute that the fact was read from; empty if it was not read from one."""
        name = self.question.rpartition(".")[2]
        return name if name == self.label else ""


def facts_of(name: str, probe: tuple[str, tuple[Any, ...]], seen: Any) -> list[Fact]:
    """Return the facts that were seen on one probe; `name` is that of the class."""
    kind, arguments = probe
    if kind in ("plays", "special"):
        return list(_played(name, kind == "special", arguments, seen))
    if kind == "uses":
        return list(_used(name, arguments, seen))
    if kind == "apart" and arguments:
        return list(_used(name, arguments[-1:], seen))
    part = exercise_of_part(name, "reset") if kind == "restarts" else name
    return [Fact(part, kind, "", seen)]


def _played(name: str, is_special: bool, arguments: tuple[Any, ...], seen: Any) -> Iterator[Fact]:
    """Yield the facts that were seen of a game, after its start and after each step."""
    start, steps, *_ = arguments
    if len(seen) == 1 and is_error(seen[0]):
        yield Fact(name, "all", f"{name}(…)", seen[0])
        return
    begin = (
        f"game.board = {start}; " if isinstance(start, list) else f"game = {name}{start or ()}; "
    )
    state = _SPECIAL if is_special else _STATE
    yield from _read(name, name, begin, state, seen[0])
    for step, facts in zip(steps, seen[len(seen) - len(steps) :], strict=True):
        call, method = _call(step)
        part = exercise_of_part(name, method) if method else name
        after = f"{begin}{call}; "
        if facts == UNKNOWN or (len(facts) == 1 and is_error(facts[0])):
            yield Fact(part, "all", begin + call, facts if facts == UNKNOWN else facts[0])
        elif is_special and step in DIRECTIONS:
            yield from _read(name, part, after, _SPECIAL[1:], facts[3:])
        else:
            if method:
                yield Fact(part, "answer", begin + call, facts[0])
            labels = _CONTINUED if method == "continue_" else state
            labels = _MOVED if step in DIRECTIONS else labels
            yield from _read(name, part, after, labels, facts[1:])
        begin = after


def _read(name: str, part: str, begin: str, labels: tuple[str, ...], facts: Any) -> Iterator[Fact]:
    """Yield the facts that are read of a game; some are exercises of their own.

    After `continue_` or `reset`, `can_continue` is a fact of that method, with a label of its own.
    """
    is_special = "can_continue" in labels
    owned = ("has_won", "can_continue") if is_special else ("is_over", "has_won", "text")
    methods = {f"{name}.continue_": "chance left", f"{name}.reset": "chance back"}
    for label, value in zip(labels, facts, strict=False):
        question = "str(game)" if label == "text" else f"game.{label}"
        own, told = part, label
        if label == "can_continue" and part in methods:
            told = methods[part]
        elif label in owned:
            own = exercise_of_part(name, "__str__" if label == "text" else label)
        yield Fact(own, told, begin + question, value)


def _call(step: Any) -> tuple[str, str]:
    """Return a step as it is typed, and the method that it calls; empty if it calls none."""
    if isinstance(step, dict):
        return "; ".join(f"game.{name} = {value!r}" for name, value in step.items()), ""
    if step in ("reset", "continue_"):
        return f"game.{step}()", step
    return f"game.move({step!r})", "move"


def of_fact(wanted: Fact, got: Fact) -> list[str]:
    """Return the slips of a fact that is not the right one; none if it is not written yet."""
    if UNKNOWN in (wanted.value, got.value):
        return []
    found = _of_label(wanted, got)
    if found is not None:
        return found
    slips = slips_of(asked_of(wanted, got)) if got.question else []
    is_property = got.label.startswith(("is_", "has_", "can_"))
    if is_property and slips[:1] == ["returns-function"]:
        return ["property-forgotten"]
    return slips


def example_of(wanted: Fact, got: Fact) -> str:
    """Return a sentence that shows where to look, and what is there if it is a plain value."""
    if not got.question:
        return ""
    if is_error(got.value) and got.value["error"].startswith("raises"):
        return f"For example, `{got.question}` {got.value['error']}."
    if got.label in ("slid", "new tiles", "board", "text", "all") or is_error(got.value):
        question = got.question
        for label in ("slid", "new tiles"):
            question = question.replace(f"game.{label}", "game.board")
        return f"Try `{question}`."
    return asked_of(wanted, got).example


def asked_of(wanted: Fact, got: Fact) -> Asked:
    """Return a fact, and the right one, as a question that was asked."""
    return Asked(got.question, (), _answer(wanted.value), _answer(got.value))


def _used(name: str, steps: tuple[Any, ...], seen: Any) -> Iterator[Fact]:
    thing = name.lower()
    if not isinstance(seen, list):
        yield Fact(name, "all", f"{name}()", seen)
        return
    begin = f"{thing} = {name}(); "
    for step, value in zip(steps, seen, strict=True):
        if isinstance(step, list):
            call = f"{thing}.{step[0]}({', '.join(map(repr, step[1:]))})"
            yield Fact(exercise_of_part(name, step[0]), "answer of a step", begin + call, value)
            begin += f"{call}; "
        elif step == "str":
            yield Fact(exercise_of_part(name, "__str__"), "a text", f"{begin}str({thing})", value)
        else:
            yield Fact(exercise_of_part(name, step), step, f"{begin}{thing}.{step}", value)


def exercise_of_part(name: str, part: str) -> str:
    """Return the exercise of a part of a class: its own if it has one, else that of the class."""
    try:
        return lessons.exercise(f"{name}.{part}").name
    except ValueError:
        return name


def _of_label(wanted: Fact, got: Fact) -> list[str] | None:
    """Return the slips of a fact that is no plain answer; `None` if it is one."""
    right, seen = wanted.value, got.value
    if is_error(seen) and seen["error"] == NO_BOARD:
        return ["no-board"]
    if is_error(seen) and not is_error(right):
        return None
    if isinstance(seen, list) and seen and is_error(seen[0]):
        return []
    match got.label:
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
    """Return the slips of the number of tiles that are gone, and of all other squares."""
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
    """Return an answer like the one that a fact was seen from."""
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
    return [_OF_AGENTS.get(kind, "other-kind")]
