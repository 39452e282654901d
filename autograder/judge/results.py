"""The result of a check: how it passed or failed, and the part that its student may read."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from autograder.course import NoAnswer
from autograder.jail import Crashed, Refused, TimedOut
from autograder.judge.errors import said_by
from autograder.judge.outputs import clean_message
from autograder.judge.partial import TooMuch, value_points
from autograder.submission import Cell, CheckResult, Outcome

MAX_MESSAGE = 20_000
_MOST_LINES = 10**6
_TOLD = {
    Outcome.TIMEOUT: "A hidden test waited for an answer that did not come in time.",
    Outcome.CRASHED: "In a hidden test, the Python process of the program came to its end.",
}


def passed(cell: Cell, value: Any, is_score: bool = False) -> CheckResult:
    """A test that ended without error, with its last value, which may be a score."""
    try:
        points = value_points(value, cell.points, is_score)
    except TooMuch as error:
        return replace(failed(cell, Outcome.ERROR, str(error), tells=False), told=str(error))
    if points or not cell.points:
        return CheckResult(cell.id, points, cell.points, Outcome.PASSED)
    why = _none_of(cell)
    return replace(failed(cell, Outcome.FAILED, why, tells=False), told=why)


def _none_of(cell: Cell) -> str:
    return f"0 of {cell.points:g} points"


def without_answer(cell: Cell, lost: NoAnswer) -> CheckResult:
    """The result of a test whose process did not answer, which may be what the program wanted."""
    outcome = outcome_of(lost)
    return replace(failed(cell, outcome, said_by(lost), tells=False), told=_TOLD.get(outcome, ""))


def failed(cell: Cell, outcome: Outcome, message: str, tells: bool = True) -> CheckResult:
    """A check that did not hold, with its reason."""
    text = clean_message(message[:MAX_MESSAGE])
    return CheckResult(cell.id, 0.0, cell.points, outcome, text, tells=tells)


def check_from(cell: Cell, said: Any) -> CheckResult:
    """The check of a cell as a process of tests has told it; raises `Crashed` if it is none.

    A test that has run an answer as code may say anything here. Its student reads nothing of it.
    """
    try:
        points, outcome, line = float(said["points"]), Outcome(said["outcome"]), int(said["line"])
        is_result = outcome not in (Outcome.MANUAL, Outcome.NOT_RUN)
        if not (is_result and 0 <= points <= cell.points and 0 <= line < _MOST_LINES):
            raise ValueError
        message = clean_message(str(said["message"])[:MAX_MESSAGE])
        own = {_none_of(cell), str(TooMuch(cell.points))}
        told = message if message in own else _TOLD.get(outcome, "")
        tells = said["tells"] is True
        return CheckResult(
            cell.id, points, cell.points, outcome, message, tells=tells, told=told, line=line
        )
    except (TypeError, ValueError, KeyError, OverflowError):
        raise Crashed(f"the cell {cell.id} has said nothing that is a result") from None


def with_hint(check: CheckResult, told: Mapping[str, CheckResult]) -> CheckResult:
    """The check with what the student may read of it, and the hint in its message."""
    if not check.message or check.id not in told:
        return check
    seen = told[check.id]
    hint = f"\nHint: {seen.hint}" if seen.hint and check.outcome is Outcome.FAILED else ""
    names = {name: getattr(seen, name) for name in ("misconception", "mistake", "hint")}
    words = seen.message or check.told
    return replace(check, message=check.message + hint, told=words, **names)


def outcome_of(lost: NoAnswer) -> Outcome:
    """Return the outcome of a check whose process did not answer."""
    if isinstance(lost, Refused):
        return Outcome.ERROR
    return Outcome.TIMEOUT if isinstance(lost, TimedOut) else Outcome.CRASHED
