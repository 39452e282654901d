"""Diagnosis: a wrong function is called, and its answers show the mistake in it.

The calls are its *probes*: test calls that `course/exercises/` lists as texts. Facts about the
answers are compared with facts about programs with known mistakes. The code is also searched for
*suspicious* lines: those that do not do their work, such as a `return` too deep inside a loop. The
diagnosis is the first of these that fits:

1. a suspicious line that nobody can have meant, such as one that computes a value and throws it
   away,
2. a known mistake with the same answers; but if the code has a suspicious line, the program with
   the known mistake must have a line of this kind, too,
3. any other suspicious line,
4. a known mistake with the same answers, if changes to arguments do not count,
5. a known mistake that explains at least half of what is wrong: there may be two mistakes,
6. a general hint, which describes the answers; some hints, as that on endless loops, come earlier.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from course.function_calls import Failure, NoAnswer
from course.hints.custom_exercises import authored_exercises
from course.hints.fact_comparison import agrees, digests, explaining, explaining_most, says_enough
from course.hints.find_helpers import own_helpers
from course.hints.mistakes import Diagnosis, Program, Table, general, hints_marked, mistakes, table
from course.hints.observe import TOLD, AskedCall, Observation, asked, observe, right_observation
from course.hints.slips import general_hints as slips
from course.hints.slips.general_hints import general_hint
from course.hints.slips.mended import is_harmless
from course.hints.slips.of_answers import slips_of, slips_of_all
from course.hints.slips.of_code import slips_of_code, slips_of_text
from course.lessons import exercise, exercises_of, lessons

HELPER = (
    "Your `{user}` uses your `{helper}`, and that one is not right yet. Mend it first, in its own "
    "cell. "
)
COMPARES, UNUSED = "compares-in-place-of-storing", "parameter-unused"
AMONG_OTHERS = "This explains most of what goes wrong here, but not all of it."
# The message of a `NoAnswer` ends with these words if no time was left to ask the function.
TIME_IS_OVER = "are over"
LATE = "For example, `{call}` had given no answer when it was stopped."
DIGIT = re.compile(r"\d")

_about: ContextVar[str] = ContextVar("about", default="")


def diagnose(
    function: Callable[..., Any], about: str = "", failure: Failure | None = None
) -> Diagnosis | None:
    """Return the diagnosis of a function or class: a known mistake, a general hint, or `None`.

    The result is `None` if no answer is wrong, or if nothing fits the wrong answers. The function's
    `__name__` tells which exercise it solves. If it calls another wrong function of the learner's,
    the other one is diagnosed instead. If `about` names a method, only mistakes in this method
    count. `failure` is the call that a check has found to be wrong, if there is one. If no known
    mistake explains all wrong answers, the diagnosis fits this call. In a folder with exercises of
    another course, the diagnosis is one of the mistakes that its author has named.
    """
    if hasattr(function, "call_many"):  # a function in another process is only checked
        return None
    name = getattr(function, "__name__", "")
    if (authored := authored_exercises()) is not None:
        own = authored.get(name)
        return None if own is None else own.wrong.get(own.shown_by(function))
    known = table(name)
    if known is None:
        return None
    found = _diagnosed(function, known, about, failure)
    return found and _for_user(found, about or parts_of(name)[0] or name)


def diagnosis_of(mistake: str, exercise: str, about: str) -> Diagnosis | None:
    """Return the diagnosis that `diagnose` gives for this mistake, but without an example.

    `mistake` is an id, `exercise` is where the mistake is made, and `about` is what was diagnosed.
    Return `None` if the course has no such exercise or mistake, or if the texts have to name a
    property, and it is unknown which.
    """
    names = {one.name for one in exercises_of(exercise.partition(".")[0])}
    place = exercise if exercise in names else exercise.partition(".")[0]
    if place not in names:
        return None
    if mistake in general():
        is_unnamed = mistake == "property-forgotten" and "." not in place  # which one is unknown
        return None if is_unnamed else _for_user(general_hint(mistake, place), about)
    return next((_for_user(one, about) for one in mistakes(place) if one.id == mistake), None)


def _for_user(found: Diagnosis, about: str) -> Diagnosis:
    """Return a diagnosis; if the mistake is in a helper that `about` uses, the nudge says so."""
    if found.exercise.partition(".")[0] == about.partition(".")[0]:
        return found
    user = about.rpartition(".")[2]
    return replace(found, nudge=HELPER.format(user=user, helper=found.exercise) + found.nudge)


def _diagnosed(
    function: Callable[..., Any], known: Table, about: str = "", failure: Failure | None = None
) -> Diagnosis | None:
    look = _look(function, known)
    if look is None:
        return None
    parts = (about,) if about else parts_of(known.name)
    if failure is not None or not look.is_right:
        for helper in own_helpers(function, parts[0].partition(".")[2]):
            other = table(helper.__name__) if helper.__name__ != known.name else None
            seen = None if other is None else _look(helper, other)
            if other is not None and (seen is None or seen.is_wrong_on_probes):
                return _diagnosed(helper, other)
    if isinstance(function, type):
        for part in parts:
            missing = slips.hint_at_missing_method(function, known.name, part)
            if missing is not None:
                return missing
    code, idle = _slips_of_code(function, look, parts, failure)
    if code is not None and code.id in hints_marked("sure"):
        return code
    is_known = not look.is_endless and look.says_enough
    exact = look.explained(look.observation.facts, about) if is_known else None
    got = None if failure is None or failure.is_change else failure.got
    is_printed = got is not None and got.error is None and got.value is None and got.printed
    if is_printed and not (exact is not None and exact.prints):
        return general_hint("prints-instead", known.name)
    if exact is not None:
        every = exercise(exact.exercise).details["misconception"]
        specimen = next(each["specimen"] for each in every if each["id"] == exact.id)
        if code is None or code.id in slips_of_text(specimen):
            return exact.diagnosis
    if code is not None:
        return code
    if look.is_endless:
        is_meant = about in ("", known.name)
        return general_hint("never-ends", known.name, look.late) if is_meant else None
    said = next(filter(None, (look.described(part, failure) for part in parts)), None)
    vague = hints_marked("vague")
    is_vague = said is None or (said.id in vague and idle is not None and idle.id == UNUSED)
    return idle if is_vague and idle is not None else said


@dataclass(frozen=True)
class _Look:
    """An observation of a function, and the table of known mistakes to compare it with.

    `is_endless` is true if a call never ends; `late` is then a sentence about this call, or "".
    """

    table: Table
    observation: Observation
    is_endless: bool = False
    late: str = ""

    @cached_property
    def seen(self) -> Any:
        return digests(self.observation.facts)

    @property
    def is_wrong_on_probes(self) -> bool:
        return self.is_endless or not agrees(self.seen, self.table.right.seen)

    @property
    def is_right(self) -> bool:
        """True if all answers are right: to the probes, and to the calls that `observe` adds."""
        return not self.is_wrong_on_probes and self.observation.more == self.table.right.more

    @cached_property
    def says_enough(self) -> bool:
        return says_enough(self.observation.facts, self.seen, self.table.right.seen)

    @cached_property
    def answers(self) -> list[AskedCall]:
        """The calls of the probes, then those that `observe` adds, with the right answers, too."""
        names = self.table.name, self.table.observer
        return [asked(*names, given, got) for given, got in self.observation.answers]

    def candidates(self, about: str) -> list[Program]:
        """Return the programs with known mistakes in the part `about` of a class.

        If `about` is "", all parts count. If the function prints nothing, programs that print are
        left out.
        """
        own = (each for each in self.table.wrong if about in ("", each.exercise))
        return [each for each in own if self.observation.prints or not each.prints]

    def explained(self, facts: list[Any], about: str) -> Program | None:
        """Return the program whose mistake explains all wrong `facts`, or `None`.

        This program must also give the same answers as the function to the calls that `observe`
        adds to the probes.
        """
        alike = [each for each in self.candidates(about) if each.more == self.observation.more]
        return explaining(digests(facts), self.table.right.seen, alike)

    def described(self, about: str, failure: Failure | None) -> Diagnosis | None:
        """Return a known mistake that explains some of what is wrong, or else a general hint.

        Return `None` if all is right, or if no hint describes what is wrong.
        """
        if self.is_right and failure is None:
            return None
        name, observer, seen = self.table.name, self.table.observer, self.observation
        among: Program | None = None
        if observer in TOLD:
            near = slips.near_failure(name, observer, failure, self.answers)
            if not self.is_right and not (failure is not None and failure.is_change):
                among = self._one_of_two(about, near)
            slip = None if among else slips.hint_at_answers(name, self.answers, near, failure)
        else:
            right = right_observation(name, observer, self.table.probes)
            if any(seen.parts):
                slip = slips.hint_at_object(name, right, seen, about)
            else:
                slip = slips.hint_at_drawing(name, right.facts, seen.facts, failure)
            # If two objects share their state, no other fact can be trusted.
            if self.says_enough and (slip is None or slip.id != slips.STATE_SHARED):
                own = self.candidates(about)
                among = explaining_most(seen.facts, self.table.right.seen, own)
        if among is not None:
            said = among.diagnosis
            return replace(said, explain=f"{said.explain} {AMONG_OTHERS}")
        return slip

    def _one_of_two(self, about: str, near: list[str]) -> Program | None:
        """Return a program with a known mistake that may be one of two in the function, or `None`.

        The other mistake may be that an argument is changed. `near` holds the ids of the general
        hints for the call for which a check has failed. If `near` is not empty, the known mistake
        must explain a wrong answer that one of these hints describes, too.
        """
        if not self.says_enough:
            return None
        bare = self.observation.bare
        alike = self.explained(bare, about)
        # If all answers are equal, for example, some may agree with a known mistake by chance.
        if alike is not None or slips_of_all(self.answers):
            return alike
        on_probes = enumerate(self.answers[: len(bare)])
        numbers = [number for number, each in on_probes if {*near} & {*slips_of(each)}]
        own = self.candidates(about)
        return explaining_most(bare, self.table.right.seen, own, numbers if near else None)


# A dictionary from the `id` of each observed function to the function and its `_Look`, which may be
# `None`. Instead of the dictionary, `None` means that observations are not stored.
_seen: dict[int, tuple[Any, _Look | None]] | None = None


def keep_what_is_seen() -> None:
    """Store observations from now on, and forget older ones: a cell may define functions anew."""
    global _seen
    _seen = {}


@contextmanager
def no_function_observed_twice() -> Iterator[None]:
    """Inside a `with` block, store each observation, so that no function is observed twice."""
    global _seen
    before, _seen = _seen, {}
    try:
        yield
    finally:
        _seen = before


def _look(function: Callable[..., Any], known: Table) -> _Look | None:
    """Return the `_Look` at a function: the stored one, if there is one, or else a new one.

    Return `None` if there was no time left for it, or if the function's process has died.
    """
    if _seen is not None and id(function) in _seen:
        return _seen[id(function)][1]
    look: _Look | None
    try:
        look = _Look(known, observe(function, known.observer, known.probes))
    except NoAnswer as lost:
        is_endless = lost.is_late and not str(lost).endswith(TIME_IS_OVER)
        call = f"{known.name}({', '.join(map(repr, lost.given or ()))})"
        late = LATE.format(call=call) if lost.given and known.observer in TOLD else ""
        look = _Look(known, Observation([]), True, late) if is_endless else None
    if _seen is not None:
        _seen[id(function)] = function, look  # a stored function keeps its id
    return look


def _slips_of_code(
    function: Callable[..., Any], look: _Look, parts: Sequence[str], failure: Failure | None
) -> tuple[Diagnosis | None, Diagnosis | None]:
    """Return two general hints, each perhaps `None`, about lines that do not do their work.

    The first hint is about a line that may be to blame, the second about a line that does no harm.
    Of a class, only `parts` count, in this order. If the function is right, and no check has
    failed, only a few kinds of lines count, such as those at which a method stops too early.
    """
    name, exercises = look.table.name, {each.exercise for each in look.table.wrong}
    values = [each for call in look.answers for each in (*call.given, call.wanted.value)]
    facts = [fact.value for part in look.observation.parts for fact in part]
    is_stopped = any(isinstance(each, dict) and "raises" in each for each in facts)
    is_stopped = is_stopped or (failure is not None and failure.got.error is not None)
    left_out = {*(hints_marked("stops nothing") if is_stopped else ())}
    if any(type(each) is str and DIGIT.search(each) for each in values):  # its texts have digits
        left_out.add("number-in-quotes")
    found = []
    for each in slips_of_code(function):
        is_cut_off = each.method and each.id in hints_marked("also in right code")
        is_wrong = not look.is_right or failure is not None
        if each.id not in left_out and (is_wrong or is_cut_off or each.id == "one-draw"):
            own = f"{name}.{each.method}"
            found.append((own if own in exercises else name, each))
    # If several lines compare in place of storing, mending only one may change nothing.
    compared = sum(each.id == COMPARES for _, each in found)
    idle = None
    for wanted in parts:
        for part, each in found:
            if wanted in ("", part):
                slip = general_hint(each.id, part, each.example, name=each.method)
                is_sure = look.is_endless or (each.id == COMPARES and compared > 1)
                is_sure = is_sure or not is_harmless(function, look.table, look.seen, each)
                if each.id != UNUSED and is_sure:
                    return slip, idle
                idle = idle or slip
    return None, idle


def exercise_of(check: str) -> str:
    """Return the name of the exercise that a check is about; "" if there is no such check.

    >>> exercise_of("merge-once"), exercise_of("game-score"), exercise_of("none")
    ('merge', 'Game.move', '')
    """
    every = (exercise for lesson in lessons() for exercise in lesson.exercises)
    return next((exercise.name for exercise in every if check in exercise.checks), "")


def note_check(check: str) -> None:
    """Let later diagnoses of a class begin with the part that the check with this id is about."""
    _about.set(exercise_of(check))


@contextmanager
def in_check(check: str) -> Iterator[None]:
    """In a `with` block, diagnose a Python class by the method first that `check` is about."""
    token = _about.set(exercise_of(check))
    try:
        yield
    finally:
        _about.reset(token)


def parts_of(name: str) -> tuple[str, ...]:
    """Return the names of the parts of a class to diagnose, in order; `""` means all parts.

    While a check about one part runs, return this part, then the class, on which the part builds.

    >>> with in_check("game-score"):
    ...     parts_of("Game"), parts_of("merge")
    (('Game.move', 'Game'), ('',))
    """
    about = _about.get()
    if about.partition(".")[0] != name:
        return ("",)
    return (about,) if about == name else (about, name)
