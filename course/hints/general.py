"""The general entries: what is true of what is seen, where no exact mistake is known."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from course import rules
from course.hints.exact import gives_errors_only
from course.hints.facts import agrees
from course.hints.observe import Call, call_of, observe
from course.hints.slips.of_chance import of_chance
from course.hints.slips.of_clearing import of_clearing
from course.hints.slips.of_errors import STOPS
from course.hints.slips.of_objects import (
    SPOILING,
    STEPS,
    Fact,
    example_of,
    exercise_of_part,
    facts_of,
    is_error,
    of_fact,
)
from course.hints.slips.of_playing import of_playing

SMALL = ("Score",)  # classes whose parts all read what one part keeps

# What makes other answers wrong, too: where it is true, it is said first.
STATE_SHARED = "state-shared"
CHANCE_SHARED = "second-chance-shared"
CAUSES = (
    STATE_SHARED,
    "shared-rows",
    "legal-move-does-nothing",
    "nothing-cleared",
    "own-chance",
    CHANCE_SHARED,
)


# What says nothing where something else is true: where nothing is drawn, chance is not seen.
IN_VAIN = {
    "no-two-and-no-four": ["only-fours"],
    "no-new-tile": ["own-chance", "unfair-squares"],
    "nothing-cleared": ["own-chance", "unfair-clearing"],
}


@dataclass(frozen=True)
class Slip:
    """A general entry that is true: its id, the exercise, an example, and what to watch.

    `is_all` is whether it is true of all that is wrong, `is_near` whether it is known to be true of
    what a check has shown. `name` is what was asked, if that is no exercise: an attribute.
    """

    id: str
    exercise: str
    example: str = ""
    watch: str = ""
    is_all: bool = True
    is_near: bool = False
    name: str = ""


@dataclass(frozen=True)
class Found:
    """What is true of one wrong answer."""

    exercise: str
    ids: tuple[str, ...]
    example: str
    watch: str = ""
    name: str = ""


def slip_of_facts(
    name: str,
    observer: str,
    probes: list[str],
    seen: Any,
    order: Sequence[str],
    about: str = "",
) -> Slip | None:
    """The entry that is true of most wrong facts of a function that draws, or of a class.

    `order` are the ids of all general entries; `about` is the one part of a class that is
    asked for.
    """
    right = right_facts(name, observer, tuple(probes))
    if observer in ("game", "using"):
        calls = [call_of(probe) for probe in probes]
        found = _of_objects(name, calls, right, seen)
        return most([each for each in found if about in ("", each.exercise)], order)
    if observer == "playing":
        return most(list(_of_agents(name, probes, right, seen)), order)
    of_drawn = of_clearing if observer == "clearing" else of_chance
    drawn = [
        Found(name, tuple(of_drawn(label, wanted, got)), "")
        for (label, wanted), (_, got) in zip(right, seen, strict=True)
        if not agrees(got, wanted)
    ]
    if gives_errors_only(seen):
        return most(drawn[:1], order)
    told = {slip for each in drawn for slip in each.ids}
    vain = {slip for cause, slips in IN_VAIN.items() if cause in told for slip in slips}
    return most([each for each in drawn if not vain & {*each.ids}], order)


def _of_agents(name: str, probes: list[str], right: Any, seen: Any) -> Iterator[Found]:
    """What is wrong with the answers of an agent; `place` is a part of its class itself."""
    for probe, wanted, got in zip(probes, right, seen, strict=True):
        phase = call_of(probe)[1][0]
        if not agrees(got, wanted):
            part = exercise_of_part(name, phase)
            yield Found(part, tuple(of_playing(phase, got)), "", name=phase)


def most(found: Sequence[Found], order: Sequence[str], near: Collection[str] = ()) -> Slip | None:
    """The entry that is true of most of what is found; one of those that are `near`, if any is.

    `order` are the ids of all general entries; of two that are true as often, the first is taken.
    """
    counts = Counter((each.exercise, slip) for each in found for slip in dict.fromkeys(each.ids))
    ranked = [key for key in counts if key[1] in order]
    ranked = [key for key in ranked if key[1] in near] or ranked
    # That something stops with an error says less than which error it is, or what is answered.
    ranked = [key for key in ranked if key[1] != STOPS] or ranked
    if not ranked:
        return None
    best = max(ranked, key=lambda key: (key[1] in CAUSES, counts[key], -order.index(key[1])))
    exercise, slip = best
    example = next(each for each in found if each.exercise == exercise and slip in each.ids)
    is_all = counts[best] == sum(bool(each.ids) for each in found)
    is_near = slip in near
    return Slip(slip, exercise, example.example, example.watch, is_all, is_near, example.name)


def _of_objects(name: str, calls: list[Call], right: Any, seen: Any) -> list[Found]:
    probes = [
        (facts_of(name, probe, wanted), facts_of(name, probe, got))
        for probe, wanted, got in zip(calls, right, seen, strict=True)
    ]
    found = [each for wanted, got in probes for each in _of_object(wanted, got)]
    facts = [fact for _, got in probes for fact in got]
    if not any(fact.label == "can_continue" and fact.value is True for fact in facts):
        found = [each for each in found if CHANCE_SHARED not in each.ids]
    own = [each for each in found if each.exercise == name and each.ids]
    if name in SMALL and own:
        found = own  # its other parts only tell what these have done
    if name in SMALL and _is_shared(facts):
        found.append(Found(name, (STATE_SHARED,), ""))
    return sorted(found, key=lambda each: len(each.example))


def _is_shared(facts: list[Fact]) -> bool:
    """Whether two new objects give different answers to one question."""
    first: dict[str, Any] = {}
    return any(first.setdefault(fact.question, fact.value) != fact.value for fact in facts)


def _of_object(wanted: list[Fact], got: list[Fact]) -> Iterator[Found]:
    """What is wrong on one probe, up to where it makes all that follows wrong, too.

    After a board that is wrong, that is so but for the part that made it so; after an error where
    there should be none, or none where there should be one, it is so for all parts.
    """
    culprit = ""
    rights = {fact.question: fact for fact in wanted}
    for fact in got:
        right = rights.get(fact.question, wanted[0])
        if right.value != fact.value and culprit in ("", fact.part):
            ids, example = tuple(of_fact(right, fact)), example_of(right, fact)
            yield Found(fact.part, ids, example, name=fact.attribute)
            culprit = fact.part if fact.label in SPOILING else culprit
            if fact.label in STEPS and is_error(fact.value) != is_error(right.value):
                return


@cache
def right_facts(name: str, observer: str, probes: tuple[str, ...]) -> Any:
    """What a right function or class shows on these probes."""
    return observe(getattr(rules, name), observer, list(probes), seconds=10.0)
