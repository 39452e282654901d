"""Tests that can not run outside: they run in the jail, after the student's cells, as in nbgrader.

They have a process of their own, in which no protected test is ever judged. The student's code may
change what comes out, so their checks are not protected; what is hidden in protected tests is not
shown to it.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

from autograder.jail import Jail, Lost, TimedOut
from autograder.judge.clock import Clock
from autograder.judge.outputs import Outputs, clean_message
from autograder.judge.partial import TooMuch, shown_points
from autograder.judge.process import Process
from autograder.submission import Cell, CheckResult, Kind, Outcome

_LONGEST = 20_000
_FAILURES = ("AssertionError", "CheckFailed")


def judge_inside(
    cells: Sequence[Cell], jail: Jail, lost: Collection[str], before: Clock
) -> dict[str, CheckResult]:
    """Cell → check of all tests that run inside; cells that ended the process are left out.

    What has not come back on the clock `before` is not waited for as long again.
    """
    if not any(_is_asked(cell) for cell in cells):
        return {}
    kept = [cell for cell in cells if cell.id not in lost]
    clock = Clock(jail.limits, before)
    found = _run(kept, Process(jail, clock), _whole)
    seen = {name: check.message for name, check in found.items()}
    if any(seen.values()) and _hides(kept):
        # that a test came to no end are the judge's own words
        again = [cell for cell in kept if cell.id not in found or not _is_lost(found[cell.id])]
        released = Process(jail, Clock(jail.limits, clock))
        seen |= {name: check.message for name, check in _run(again, released, _released).items()}
    return {name: replace(check, told=seen[name]) for name, check in found.items()}


def _is_lost(check: CheckResult) -> bool:
    return check.outcome in (Outcome.TIMEOUT, Outcome.CRASHED)


def _is_asked(cell: Cell) -> bool:
    return cell.kind is Kind.TEST and cell.is_inside


def _hides(cells: Sequence[Cell]) -> bool:
    return any(_is_asked(cell) and cell.shown != cell.source for cell in cells)


def _whole(cell: Cell) -> str:
    """What is hidden in a protected test stays outside."""
    return cell.source if _is_asked(cell) else cell.shown


def _released(cell: Cell) -> str:
    """What a student was given: in this process nothing is known of a hidden test."""
    return cell.shown


def _run(
    cells: Sequence[Cell], process: Process, text_of: Callable[[Cell], str]
) -> dict[str, CheckResult]:
    last = max((place for place, cell in enumerate(cells) if _is_asked(cell)), default=-1)
    found = {}
    try:
        for cell in cells[: last + 1]:
            try:
                said = process.run(replace(cell, source=text_of(cell)))
            except Lost as error:
                said = error
            if _is_asked(cell):
                found[cell.id] = _result(cell, said)
    finally:
        process.close()
    return found


def _result(cell: Cell, said: Any) -> CheckResult:
    """What nbgrader would give for what a test cell shows; nothing where it shows no such thing."""
    if isinstance(said, Lost):
        outcome = Outcome.TIMEOUT if isinstance(said, TimedOut) else Outcome.CRASHED
        return _failed(cell, outcome, str(said))
    if type(said) is not list:
        return _failed(cell, Outcome.ERROR, "the program did not say what the test shows")
    outputs = Outputs()
    outputs.keep(cell.id, said)
    for output in outputs.of_cells[cell.id]:
        if output["output_type"] == "error":
            is_failure = output["ename"] in _FAILURES
            outcome = Outcome.FAILED if is_failure else Outcome.ERROR
            check = _failed(cell, outcome, f"{output['ename']}: {output['evalue']}".rstrip(": "))
            return replace(check, line=_line(cell, output["traceback"]))
        if output["output_type"] == "execute_result":
            return _shown(cell, output["data"].get("text/plain"))
    return CheckResult(cell.id, cell.points, cell.points, Outcome.PASSED, is_protected=False)


def _line(cell: Cell, traceback: Sequence[str]) -> int:
    """The line of the test at which it failed, as the traceback says."""
    found = re.findall(rf"Cell {re.escape(cell.id)}(?:, line |:)(\d+)", "\n".join(traceback))
    return int(found[-1][:6]) if found else 0


def _shown(cell: Cell, text: str | None) -> CheckResult:
    try:
        points = shown_points(text, cell.points)
    except TooMuch as error:
        return _failed(cell, Outcome.ERROR, str(error))
    if points or not cell.points:
        return CheckResult(cell.id, points, cell.points, Outcome.PASSED, is_protected=False)
    return _failed(cell, Outcome.FAILED, f"0 of {cell.points:g} points")


def _failed(cell: Cell, outcome: Outcome, message: str) -> CheckResult:
    text = clean_message(message[:_LONGEST])
    return CheckResult(cell.id, 0.0, cell.points, outcome, text, is_protected=False)
