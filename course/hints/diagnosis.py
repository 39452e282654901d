"""Diagnosis: a function that fails is called on probes, and what it shows names its mistake.

What is tried goes from the exact to the general: a slip that is plain from the code itself; a known
mistake that gives the same answers; one that does so, but for an argument that is changed, too; one
of two mistakes; and last a general entry that describes the answers, whatever their cause. A check
is about one method of a class, and so is its hint; one that wants an error has a hint about errors.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from course.function_calls import Answer, Failure, NoAnswer
from course.hints.code import own_helpers, wasted
from course.hints.facts import agrees, digests, explaining, explaining_most, says_enough
from course.hints.general import (
    STATE_SHARED,
    Slip,
    near_failure,
    slip_of_answers,
    slip_of_drawing,
    slip_of_object,
)
from course.hints.mistakes import Diagnosis, Program, Table, table
from course.hints.observe import (
    TOLD,
    Observation,
    asked,
    observe,
    right_observation,
    without_changes,
)
from course.hints.slips import AskedCall, slips_of, slips_of_all
from course.hints.slips.of_kinds import of_no_error
from course.lessons import lessons

AMONG_OTHERS = "Perhaps there is another mistake, too."
TIME_IS_OVER = "are over"  # the end of the message of a `NoAnswer` if no time was left to ask
ABOUT_ERRORS = re.compile(r"\b(error|raises?|raised)\b")

_about: ContextVar[str] = ContextVar("about", default="")


def diagnose(
    function: Callable[..., Any], about: str = "", failure: Failure | None = None
) -> Diagnosis | None:
    """Return the misconception that a function (or class) shows, or `None` if none is known.

    The function is looked up by its `__name__`; the probes are a few quick calls. `about` asks for
    the mistakes of one method alone; without it, those of the method that the check is about come
    first. `failure` is the answer that a check has found to be wrong, if there is one. If the
    function is wrong and calls a helper of the learner's own that is wrong, the helper's mistake is
    returned.
    """
    known = table(getattr(function, "__name__", ""))
    if known is None or hasattr(function, "call_many"):  # in another process it is only judged
        return None
    look = _look(function, known)
    if look is None or look.helper is not None:
        return None if look is None else look.helper
    if look.is_endless:
        return Slip("never-ends", known.name).diagnosis if about in ("", known.name) else None
    plain = None if look.is_right else _plain_slip(function, known, about)
    if plain is not None:
        return plain.diagnosis
    exact = look.explained(look.observation.facts, about) if look.says_enough else None
    if exact is not None:
        return exact.diagnosis
    if known.observer in TOLD:
        return look.of_answers(about, failure)
    parts = (about,) if about else parts_of(known.name)
    return next(filter(None, map(look.of_facts, parts)), None)


@dataclass(frozen=True)
class _Look:
    """A function as it was observed, or that it never ends, or the mistake of its helper."""

    table: Table
    observation: Observation
    is_endless: bool = False
    helper: Diagnosis | None = None

    @cached_property
    def seen(self) -> Any:
        """The digests of the facts."""
        return digests(self.observation.facts)

    @property
    def is_wrong_on_probes(self) -> bool:
        """True if the function fails on its probes."""
        return self.is_endless or not agrees(self.seen, self.table.right.seen)

    @property
    def is_right(self) -> bool:
        """True if the function is right on its probes and on all other calls."""
        return not self.is_wrong_on_probes and self.observation.more == self.table.right.more

    @cached_property
    def says_enough(self) -> bool:
        """True if a known mistake can be told from what is seen."""
        return says_enough(self.observation.facts, self.seen, self.table.right.seen)

    @cached_property
    def answers(self) -> list[AskedCall]:
        """The answers to the probes, in order, and then to more calls, with the right ones."""
        names = self.table.name, self.table.observer
        return [asked(*names, given, got) for given, got in self.observation.answers]

    def candidates(self, about: str) -> list[Program]:
        """Return the known mistakes of the part asked about that the function may have.

        If it never prints, those that print are left out.
        """
        own = (each for each in self.table.wrong if about in ("", each.exercise))
        return [each for each in own if self.observation.prints or not each.prints]

    def explained(self, facts: list[Any], about: str) -> Program | None:
        """Return the known mistake that explains all that is wrong, or `None`."""
        own = self.candidates(about)
        alike = [each for each in own if each.more == self.observation.more]
        return explaining(digests(facts), self.table.right.seen, alike)

    def of_answers(self, about: str, failure: Failure | None) -> Diagnosis | None:
        """Return the diagnosis of plain answers if no known mistake explains all wrong ones.

        It is one of two mistakes, or else a general entry that describes the answers. `None` if the
        function is right, or nothing is known.
        """
        if self.is_right and failure is None:
            return None
        name, observer = self.table.name, self.table.observer
        near = [] if failure is None else near_failure(name, observer, failure, self.answers)
        is_change = failure is not None and failure.is_change
        among = None if self.is_right or is_change else self._among(about, near)
        if among is not None:
            return _one_of_two(among)
        slip = slip_of_answers(name, self.answers, near)
        return None if slip is None else slip.diagnosis

    def _among(self, about: str, near: list[str]) -> Program | None:
        """Return the known mistake that explains the answers together with a second one, or `None`.

        The second mistake may be that an argument is changed. `near` holds the ids of the entries
        that describe what a check has met: the known mistake has to explain an answer like that.
        """
        if not self.says_enough:
            return None
        bare = list(map(without_changes, self.observation.facts))
        alike = self.explained(bare, about)
        # If all answers are equal, for example, it is by chance that some are those of a mistake.
        if alike is not None or slips_of_all(self.answers):
            return alike
        on_probes = enumerate(self.answers[: len(bare)])
        numbers = [number for number, each in on_probes if {*near} & {*slips_of(each)}]
        own = self.candidates(about)
        return explaining_most(bare, self.table.right.seen, own, numbers if near else None)

    def of_facts(self, about: str) -> Diagnosis | None:
        """Return the diagnosis of a function that draws, or of a class, if no mistake is exact.

        It is one of two mistakes, or else a general entry that describes the facts. `None` if the
        function or class is right, or nothing is known.
        """
        if self.is_right:
            return None
        name, seen = self.table.name, self.observation
        right = right_observation(name, self.table.observer, self.table.probes)
        if any(seen.parts):
            slip = slip_of_object(name, right, seen, about)
        else:
            slip = slip_of_drawing(name, right.facts, seen.facts)
        # If state is shared, nothing else that is seen can be trusted.
        is_shared = slip is not None and slip.id == STATE_SHARED
        if not is_shared and self.says_enough:
            own = self.candidates(about)
            among = explaining_most(seen.facts, self.table.right.seen, own)
            if among is not None:
                return _one_of_two(among)
        return None if slip is None else slip.diagnosis


_seen: dict[int, tuple[Any, _Look | None]] | None = None  # in a notebook `None`: nothing is kept


def keep_what_is_seen() -> None:
    """From now on, look at each function only once, and forget what was seen before.

    Whoever calls this has to call it again before each cell that may define functions.
    """
    global _seen
    _seen = {}


def _look(function: Callable[..., Any], known: Table) -> _Look | None:
    """Observe a function, and its helpers if it is wrong; `None` if it gives no answers."""
    if _seen is not None and id(function) in _seen:
        return _seen[id(function)][1]
    look: _Look | None
    try:
        look = _Look(known, observe(function, known.observer, known.probes))
    except NoAnswer as lost:
        is_endless = lost.is_late and not str(lost).endswith(TIME_IS_OVER)
        look = _Look(known, Observation([]), is_endless=True) if is_endless else None
    if look is not None and look.is_wrong_on_probes:
        others = (each for each in own_helpers(function) if each.__name__ != function.__name__)
        helper = next(filter(_is_wrong, others), None)
        look = look if helper is None else replace(look, helper=diagnose(helper))
    if _seen is not None:
        _seen[id(function)] = function, look  # while it is kept, nothing else has its id
    return look


def _is_wrong(function: Callable[..., Any]) -> bool:
    """Return true if a function is one of the course's exercises, and fails on its probes."""
    known = table(function.__name__)
    if known is None:
        return False
    try:
        return _Look(known, observe(function, known.observer, known.probes)).is_wrong_on_probes
    except NoAnswer:
        return True


def _plain_slip(function: Callable[..., Any], known: Table, about: str) -> Slip | None:
    """Return the slip that is plain from the code of a wrong function itself, or `None`.

    It must be in the part of a class that is asked about.
    """
    waste = wasted(function)
    if waste is None:
        return None
    part = f"{known.name}.{waste.method}"
    exercise = part if part in {each.exercise for each in known.wrong} else known.name
    return Slip(waste.id, exercise, waste.example) if about in ("", exercise) else None


def _one_of_two(mistake: Program) -> Diagnosis:
    said = mistake.diagnosis
    return replace(said, explain=f"{said.explain} {AMONG_OTHERS}")


def exercise_of(check: str) -> str:
    """Return the name of the exercise that a check is about; empty if there is no such check.

    >>> exercise_of("merge-once"), exercise_of("game-score"), exercise_of("none")
    ('merge', 'Game.move', '')
    """
    every = (exercise for lesson in lessons() for exercise in lesson.exercises)
    return next((exercise.name for exercise in every if check in exercise.checks), "")


def note_check(check: str) -> None:
    """Take what is asked from now on as asked in this check, or in none if it does not exist."""
    _about.set(exercise_of(check))


@contextmanager
def in_check(check: str) -> Iterator[None]:
    """Take what is asked in the `with` block as asked in this check."""
    token = _about.set(exercise_of(check))
    try:
        yield
    finally:
        _about.reset(token)


def parts_of(name: str) -> tuple[str, ...]:
    """Return the parts of a class to look at, one after the other; an empty name stands for all.

    In a check of one part, they are that part, and then the class itself, which all parts build on.

    >>> with in_check("game-score"):
    ...     parts_of("Game"), parts_of("merge")
    (('Game.move', 'Game'), ('',))
    """
    about = _about.get()
    if about.partition(".")[0] != name:
        return ("",)
    return (about,) if about == name else (about, name)


def about_the_error(diagnosis: Diagnosis | None, name: str, got: Answer) -> Diagnosis | None:
    """Return what to say if a function should have raised an error, and gave this instead.

    It is the diagnosis of the function if that is about errors, or `None` if there is none. If it
    is about something else, it is the general entry that describes this answer.

    >>> said = Diagnosis("never-flipped", "", "At which wall are your tiles?", "", "", "slide")
    >>> about_the_error(said, "slide", Answer([[2]], None, ())).nudge
    'Is there a call for which `slide` has to raise an error?'
    """
    if diagnosis is None or ABOUT_ERRORS.search(f"{diagnosis.title} {diagnosis.nudge}"):
        return diagnosis
    slips = of_no_error(got)
    return Slip(slips[0], name).diagnosis if slips else diagnosis
