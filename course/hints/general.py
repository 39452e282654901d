"""The general entries: they describe what is seen if no known mistake explains it exactly.

For a function that draws, or a class, they describe its facts; for any other function, its answers
beside the right ones. If a check has failed, they describe the call for which it failed.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from course.function_calls import Failure
from course.hints import drawing, second_chance
from course.hints.facts import agrees, gives_errors_only
from course.hints.mistakes import TEXTS, Diagnosis, general
from course.hints.object_facts import Fact
from course.hints.observe import Observation, asked
from course.hints.slips import AskedCall, slips_of, slips_of_all
from course.hints.slips.of_kinds import STOPS
from course.hints.slips.of_objects import SPOILING, STEPS, example_of, is_error, of_fact

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

OTHERS_TOO = "Look at the other answers, too: not all of them are wrong in this way."


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

    @property
    def diagnosis(self) -> Diagnosis:
        """What to say: the texts of the entry, with the name and the example filled in."""
        entry = general()[self.id]
        name = self.name or self.exercise.rpartition(".")[2]
        said = {key: getattr(entry, key).replace("{name}", name) for key in TEXTS}
        more = "" if self.is_all else OTHERS_TOO
        said["explain"] = " ".join(filter(None, [said["explain"], self.example, more]))
        if self.watch:
            said["show"] += f" `{self.watch}` shows your code at work, line by line."
            if not self.is_all and not self.is_near:
                # The check that failed may be about one of the other answers.
                call = self.watch.removeprefix("watch(").replace(", ", "(", 1)
                said["nudge"] = f"Try `{call}`. {said['nudge']}"
        return Diagnosis(exercise=self.exercise, **said)


@dataclass(frozen=True)
class Found:
    """The ids of the general entries that describe one wrong answer, and an example of it."""

    exercise: str
    ids: tuple[str, ...]
    example: str = ""
    watch: str = ""
    name: str = ""


def most(found: Sequence[Found], near: Collection[str] = ()) -> Slip | None:
    """Return the entry that is true of most of what is found, or `None` if there is none.

    It is one of those that are `near`, if any of them is found, and one of the `CAUSES`, if any of
    them is left. Of two that are true equally often, the closer one is taken.
    """
    order = list(general())
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


def slip_of_drawing(name: str, right: list[Any], seen: list[Any]) -> Slip | None:
    """Return the entry that is true of most wrong facts of a function that draws, or `None`."""
    slips = second_chance.SLIPS if name == "second_chance" else drawing.SLIPS
    found = [
        Found(name, tuple(slips[label](wanted, got)) if label in slips else ())
        for (label, wanted), (_, got) in zip(right, seen, strict=True)
        if not agrees(got, wanted)
    ]
    if gives_errors_only(seen):
        return most(found[:1])
    told = {slip for each in found for slip in each.ids}
    vain = {slip for cause, slips in IN_VAIN.items() if cause in told for slip in slips}
    return most([each for each in found if not vain & {*each.ids}])


def slip_of_object(name: str, right: Observation, seen: Observation, about: str) -> Slip | None:
    """Return the entry that is true of most wrong facts of a class, or `None`.

    `about` is the one part of the class that is asked for, or empty.
    """
    probes = zip(right.parts, seen.parts, strict=True)
    found = [each for wanted, got in probes for each in _of_object(wanted, got)]
    facts = [fact for part in seen.parts for fact in part]
    if not any(fact.label == "can_continue" and fact.value is True for fact in facts):
        found = [each for each in found if CHANCE_SHARED not in each.ids]
    if name in SMALL:
        # Its other parts only show what the class itself has done.
        found = [each for each in found if each.exercise == name and each.ids] or found
        first: dict[str, Any] = {}
        if any(first.setdefault(fact.question, fact.value) != fact.value for fact in facts):
            found.append(Found(name, (STATE_SHARED,)))
    found.sort(key=lambda each: len(each.example))
    return most([each for each in found if about in ("", each.exercise)])


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


def slip_of_answers(
    name: str, answers: Sequence[AskedCall], near: Sequence[str] = ()
) -> Slip | None:
    """Return the general entry that describes most wrong answers of a function, or `None`.

    `near` holds the ids of those that describe the call for which a check has failed: if there are
    any, one of them is chosen.
    """
    wrong = [each for each in answers if each.changes or not each.is_answered_rightly]
    of_all = slips_of_all(answers)
    found = []
    for each in sorted(wrong, key=lambda each: len(each.text)):
        watch = f"watch({name}, {', '.join(map(repr, each.given))})"
        found.append(Found(name, (*of_all, *slips_of(each)), each.example, watch))
    return most([*found, Found(name, tuple(near))] if near else found, near)


def near_failure(
    name: str, observer: str, failure: Failure, answers: Sequence[AskedCall]
) -> list[str]:
    """Return the ids of the entries that describe the call for which a check failed, closest first.

    They begin with the entries that describe all answers, this one included. There are none of
    those if the call should have raised an error. If it is wrong that the call changes an argument,
    the only id is that of this mistake.
    """
    if failure.is_change:
        return [CHANGES]
    failed = asked(name, observer, failure.given, failure.got)
    slips = slips_of(failed)
    is_wrong_value = failed.wanted.error is None and not failed.is_answered_rightly
    return [*slips_of_all([*answers, failed]), *slips] if slips and is_wrong_value else slips
