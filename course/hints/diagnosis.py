"""A function that fails is called on probes; what it shows names its mistake.

From the exact to the general: the answers of a specimen; the same, and an argument changed too;
two mistakes, of which one is known; then what is true of the answers, whatever their cause.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Any

from course.answers import NoAnswer
from course.hints.digest import digests
from course.hints.exact import explaining, explaining_most, says_enough
from course.hints.facts import agrees
from course.hints.general import Slip, slip_of_answers, slip_of_facts
from course.hints.helpers import own_helpers
from course.hints.more import more_seen
from course.hints.observe import ANSWERS, TOLD, observe, see, without_changes
from course.hints.slips.of_code import wasted

GENERAL = "of-any-function"
AMONG_OTHERS = "This is one of the mistakes; there is another one."
TIME_IS_OVER = "are over"  # ends what is said where there was no time left to ask
OTHERS_TOO = "Look at the other answers, too: not all of them are wrong in this way."


@dataclass(frozen=True)
class Diagnosis:
    """One entry of the catalogue: its id, its title, and its hints in three levels.

    `exercise` is what it is about: `merge`, or one method of a class, such as `Game.move`.
    """

    id: str
    title: str
    nudge: str
    explain: str
    show: str
    exercise: str


def diagnose(function: Callable[..., Any], about: str = "") -> Diagnosis | None:
    """The misconception that a function (or class) shows, or `None` if it shows none that is known.

    The function is looked up by its `__name__`; the probes are a few quick calls. `about` asks for
    the mistakes of one method alone. Where a helper of the learner's own is wrong, it is the
    helper's mistake that is told. A function of another process has a method `aside`, through which
    it is asked.
    """
    aside = getattr(function, "aside", None)
    if aside is None:
        return _diagnosis(function, about)
    found: Diagnosis | None = aside(about, lambda: _diagnosis(function, about))
    return found


def _diagnosis(function: Callable[..., Any], about: str) -> Diagnosis | None:
    known = table(getattr(function, "__name__", ""))
    if not known:
        return None
    try:
        others = (each for each in own_helpers(function) if each.__name__ != function.__name__)
        helper = next(filter(is_wrong, others), None)
        if helper is not None and is_wrong(function):
            return diagnose(helper)
        observation = see(function, known["observer"], known["probes"])
        return _named(function, known, observation, about)
    except NoAnswer as lost:
        is_endless = lost.is_late and not str(lost).endswith(TIME_IS_OVER)
        is_told = is_endless and about in ("", function.__name__)
        return _general(Slip("never-ends", function.__name__)) if is_told else None


def is_wrong(function: Callable[..., Any]) -> bool:
    """Whether a function is one of the course's exercises, and fails on its probes."""
    known = table(function.__name__)
    if not known:
        return False
    observation = observe(function, known["observer"], known["probes"])
    return observation is None or not agrees(digests(observation), known["right"])


def _named(
    function: Callable[..., Any], known: dict[str, Any], observation: list[Any], about: str
) -> Diagnosis | None:
    right, seen = known["right"], digests(observation)
    more = more_seen(function, known["observer"], known["probes"])
    if agrees(seen, right) and more == known["more"]:
        return None
    plain = _plain_slip(function, known, about)
    if plain is not None:
        return _general(plain)
    entries = [entry for entry in known["known"] if about in ("", entry["exercise"])]
    if says_enough(observation, seen, right):
        alike = [entry for entry in entries if entry["more"] == more]
        exact = explaining(seen, right, alike)
        if exact is not None:
            return _made(exact)
        bare = digests(list(map(without_changes, observation)))
        among = explaining(bare, right, alike) or explaining_most(bare, right, entries)
        if among is not None:
            return _made(among, AMONG_OTHERS)
    if known["observer"] in TOLD:  # the general entries are about tiles
        return None
    order = [entry["id"] for entry in table(GENERAL)["known"]]
    calls = known["observer"], known["probes"]
    if known["observer"] in ANSWERS:
        slip = slip_of_answers(function, *calls, order)
    else:
        slip = slip_of_facts(function.__name__, *calls, observation, order, about)
    return None if slip is None else _general(slip)


def _plain_slip(function: Callable[..., Any], known: dict[str, Any], about: str) -> Slip | None:
    """What is plain from the code itself, of the part that is asked about."""
    waste = wasted(function)
    if waste is None:
        return None
    name = function.__name__
    part = f"{name}.{waste.method}"
    exercise = part if part in {entry["exercise"] for entry in known["known"]} else name
    return Slip(waste.id, exercise, waste.example) if about in ("", exercise) else None


def _made(entry: dict[str, Any], more: str = "") -> Diagnosis:
    texts = {field.name: entry[field.name] for field in fields(Diagnosis)}
    return Diagnosis(**{**texts, "explain": f"{texts['explain']} {more}".strip()})


def _general(slip: Slip) -> Diagnosis:
    """A general entry with its name filled in, and the example."""
    entry = next(entry for entry in table(GENERAL)["known"] if entry["id"] == slip.id)
    name = slip.exercise.rpartition(".")[2]
    texts = {key: text.replace("{name}", name) for key, text in entry.items()}
    more = "" if slip.is_all else OTHERS_TOO
    explain = " ".join(filter(None, [texts["explain"], slip.example, more]))
    watch = f" `{slip.watch}` shows your code at work, line by line." if slip.watch else ""
    return Diagnosis(
        slip.id, texts["title"], texts["nudge"], explain, texts["show"] + watch, slip.exercise
    )


@cache
def table(exercise: str) -> dict[str, Any]:
    """The generated table of an exercise; empty if there is none.

    It holds the name of its observer, the probes, the digests of what is seen of a right program,
    on the probes and on more calls, and the known mistakes, each with the same of it.
    """
    if not exercise.isidentifier() and exercise != GENERAL:
        return {}
    file = files("course.hints") / "tables" / f"{exercise}.json"
    if not file.is_file():
        return {}
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found
