"""The general entries: they describe what is seen if no known mistake explains it exactly.

For a function that draws, or a class, they describe its facts; for any other function, its answers
beside the right ones. If a check has failed, they describe the call for which it failed.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from course import rules
from course.answers import Answer, Failure, call_many, same
from course.heard import sounds_like
from course.hints.facts import agrees, gives_errors_only
from course.hints.observe import (
    ANY_ORDER,
    AS_HEARD,
    Call,
    call_of,
    more_like,
    observe,
    sorted_if_list,
    watched,
)
from course.hints.slips import Asked, slips_of, slips_of_all
from course.hints.slips.of_chance import of_chance, of_clearing
from course.hints.slips.of_kinds import STOPS
from course.hints.slips.of_objects import (
    SPOILING,
    STEPS,
    Fact,
    example_of,
    exercise_of_part,
    facts_of,
    is_error,
    of_fact,
    of_playing,
)

SMALL = ("Score",)  # classes whose other parts only read what the class itself keeps

# Entries that make other answers wrong, too: if one of them is true, it is said first.
STATE_SHARED = "state-shared"
CHANCE_SHARED = "second-chance-shared"
CHANGES = "changes-its-argument"
CAUSES = (
    STATE_SHARED,
    "shared-rows",
    "legal-move-does-nothing",
    "nothing-cleared",
    "own-chance",
    CHANCE_SHARED,
)

# An entry, and those that say nothing if it is true: if nothing is drawn, no chance can be seen.
IN_VAIN = {
    "no-two-and-no-four": ["only-fours"],
    "no-new-tile": ["own-chance", "unfair-squares"],
    "nothing-cleared": ["own-chance", "unfair-clearing"],
}


@dataclass(frozen=True)
class Slip:
    """A general entry that is true: its id, the exercise, an example, and what to watch.

    `is_all` says if it is true of all that is wrong, and `is_near` if it is known to be true of
    what a check has shown. `name` is the attribute that was read, if that is no exercise.
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
    """The ids of the general entries that describe one wrong answer, and an example of it."""

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
    """Return the entry that is true of most wrong facts of a function that draws, or of a class.

    `order` holds the ids of all general entries; `about` is the one part of a class that is asked
    for, or empty. `None` if no entry is true.
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
    """Yield what is wrong with each wrong answer of an agent.

    `push` is an exercise of its own; `place` belongs to that of the class.
    """
    for probe, wanted, got in zip(probes, right, seen, strict=True):
        phase = call_of(probe)[1][0]
        if not agrees(got, wanted):
            part = exercise_of_part(name, phase)
            yield Found(part, tuple(of_playing(phase, got)), "", name=phase)


def most(found: Sequence[Found], order: Sequence[str], near: Collection[str] = ()) -> Slip | None:
    """Return the entry that is true of most of what is found, or `None` if there is none.

    It is one of those that are `near`, if any of them is found, and one of the `CAUSES`, if any of
    them is left. `order` holds the ids of all general entries; of two that are true equally often,
    the first is taken.
    """
    counts = Counter((each.exercise, slip) for each in found for slip in dict.fromkeys(each.ids))
    ranked = [key for key in counts if key[1] in order]
    ranked = [key for key in ranked if key[1] in near] or ranked
    # An entry that says which error it is, or what is answered, says more than `STOPS`.
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
        found = own  # its other parts only show what these have done
    if name in SMALL and _is_shared(facts):
        found.append(Found(name, (STATE_SHARED,), ""))
    return sorted(found, key=lambda each: len(each.example))


def _is_shared(facts: list[Fact]) -> bool:
    """Return true if two new objects give different answers to the same question."""
    first: dict[str, Any] = {}
    return any(first.setdefault(fact.question, fact.value) != fact.value for fact in facts)


def _of_object(wanted: list[Fact], got: list[Fact]) -> Iterator[Found]:
    """Yield what is wrong on one probe, up to the fact that makes all later ones wrong, too.

    After a wrong board, only the part that made it wrong is still looked at. After an error that
    should not be there, or a missing one that should, nothing is.
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
    """Return what a right function or class shows on these probes."""
    return observe(getattr(rules, name), observer, list(probes), seconds=10.0)


def answered(function: Callable[..., Any], observer: str, probes: list[str]) -> list[Asked]:
    """Return the answers of a function to its probes, in order, and then to more calls like them.

    Each comes with the right answer. Raises `NoAnswer` if the function does not come back.
    """
    name = function.__name__
    arguments = [call_of(probe)[1] for probe in probes] + more_like(probes)
    wanted = call_many(getattr(rules, name), arguments)
    with watched(function):
        got = call_many(function, arguments)
    asked = zip(arguments, wanted, got, strict=True)
    return [_asked(name, observer, *each) for each in asked]


def slip_of_answers(
    name: str, asked: Sequence[Asked], order: Sequence[str], near: Sequence[str] = ()
) -> Slip | None:
    """Return the general entry that describes most wrong answers of a function, or `None`.

    `order` holds the ids of all general entries, and `near` the ids of those that describe the call
    for which a check has failed: if there are any, one of them is chosen.
    """
    wrong = [each for each in asked if each.changes or not each.is_answered_rightly]
    of_all = slips_of_all(asked)
    found = []
    for each in sorted(wrong, key=lambda each: len(each.text)):
        watch = f"watch({name}, {', '.join(map(repr, each.given))})"
        found.append(Found(name, (*of_all, *slips_of(each)), each.example, watch))
    return most([*found, Found(name, tuple(near), "")] if near else found, order, near)


def near_failure(name: str, observer: str, failure: Failure, asked: Sequence[Asked]) -> list[str]:
    """Return the ids of the entries that describe the call for which a check failed, closest first.

    They begin with the entries that describe all answers, this one included. There are none of
    those if the call should have raised an error. If it is wrong that the call changes an argument,
    the only id is that of this mistake.
    """
    if failure.is_change:
        return [CHANGES]
    [wanted] = call_many(getattr(rules, name), [failure.given])
    failed = _asked(name, observer, failure.given, wanted, failure.got)
    slips = slips_of(failed)
    is_wrong_value = failed.wanted.error is None and not failed.is_answered_rightly
    return [*slips_of_all([*asked, failed]), *slips] if slips and is_wrong_value else slips


def numbers_near(asked: Sequence[Asked], near: Sequence[str]) -> list[int]:
    """Return the numbers of the calls described by one of these entries, given by their ids."""
    return [number for number, each in enumerate(asked) if {*near} & {*slips_of(each)}]


def _asked(name: str, observer: str, given: tuple[Any, ...], wanted: Answer, got: Answer) -> Asked:
    """Return one call with the right answer and the function's, as this observer compares them.

    One of the observers ignores the order of a list.
    """
    if observer == ANY_ORDER:
        wanted, got = (replace(each, value=sorted_if_list(each.value)) for each in (wanted, got))
    alike = sounds_like if observer == AS_HEARD else same
    text = f"{name}({', '.join(map(repr, given))})"
    return Asked(text, given, wanted, got, alike)
