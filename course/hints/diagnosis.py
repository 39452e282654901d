"""Diagnosis: a function that fails is called on probes, and what it shows names its mistake.

What is tried goes from the exact to the general: a slip that is plain from the code itself; a known
mistake that gives the same answers; one that does so, but for an argument that is changed, too; one
of two mistakes; and last a general entry that describes the answers, whatever their cause. A check
is about one method of a class, and so is its hint; one that wants an error has a hint about errors.
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, fields
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

from course.answers import Answer, Failure, NoAnswer
from course.hints.code import own_helpers, wasted
from course.hints.facts import agrees, digests, explaining, explaining_most, says_enough
from course.hints.general import (
    STATE_SHARED,
    Slip,
    answered,
    near_failure,
    numbers_near,
    slip_of_answers,
    slip_of_facts,
)
from course.hints.observe import ANSWERS, has_printed, more_seen, observe, see, without_changes
from course.hints.slips import Asked, slips_of_all
from course.hints.slips.of_kinds import of_no_error
from course.lessons import lessons

Found = TypeVar("Found")

GENERAL = "of-any-function"
AMONG_OTHERS = "Perhaps there is another mistake, too."
TIME_IS_OVER = "are over"  # the end of the message of a `NoAnswer` if no time was left to ask
ABOUT_ERRORS = re.compile(r"\b(error|raises?|raised)\b")
OTHERS_TOO = "Look at the other answers, too: not all of them are wrong in this way."


_about: ContextVar[str] = ContextVar("about", default="")


@dataclass(frozen=True)
class Diagnosis:
    """One entry of the catalogue: its id, its title, and its hints in three levels.

    `exercise` is the one that it is about: `merge`, or a method of a class, such as `Game.move`.
    """

    id: str
    title: str
    nudge: str
    explain: str
    show: str
    exercise: str


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
    name = getattr(function, "__name__", "")
    known = table(name)
    is_here = not hasattr(function, "call_many")  # a function in another process is only judged
    look = _once(function, "look", lambda: _look(function, known)) if known and is_here else None
    if look is None or look.helper is not None:
        return None if look is None else look.helper
    plain = _plain_slip(function, known, look, about)
    if plain is not None:
        return general(plain)
    exact = _exact(known, look, about)
    if exact is not None:
        return exact
    if known["observer"] in ANSWERS:
        return _of_answers(function, known, look, about, failure)
    parts = (about,) if about else parts_of(name)
    found = (_of_facts(name, known, look, part) for part in parts)
    return next(filter(None, found), None)


_seen: dict[tuple[int, str], tuple[Any, Any]] | None = None  # in a notebook `None`: nothing is kept


def keep_what_is_seen() -> None:
    """From now on, look at each function only once, and forget what was seen before.

    Whoever calls this has to call it again before each cell that may define functions.
    """
    global _seen
    _seen = {}


def _once(function: Callable[..., Any], question: str, find_out: Callable[[], Found]) -> Found:
    if _seen is None:
        return find_out()
    key = id(function), question
    if key not in _seen:
        _seen[key] = function, find_out()  # while it is kept, nothing else has its id
    found: Found = _seen[key][1]
    return found


@dataclass(frozen=True)
class _Look:
    """The facts about a function, or that it never ends, or the mistake of its helper."""

    observation: list[Any] = field(default_factory=list)
    more: str = ""
    prints: bool = False
    is_endless: bool = False
    helper: Diagnosis | None = None


def _look(function: Callable[..., Any], known: dict[str, Any]) -> _Look | None:
    try:
        others = (each for each in own_helpers(function) if each.__name__ != function.__name__)
        helper = next(filter(is_wrong, others), None)
        if helper is not None and is_wrong(function):
            return _Look(helper=diagnose(helper))
        calls = known["observer"], known["probes"]
        observation, more = see(function, *calls), more_seen(function, *calls)
        has_printers = any(entry["prints"] for entry in known["known"])
        prints = has_printers and has_printed(function, known["probes"])
        return _Look(observation, more, prints)
    except NoAnswer as lost:
        return _Look(is_endless=True) if _is_endless(lost) else None


def _is_endless(lost: NoAnswer) -> bool:
    return lost.is_late and not str(lost).endswith(TIME_IS_OVER)


def is_wrong(function: Callable[..., Any]) -> bool:
    """Return true if a function is one of the course's exercises, and fails on its probes."""
    known = table(function.__name__)
    if not known:
        return False
    observation = observe(function, known["observer"], known["probes"])
    return observation is None or not agrees(digests(observation), known["right"])


def _is_right(known: dict[str, Any], look: _Look) -> bool:
    return agrees(digests(look.observation), known["right"]) and look.more == known["more"]


def _plain_slip(
    function: Callable[..., Any], known: dict[str, Any], look: _Look, about: str
) -> Slip | None:
    """Return the slip that is plain from the code of a wrong function itself, or `None`.

    It must be in the part of a class that is asked about.
    """
    waste = None if look.is_endless or _is_right(known, look) else wasted(function)
    if waste is None:
        return None
    name = function.__name__
    part = f"{name}.{waste.method}"
    exercise = part if part in {entry["exercise"] for entry in known["known"]} else name
    return Slip(waste.id, exercise, waste.example) if about in ("", exercise) else None


def _exact(known: dict[str, Any], look: _Look, about: str) -> Diagnosis | None:
    """Return the known mistake that explains all that is wrong, or `None`."""
    if look.is_endless:
        return None
    seen = digests(look.observation)
    if not says_enough(look.observation, seen, known["right"]):
        return None
    found = explaining(seen, known["right"], _alike(known, look, about))
    return None if found is None else _made(found)


def _entries(known: dict[str, Any], look: _Look, about: str) -> list[dict[str, Any]]:
    """Return the known mistakes of the part asked about that the function may have.

    If it never prints, those that print are left out.
    """
    own = (entry for entry in known["known"] if about in ("", entry["exercise"]))
    return [entry for entry in own if look.prints or not entry["prints"]]


def _alike(known: dict[str, Any], look: _Look, about: str) -> list[dict[str, Any]]:
    """Return those of the `_entries` that show the same as the function on more calls."""
    return [entry for entry in _entries(known, look, about) if entry["more"] == look.more]


def _of_answers(
    function: Callable[..., Any],
    known: dict[str, Any],
    look: _Look,
    about: str,
    failure: Failure | None,
) -> Diagnosis | None:
    """Return the diagnosis of a function if no known mistake explains all of its wrong answers.

    It is one of two mistakes, or else a general entry that describes the answers. `None` if the
    function is right, or nothing is known.
    """
    name = function.__name__
    is_right = not look.is_endless and _is_right(known, look)
    if is_right and failure is None:
        return None
    asked = None
    if not look.is_endless:
        asked = _once(function, "answers", lambda: _answered(function, known))
    if look.is_endless or asked == []:
        return general(Slip("never-ends", name)) if about in ("", name) else None
    if asked is None:
        return None
    near = [] if failure is None else near_failure(name, known["observer"], failure, asked)
    is_change = failure is not None and failure.is_change
    among = None if is_right or is_change else _among(known, look, about, asked, near)
    if among is not None:
        return _made(among, AMONG_OTHERS)
    slip = slip_of_answers(name, asked, _order(), near)
    return None if slip is None else general(slip)


def _answered(function: Callable[..., Any], known: dict[str, Any]) -> list[Asked] | None:
    """Return the answers with the right ones.

    Return `[]` if the function never ends, and `None` if there is no answer for another reason.
    """
    try:
        return answered(function, known["observer"], known["probes"])
    except NoAnswer as lost:
        return [] if _is_endless(lost) else None


def _among(
    known: dict[str, Any], look: _Look, about: str, asked: list[Asked], near: list[str]
) -> dict[str, Any] | None:
    """Return the known mistake that explains the answers together with a second one, or `None`.

    The second mistake may be that an argument is changed. `near` holds the ids of the entries that
    describe what a check has met: the known mistake has to explain an answer like that.
    """
    right, seen = known["right"], digests(look.observation)
    if not says_enough(look.observation, seen, right):
        return None
    bare = list(map(without_changes, look.observation))
    alike = explaining(digests(bare), right, _alike(known, look, about))
    # If all answers are equal, for example, it is by chance that some are those of a mistake.
    if alike is not None or slips_of_all(asked):
        return alike
    numbers = numbers_near(asked[: len(bare)], near) if near else None
    return explaining_most(bare, right, _entries(known, look, about), numbers)


def _of_facts(name: str, known: dict[str, Any], look: _Look, about: str) -> Diagnosis | None:
    """Return the diagnosis of a function that draws, or of a class, after `_exact` found none.

    It is one of two mistakes, or else a general entry that describes the facts. `None` if the
    function or class is right, or nothing is known.
    """
    if look.is_endless:
        return general(Slip("never-ends", name)) if about in ("", name) else None
    if _is_right(known, look):
        return None
    seen, right = digests(look.observation), known["right"]
    calls = known["observer"], known["probes"]
    slip = slip_of_facts(name, *calls, look.observation, _order(), about)
    # If state is shared, nothing else that is seen can be trusted.
    is_shared = slip is not None and slip.id == STATE_SHARED
    if not is_shared and says_enough(look.observation, seen, right):
        among = explaining_most(look.observation, right, _entries(known, look, about))
        if among is not None:
            return _made(among, AMONG_OTHERS)
    return None if slip is None else general(slip)


def _order() -> list[str]:
    """Return the ids of the general entries, the closer ones first."""
    return [entry["id"] for entry in table(GENERAL)["known"]]


def _made(entry: dict[str, Any], more: str = "") -> Diagnosis:
    texts = {field.name: entry[field.name] for field in fields(Diagnosis)}
    return Diagnosis(**{**texts, "explain": f"{texts['explain']} {more}".strip()})


def general(slip: Slip) -> Diagnosis:
    """Return a general entry as a diagnosis, with the name and the example filled in."""
    entry = next(entry for entry in table(GENERAL)["known"] if entry["id"] == slip.id)
    name = slip.name or slip.exercise.rpartition(".")[2]
    texts = {key: text.replace("{name}", name) for key, text in entry.items()}
    more = "" if slip.is_all else OTHERS_TOO
    explain = " ".join(filter(None, [texts["explain"], slip.example, more]))
    watch = f" `{slip.watch}` shows your code at work, line by line." if slip.watch else ""
    call = slip.watch.removeprefix("watch(").removesuffix(")").replace(", ", "(", 1) + ")"
    # The check that failed may be about one of the other answers.
    is_plain = slip.is_all or slip.is_near or not slip.watch
    nudge = texts["nudge"] if is_plain else f"Try `{call}`. {texts['nudge']}"
    return Diagnosis(slip.id, texts["title"], nudge, explain, texts["show"] + watch, slip.exercise)


@cache
def table(exercise: str) -> dict[str, Any]:
    """Return the generated table of an exercise; it is empty if there is none.

    It holds the name of its observer, the probes, the digests of what a right program shows on the
    probes and on more calls, and the known mistakes, each with the digests of what it shows.
    """
    if not exercise.isidentifier() and exercise != GENERAL:
        return {}
    file = files("course.hints") / "tables" / f"{exercise}.json"
    if not file.is_file():
        return {}
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


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
    return general(Slip(slips[0], name)) if slips else diagnosis
