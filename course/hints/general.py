"""The general entries: what is true of wrong answers, where no exact mistake is known."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from course import rules
from course.answers import Answer, call_many
from course.heard import heard
from course.hints.facts import agrees
from course.hints.more import more_like
from course.hints.observe import (
    ANY_ORDER,
    AS_HEARD,
    Call,
    call_of,
    observe,
    sorted_if_list,
    watched,
)
from course.hints.slips import Asked, slips_of, slips_of_all
from course.hints.slips.of_chance import of_chance
from course.hints.slips.of_errors import OTHER, STOPS
from course.hints.slips.of_objects import SPOILING, Fact, example_of, facts_of, of_fact

Function = Callable[..., Any]


@dataclass(frozen=True)
class Slip:
    """A general entry that is true: its id, the exercise, an example, and what to watch.

    `is_all` is whether it is true of all that is wrong.
    """

    id: str
    exercise: str
    example: str = ""
    watch: str = ""
    is_all: bool = True


@dataclass(frozen=True)
class Found:
    """What is true of one wrong answer."""

    exercise: str
    ids: tuple[str, ...]
    example: str
    watch: str = ""


def slip_of_answers(
    function: Function, observer: str, probes: list[str], order: Sequence[str]
) -> Slip | None:
    """The general entry that is true of most wrong answers of a function; `None` if there is none.

    `order` are the ids of all general entries; of two that are true as often, the first is taken.
    """
    name = function.__name__
    arguments = [call_of(probe)[1] for probe in probes] + more_like(probes)
    all_asked = _ask(function, observer, arguments)
    wrong = [asked for asked in all_asked if asked.changes or not asked.is_answered_rightly]
    of_all = slips_of_all(all_asked)
    found = [
        Found(name, (*of_all, *slips_of(asked)), asked.example, f"watch({name}, {_typed(asked)})")
        for asked in sorted(wrong, key=lambda asked: len(asked.text))
    ]
    return _most(found, order)


def slip_of_facts(
    name: str,
    observer: str,
    probes: list[str],
    seen: Any,
    order: Sequence[str],
    about: str = "",
) -> Slip | None:
    """The same for a function that draws, or a class, of which these facts are seen.

    `about` is the one part of the class that is asked about.
    """
    right = _right_facts(name, observer, tuple(probes))
    if observer in ("game", "using"):
        calls = [call_of(probe) for probe in probes]
        found = _of_objects(name, calls, right, seen)
        return _most([each for each in found if about in ("", each.exercise)], order)
    drawn = [
        Found(name, tuple(of_chance(label, wanted, got)), "")
        for (label, wanted), (_, got) in zip(right, seen, strict=True)
        if not agrees(got, wanted)
    ]
    is_odd = any("no-two-and-no-four" in each.ids for each in drawn)
    return _most([each for each in drawn if not is_odd or "only-fours" not in each.ids], order)


def _most(found: Sequence[Found], order: Sequence[str]) -> Slip | None:
    counts = Counter((each.exercise, slip) for each in found for slip in dict.fromkeys(each.ids))
    has_answers = any(not {STOPS, OTHER}.intersection(each.ids) for each in found)
    # That some calls stop with an error says nothing of those that come back with a wrong answer.
    ranked = [key for key in counts if key[1] in order and not (has_answers and key[1] == STOPS)]
    if not ranked:
        return None
    best = max(ranked, key=lambda key: (counts[key], -order.index(key[1])))
    exercise, slip = best
    example = next(each for each in found if each.exercise == exercise and slip in each.ids)
    is_all = counts[best] == sum(bool(each.ids) for each in found)
    return Slip(slip, exercise, example.example, example.watch, is_all)


def _ask(function: Function, observer: str, arguments: Sequence[tuple[Any, ...]]) -> list[Asked]:
    """The calls with these arguments, the right answers, and those of the function."""
    name = function.__name__
    wanted = call_many(getattr(rules, name), arguments)
    with watched(function):
        got = call_many(function, arguments)
    wanted, got = ([_as_seen(observer, answer) for answer in each] for each in (wanted, got))
    return [
        Asked(f"{name}({', '.join(map(repr, given))})", given, right, own)
        for given, right, own in zip(arguments, wanted, got, strict=True)
    ]


def _as_seen(observer: str, answer: Answer) -> Answer:
    """An answer without what makes no difference to this observer."""
    if observer == ANY_ORDER:
        return replace(answer, value=sorted_if_list(answer.value))
    if observer == AS_HEARD and type(answer.value) is str:
        return replace(answer, value=heard(answer.value))
    return answer


def _typed(asked: Asked) -> str:
    return ", ".join(map(repr, asked.given))


def _of_objects(name: str, calls: list[Call], right: Any, seen: Any) -> list[Found]:
    found: list[Found] = []
    for probe, wanted, got in zip(calls, right, seen, strict=True):
        found += _of_object(facts_of(name, probe, wanted), facts_of(name, probe, got))
    return sorted(found, key=lambda each: len(each.example))


def _of_object(wanted: list[Fact], got: list[Fact]) -> Iterator[Found]:
    """What is wrong on one probe; after a board that is wrong, only the part that made it so."""
    culprit = ""
    rights = {fact.question: fact for fact in wanted}
    for fact in got:
        right = rights.get(fact.question, wanted[0])
        if right.value != fact.value and culprit in ("", fact.part):
            yield Found(fact.part, tuple(of_fact(right, fact)), example_of(right, fact))
            culprit = fact.part if fact.label in SPOILING else culprit


@cache
def _right_facts(name: str, observer: str, probes: tuple[str, ...]) -> Any:
    return observe(getattr(rules, name), observer, list(probes), seconds=10.0)
