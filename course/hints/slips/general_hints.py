"""General hints: they describe wrong answers, whatever the cause, if no known mistake fits exactly.

For a class, or a function that draws random numbers, a general hint describes wrong facts. For any
other function, it describes wrong answers. If a check has failed, the hint describes the call for
which the check failed. The id of a general hint is called a slip.
"""

import inspect
import re
from collections import Counter
from collections.abc import Collection, Sequence
from difflib import get_close_matches
from itertools import chain
from typing import Any

from course import rules
from course.function_calls import Answer, Failure
from course.hints.fact_comparison import agrees, gives_errors_only
from course.hints.mistakes import TEXTS, Diagnosis, general, general_entries, hints_marked
from course.hints.object_facts import PHASES
from course.hints.observe import AskedCall, Observation, asked
from course.hints.slips.of_answers import slips_of, slips_of_all
from course.hints.slips.of_facts import SPOILING, STEPS, example_of, is_error, of_drawn, of_fact
from course.hints.slips.of_kinds import STOPS, name_of_odd, of_error, of_no_error
from course.lessons import exercises_of
from course.plain_errors import place_of

SMALL = ("Score",)  # classes whose other exercises only read what the class's own exercise stores

STATE_SHARED = "state-shared"
ABOUT_ERRORS = re.compile(r"\b(error|raises?|raised)\b")
OTHERS_TOO = "Look at the other answers, too: not all of them are wrong in this way."


# A wrong answer or fact: its exercise, the ids of the general hints that describe it, and other
# arguments to pass to `general_hint`, by name.
Found = tuple[str, Sequence[str], dict[str, str]]


def general_hint(
    id: str,
    exercise: str,
    example: str = "",
    watch: str = "",
    name: str = "",
    is_all: bool = True,
    is_near: bool = False,
) -> Diagnosis:
    """Return the general hint `id` for an exercise that is solved wrongly.

    `example` is a sentence that shows a wrong answer; `watch` is code that calls the course's
    function `watch` to show how the answer comes about. `name` is the attribute that was read, if
    the attribute is no exercise of its own. `is_all` is true if the hint applies to all wrong
    answers; `is_near` is true if the hint surely applies to the call for which a check has failed.
    """
    name = name or exercise.rpartition(".")[2]
    said = {key: getattr(general()[id], key).replace("{name}", name) for key in TEXTS}
    more = "" if is_all else OTHERS_TOO
    said["explain"] = " ".join(filter(None, [said["explain"], example, more]))
    if watch:
        said["show"] += f" `{watch}` shows your code at work, line by line."
        if not is_all and not is_near:  # the check may be about one of the other answers
            call = watch.removeprefix("watch(").replace(", ", "(", 1)
            said["nudge"] = f"Try `{call}`. {said['nudge']}"
    return Diagnosis(exercise=exercise, **said)


def most(found: Sequence[Found], near: Collection[str] = ()) -> Diagnosis | None:
    """Return the general hint that describes the most wrong answers, or `None` if there is none.

    But hints in `near` come before all others, then hints that say much before hints that say
    little, then hints that `general.toml` marks as causes. Of hints that describe equally many
    answers, the one that stands first in `general.toml` is returned.
    """
    order, causes = list(general()), hints_marked("cause")
    counts = Counter((where, slip) for where, ids, _ in found for slip in dict.fromkeys(ids))
    little = hints_marked("says little") - {ids[0] for _, ids, _ in found if ids}

    def rank(key: tuple[str, str]) -> tuple[bool | int, ...]:
        slip = key[1]
        says_more = slip != STOPS, slip not in little  # `STOPS` does not even name the error
        return (slip in near, *says_more, slip in causes, counts[key], -order.index(slip))

    best = max((key for key in counts if key[1] in order), key=rank, default=None)
    if best is None:
        return None
    exercise, slip = best
    told = next(told for where, ids, told in found if where == exercise and slip in ids)
    is_all = counts[best] == sum(bool(ids) for _, ids, _ in found)
    return general_hint(slip, exercise, **told, is_all=is_all, is_near=slip in near)


def hint_at_drawing(
    name: str, right: list[Any], seen: list[Any], failure: Failure | None
) -> Diagnosis | None:
    """Return the general hint that describes the most wrong facts about a function, or `None`.

    `seen` are the facts about the function, which draws random numbers; `right` are the right ones.
    If a check has failed because of an error, the hint is about this error. If a check has failed
    without an error, the hint is not about errors.
    """
    error = None if failure is None else failure.got.error
    if failure is not None and error is not None and name_of_odd(failure.got) is None:
        return most([(name, of_error(error), {})])
    found = [
        of_drawn(label, wanted, got)
        for (label, wanted), (_, got) in zip(right, seen, strict=True)
        if not agrees(got, wanted)
    ]
    told = {*chain(*found)}
    if failure is not None and error is None:
        of_errors = {id for id, told in general_entries().items() if "errors" in told}
        of_errors |= hints_marked("of errors")
        found = [[id for id in ids if id not in of_errors] for ids in found]
        told -= of_errors
    elif gives_errors_only(seen) and "unfair-squares" not in told:
        found = found[:1]
        told = {*chain(*found)}
    vain = {slip for cause in told for slip in general_entries().get(cause, {}).get("hides", ())}
    return most([(name, ids, {}) for ids in found if not vain & {*ids}])


def hint_at_object(
    name: str, right: Observation, seen: Observation, about: str
) -> Diagnosis | None:
    """Return the general hint that describes the most wrong facts about a class, or `None`.

    If `about` names a part of the class, only facts about this part count. Facts that may be wrong
    only because of an earlier fact of the same probe are left out. After a wrong fact with a label
    in `SPOILING`, such as a wrong board, these are the facts about other parts. After a step that
    wrongly raises an error, or wrongly raises none, these are all later facts.
    """
    found: list[Found] = []
    for wanted, got in zip(right.parts, seen.parts, strict=True):
        culprit, rights = "", {fact.question: fact for fact in wanted}
        for fact in got:
            due = rights.get(fact.question, wanted[0])
            if due.value == fact.value or culprit not in ("", fact.part):
                continue
            is_attribute = fact.label in (fact.question.rpartition(".")[2], *PHASES)
            name_of_fact = fact.label if is_attribute else ""
            told = {"example": example_of(due, fact), "name": name_of_fact}
            found.append((fact.part, of_fact(due, fact), told))
            culprit = fact.part if fact.label in SPOILING else culprit
            if fact.label in STEPS and is_error(fact.value) != is_error(due.value):
                break
    facts = [fact for part in seen.parts for fact in part]
    if not any(fact.label == "can_continue" and fact.value is True for fact in facts):
        found = [each for each in found if "second-chance-shared" not in each[1]]
    if name in SMALL:
        # Its other exercises only show what its own exercise has stored.
        found = [each for each in found if each[0] == name and each[1]] or found
        first: dict[str, Any] = {}
        if any(first.setdefault(fact.question, fact.value) != fact.value for fact in facts):
            found.append((name, [STATE_SHARED], {}))
    found.sort(key=lambda each: len(each[2].get("example", "")))
    return most([each for each in found if about in ("", each[0])])


def hint_at_missing_method(own_class: type, name: str, part: str) -> Diagnosis | None:
    """Return the general hint for a class that lacks a method needed by `part`, or `None`."""
    right = vars(getattr(rules, name))
    others = {each.name.partition(".")[2] for each in exercises_of(name)}
    method = part.partition(".")[2]
    first = [each for each in right if inspect.isfunction(right[each]) and each not in others]
    for each in [method] if method else first if part else []:
        if getattr(own_class, each, None) is getattr(object, each, None):
            like = get_close_matches(each, [own for own in vars(own_class) if own not in right], 1)
            example = f"There is a `{like[0]}`. Is that misspelt?" if like else ""
            return general_hint("method-missing", part, example, name=each)
    return None


def hint_at_answers(
    name: str,
    answers: Sequence[AskedCall],
    near: Sequence[str] = (),
    failure: Failure | None = None,
) -> Diagnosis | None:
    """Return the general hint that describes the most wrong answers of a function, or `None`.

    `failure` is the call for which a check has failed, and `near` holds the ids of the hints that
    describe this call. If there is a `failure`, the example in the hint is, if possible, a call
    that fails on the same line of code, and has the same arguments after the first, such as the
    direction of a slide.
    """

    def distance(each: AskedCall) -> tuple[bool, bool, int]:
        if failure is None:
            return False, False, len(each.text)
        lines = (each.got.error, failure.got.error)
        is_elsewhere = len({error and place_of(error) for error in lines}) > 1
        return is_elsewhere, each.given[1:] != failure.given[1:], len(each.text)

    wrong = [each for each in answers if each.changes or not each.is_answered_rightly]
    of_all = slips_of_all(answers)
    found: list[Found] = []
    for each in sorted(wrong, key=distance):
        watch = f"watch({name}, {', '.join(map(repr, each.given))})"
        slips = _with_others(slips_of(each), answers)
        found.append((name, [*of_all, *slips], {"example": each.example, "watch": watch}))
    return most([*found, (name, near, {})] if near else found, near)


def near_failure(
    name: str, observer: str, failure: Failure | None, answers: Sequence[AskedCall]
) -> list[str]:
    """Return the ids of the general hints for the call that failed a check, the best one first.

    If the answer to this call is wrong, hints that describe all answers together come first.
    """
    if failure is None or failure.is_change:
        return [] if failure is None else ["changes-its-argument"]
    failed = asked(name, observer, failure.given, failure.got)
    slips = _with_others(slips_of(failed), answers)
    is_wrong_value = failed.wanted.error is None and not failed.is_answered_rightly
    return [*slips_of_all([*answers, failed]), *slips] if slips and is_wrong_value else slips


def _with_others(slips: list[str], answers: Sequence[AskedCall]) -> list[str]:
    """Return `slips`, the ids of the hints for a call, perhaps with one more.

    If this call does not raise the right error, but others do, "raises-not-always" comes first.
    """
    raised = [each for each in answers if each.wanted.error and each.is_answered_rightly]
    is_silent = slips[:1] in (["no-error"], ["other-error"])
    return ["raises-not-always", *slips] if raised and is_silent else slips


def about_the_error(diagnosis: Diagnosis | None, name: str, got: Answer) -> Diagnosis | None:
    """Return the diagnosis of a function that should raise an error, but gave the answer `got`.

    `diagnosis` is returned as it is if it is about errors, about a line that may prevent one, or
    about a helper of the function. If not, the general hint that describes `got` takes its place,
    if there is such a hint.

    >>> said = Diagnosis("never-flipped", "", "At which wall are your tiles?", "", "", "slide")
    >>> about_the_error(said, "slide", Answer([[2]], None, ())).nudge
    'Is there a call for which `slide` has to raise an error?'
    """
    if diagnosis is None or diagnosis.id in hints_marked("lets through"):
        return diagnosis
    if diagnosis.exercise.partition(".")[0] != name:
        return diagnosis
    if ABOUT_ERRORS.search(f"{diagnosis.title} {diagnosis.nudge}"):
        return diagnosis
    slips = of_no_error(got)
    return general_hint(slips[0], name) if slips else diagnosis
