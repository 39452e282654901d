"""Outcomes of an exercise's visible checks, which run though nobody runs their cells."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

from course.checks import check as check_function
from course.checks.failed import CheckFailed
from course.deadline import deadline
from course.function_calls import MISSING, NoAnswer
from course.hints.diagnosis import in_check
from course.lessons import Exercise, built_before, lessons
from course.mine.owner import visible_checks
from course.plain_errors import told

SECONDS, OF_DUELS = 3.0, 12.0  # for each check, and for one that plays duels
IDEA = re.compile(r"\A# ([\w-]+): *([^\n]*)")
LACKING = re.compile(r"\b(\w+) has no (\w+)|'(\w+)' object has no attribute '(\w+)'")
UNDEFINED = re.compile(r"name '(\w+)' is not defined")


@dataclass(frozen=True)
class CheckOutcome:
    """The outcome of one check: its id, the idea that it tests, and the error if it has one.

    The check is `open` if it needs code that is not written yet, or if it was not run.
    """

    check: str
    idea: str
    state: Literal["holds", "fails", "open"]
    error: BaseException | None = None

    @property
    def message(self) -> str:
        """The message of the error, with the learner's line that it comes from; "" if none."""
        if self.error is None or isinstance(self.error, CheckFailed):
            return str(self.error or "")
        diagnosis = getattr(self.error, "diagnosis", None)
        hint = [] if diagnosis is None else [f"Hint: {diagnosis.nudge}"]
        return "\n".join([*told(self.error), *hint])

    @property
    def is_unwritten(self) -> bool:
        """True if the check has met a line `raise NotImplementedError()`."""
        return MISSING in self.message


def outcomes(exercise: Exercise, names: dict[str, Any]) -> Iterator[CheckOutcome]:
    """Run the visible checks of an exercise one by one, and yield their outcomes.

    `names` are those of the learner's notebook. The checks get a copy of this dictionary, and
    nothing that they print or display is shown. If a check does not come to its end in time, or is
    stopped, the checks after it are not run.
    """
    is_stopped = False
    for check, source in visible_checks()[exercise.name].items():
        idea = IDEA.match(source)
        said = idea[2] if idea is not None else ""
        error = None if is_stopped else _error(check, source, names)
        outcome = CheckOutcome(check, said, "fails" if error is not None else "holds", error)
        is_open = is_stopped
        is_stopped = is_stopped or isinstance(error, NoAnswer | KeyboardInterrupt)
        if is_open or _lacks_other_code(outcome, exercise):
            outcome = CheckOutcome(check, said, "open", error)
        yield outcome


def _error(check: str, source: str, names: dict[str, Any]) -> BaseException | None:
    """Run one check; return the error that it raises, or `None` if it holds."""
    from IPython.utils.capture import capture_output  # only notebooks have it

    world = {"Random": Random, **names, "check": check_function, "__name__": "check"}
    seconds = OF_DUELS if "check.duels" in source else SECONDS
    try:
        with capture_output(), in_check(check), deadline(seconds):
            exec(compile(source, f"<{check}>", "exec"), world)  # noqa: S102 — the course's text
    except BaseException as error:  # a learner's code may raise anything
        return error
    return None


def _lacks_other_code(outcome: CheckOutcome, exercise: Exercise) -> bool:
    """Return true if a check has failed for a function or method that is not written yet.

    If a part of the exercise itself is missing, return true only if it still says that its code is
    not written yet.
    """
    message = outcome.message
    missing = {".".join(filter(None, found)) for found in LACKING.findall(message)}
    missing |= set(UNDEFINED.findall(message))
    [own] = [lesson for lesson in lessons() if exercise in lesson.exercises]
    others = {one.name for one in own.exercises} | set(built_before(own.id))
    return outcome.is_unwritten or bool(missing & (others - {exercise.name}))
