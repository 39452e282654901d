"""Checks, which are the results of tests: the outcome, the points, and what the student may read.

A test is a cell of the notebook. As in nbgrader, the last value of a test cell may say how many
points the test gives.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any

from autograder.course_adapter import NoAnswer
from autograder.grading_data import Cell, CheckResult, Outcome
from autograder.jail import Crashed, Refused, TimedOut
from autograder.judge.rebuild_errors import said_by
from autograder.notebook.outputs_from_jail import Outputs, clean_message

MAX_MESSAGE = 20_000
_NO_POINTS = "0 of {:g} points"
_TOO_MUCH = "the last value of the cell is more than its {:g} points"
_MOST_LINES = 10**6
_TOLD = {
    Outcome.TIMEOUT: "The test waited for an answer that did not come in time.",
    Outcome.CRASHED: "During the test, the Python process of the program came to its end.",
}


@dataclass
class RunResult:
    """All that a run has found: the outputs of cells, and the checks by the ids of their tests.

    - `missing`: test → the name that the test did not find
    - `broken`: given cell, that is, the instructor's code other than tests → why it failed
    - `traces`: failed test → what `Trace.told` returns
    """

    outputs: Outputs = field(default_factory=Outputs)
    checks: dict[str, CheckResult] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)
    traces: dict[str, list[str]] = field(default_factory=dict)


def passed(cell: Cell, value: Any, is_score: bool = False) -> CheckResult:
    """Return the check of a test that ended without error; its last `value` may give the points.

    A number from 0 up gives as many points, as in `scored`. Any other value gives all points; or
    none if `is_score` is true, because the value was a number for the answer key.

    >>> cell = Cell("test", "test", "", 2.0)
    >>> passed(cell, "well done").points, passed(cell, "well done", is_score=True).points
    (2.0, 0.0)
    >>> passed(cell, -1).points, passed(cell, -1, is_score=True).points
    (2.0, 0.0)
    """
    number = float(repr(value)) if type(value) in (int, float) else None
    if is_score:
        try:
            number = max(float(value), 0.0)
        except (TypeError, ValueError, OverflowError):
            number = 0.0
        number = number if isfinite(number) else 0.0
    return scored(cell, number)


def scored(cell: Cell, number: float | None) -> CheckResult:
    """Return the check of a test that ended without error, and with this `number` as its result.

    If the number is from 0 up, the test gives as many points; a number above its points is an
    error, and gives none. For any other number, or `None`, the test gives all points.

    >>> cell = Cell("test", "test", "", 2.0)
    >>> [scored(cell, number).points for number in (0.5, None, -1.0, 3.0)]
    [0.5, 2.0, 2.0, 0.0]
    """
    points = number if number is not None and number >= 0 else cell.points
    if points > cell.points:
        outcome, why = Outcome.ERROR, _TOO_MUCH.format(cell.points)
    elif points or not cell.points:
        return CheckResult(cell.id, points, cell.points, Outcome.PASSED)
    else:
        outcome, why = Outcome.FAILED, _NO_POINTS.format(cell.points)
    return replace(failed(cell, outcome, why, tells=False), told=why)


def without_answer(cell: Cell, lost: NoAnswer) -> CheckResult:
    """Return the check of a test that got no answer: the student reads a fixed sentence at most."""
    outcome = outcome_of(lost)
    return replace(failed(cell, outcome, said_by(lost), tells=False), told=_TOLD.get(outcome, ""))


def failed(cell: Cell, outcome: Outcome, message: str, tells: bool = True) -> CheckResult:
    """Return the check of a test that did not pass, with the reason as its message.

    `tells` is true if the message may give away what a hidden test asked or expected.
    """
    text = clean_message(message[:MAX_MESSAGE])
    return CheckResult(cell.id, 0.0, cell.points, outcome, text, tells=tells)


def check_from(cell: Cell, said: Any) -> CheckResult:
    """Return the check in `said`, which the fork that runs the tests has sent.

    Raise `Crashed` if `said` is no check. The fork may send anything if a test has run a student's
    answer as code there. So the student reads only sentences of this module.
    """
    try:
        points, outcome, line = float(said["points"]), Outcome(said["outcome"]), int(said["line"])
        is_result = outcome not in (Outcome.MANUAL, Outcome.NOT_RUN)
        if not (is_result and 0 <= points <= cell.points and 0 <= line < _MOST_LINES):
            raise ValueError
        message = clean_message(str(said["message"])[:MAX_MESSAGE])
        own = {why.format(cell.points) for why in (_NO_POINTS, _TOO_MUCH)}
        told = message if message in own else _TOLD.get(outcome, "")
        tells = said["tells"] is True
        return CheckResult(
            cell.id, points, cell.points, outcome, message, tells=tells, told=told, line=line
        )
    except (TypeError, ValueError, KeyError, OverflowError):
        raise Crashed(f"the cell {cell.id} has said nothing that is a result") from None


def with_hint(check: CheckResult, told: Mapping[str, CheckResult]) -> CheckResult:
    """Return a check with the texts that the student may read, and with a hint in its message.

    Both come from `told`, a dictionary from tests to their checks in a run without hidden lines. If
    the test passed in that run, the student reads `check.told`, which gives nothing away.
    """
    if not check.message or check.id not in told:
        return check
    seen = told[check.id]
    hint = f"\nHint: {seen.hint}" if seen.hint and check.outcome is Outcome.FAILED else ""
    names = {name: getattr(seen, name) for name in ("misconception", "mistake", "hint")}
    words = seen.message or check.told
    return replace(check, message=check.message + hint, told=words, **names)


def outcome_of(lost: NoAnswer) -> Outcome:
    """Return the outcome for a test that got no answer, for the reason `lost`."""
    if isinstance(lost, Refused):
        return Outcome.ERROR
    return Outcome.TIMEOUT if isinstance(lost, TimedOut) else Outcome.CRASHED
