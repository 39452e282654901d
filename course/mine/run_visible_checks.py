"""The visible checks of an exercise, run without running their cells in the notebook.

Visible checks are those that stand in the learner's notebook.
"""

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Literal

from course.checks import check as check_function
from course.checks.failed import CheckFailed
from course.deadline import deadline
from course.function_calls import NoAnswer
from course.hints.diagnosis import in_check
from course.lessons import Exercise, built_before, lessons
from course.mine.own_or_course import released
from course.plain_errors import MISSING, told

SECONDS, OF_DUELS = 3.0, 12.0  # the longest that a check, and a check that plays duels, may run
IDEA = re.compile(r"\A# ([\w-]+): *([^\n]*)")
LACKING = re.compile(r"\b(\w+) has no (\w+)|'(\w+)' object has no attribute '(\w+)'")
UNDEFINED = re.compile(r"name '(\w+)' is not defined")
STUB = "raise NotImplementedError"
STUB_MET = re.compile(rf"in line (\d+): .*{STUB}")


@dataclass(frozen=True)
class CheckOutcome:
    """The outcome of one check: its id, the idea that it tests, and the error that it raised.

    The state is `"open"` if the check was not run, or if code of another cell is still missing.
    """

    check: str
    idea: str
    state: Literal["holds", "fails", "open"]
    error: BaseException | None = None

    @property
    def message(self) -> str:
        """The message of the error, with the learner's line that it comes from; "" for no error."""
        if self.error is None or isinstance(self.error, CheckFailed):
            return str(self.error or "")
        diagnosis = getattr(self.error, "diagnosis", None)
        hint = [] if diagnosis is None else [f"Hint: {diagnosis.nudge}"]
        return "\n".join([*told(self.error), *hint])

    @property
    def is_unwritten(self) -> bool:
        """True if the check has run into a line `raise NotImplementedError()`."""
        return MISSING in self.message


def is_untouched(exercise: Exercise, source: str) -> bool:
    """Return true if the code of an exercise's cell is still what the learner was given.

    Comments, blanks and docstrings make no difference.
    """
    with suppress(SyntaxError, ValueError, RecursionError):  # text that is not plain Python
        return _code(source) == _code(released()[exercise.name]["stub"])
    return False


def _code(source: str) -> str:
    """Return the code of a cell as a text without comments, blanks and docstrings."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            del node.body[0]
    return ast.dump(tree)


def outcomes(exercise: Exercise, names: dict[str, Any], source: str = "") -> Iterator[CheckOutcome]:
    """Run the visible checks of an exercise one by one, and yield their outcomes.

    `names` are those of the learner's notebook, and `source` is the text of the exercise's cell.
    Nothing that the checks print or display is shown. If a check does not end in time, or if the
    learner stops it, the checks after it are not run: their outcomes are `"open"`.
    """
    is_stopped = False
    for check, test in released()[exercise.name]["checks"].items():
        _, idea = check_and_idea(test)
        if is_stopped:
            yield CheckOutcome(check, idea, "open")
            continue
        error = _error(check, test, names)
        is_stopped = isinstance(error, NoAnswer | KeyboardInterrupt)
        outcome = CheckOutcome(check, idea, "holds" if error is None else "fails", error)
        is_open = _lacks_other_code(outcome, exercise, source)
        yield replace(outcome, state="open") if is_open else outcome


def check_and_idea(source: str) -> tuple[str, str]:
    """Return (id, idea) from the first line of a check; `("", "")` if `source` is not a check."""
    found = IDEA.match(source)
    return (found[1], found[2]) if found is not None else ("", "")


def _error(check: str, test: str, names: dict[str, Any]) -> BaseException | None:
    """Run one check; return the error that it raises, or `None` if it holds."""
    from IPython.utils.capture import capture_output  # here, because only notebooks need IPython

    world = {"Random": Random, **names, "check": check_function, "__name__": "check"}
    seconds = OF_DUELS if "check.duels" in test else SECONDS
    try:
        with capture_output(), in_check(check), deadline(seconds):
            exec(compile(test, f"<{check}>", "exec"), world)  # noqa: S102 — the course's text
    except BaseException as error:  # a learner's code may raise anything
        return error
    return None


def _lacks_other_code(outcome: CheckOutcome, exercise: Exercise, source: str) -> bool:
    """Return true if a check did not hold because code of another cell is not written yet."""
    message = outcome.message
    if outcome.is_unwritten:
        lines = ["", *source.splitlines()]
        met = [int(number) for number in STUB_MET.findall(message)]
        return not any(n < len(lines) and STUB in lines[n] for n in met)
    missing = {".".join(filter(None, found)) for found in LACKING.findall(message)}
    [own] = [lesson for lesson in lessons() if exercise in lesson.exercises]
    names = [one.name for one in own.exercises]
    others = {*names} | {*built_before(own.id)}
    # No answer needs a function of a later step: if that is undefined, the answer itself is wrong.
    later = {*names[names.index(exercise.name) :]}
    missing |= set(UNDEFINED.findall(message)) - later
    return bool(missing & (others - {exercise.name}))
