"""Grading one hand-in: repair, judge, and the notebook with its outputs, as plain data."""

import atexit
import json
import threading
import traceback
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from autograder.jail import Jail, JailMissing
from autograder.judge import judge
from autograder.notebook.collect import Handin, Submission, understand
from autograder.notebook.master import Master
from autograder.submission import CheckResult, Kind, Outcome, Verdict

_NOT_CONFINED = "graded without a jail: the student's code could do whatever the grader may do"


@dataclass(frozen=True)
class Graded:
    """What came out for one hand-in; plain data, so that a worker anywhere can return it.

    `notebook` is the repaired notebook with outputs, as JSON; `untouched` are the ids of the
    answers that are still as they were given out.
    """

    name: str
    lesson: str
    checks: tuple[CheckResult, ...]
    problems: tuple[str, ...]
    notebook: str
    untouched: tuple[str, ...]
    is_readable: bool = True

    @property
    def score(self) -> float:
        """The points that were given."""
        return float(sum(check.points for check in self.checks))

    @property
    def max_score(self) -> float:
        """The points that could be given."""
        return float(sum(check.max_points for check in self.checks))

    def as_json(self) -> dict[str, Any]:
        """The object that `autograder check --json` prints."""
        return {
            "notebook": self.name,
            "lesson": self.lesson,
            "score": self.score,
            "max_score": self.max_score,
            "checks": [_check_as_json(check) for check in self.checks],
            "problems": list(self.problems),
        }


def grade(handin: Handin, master: Master, confined: bool = True) -> Graded:
    """Repairs and judges one hand-in, in the warm jail of this process.

    Whatever goes wrong scores 0 and is listed. Raises nothing but `JailMissing`.
    """
    try:
        return _grade(handin, master, confined)
    except JailMissing:
        raise
    except Exception as error:
        with suppress(Exception):
            _jails.close()
        traceback.print_exc()
        return failed(handin, master, f"{type(error).__name__}: {error}")


def _grade(handin: Handin, master: Master, confined: bool) -> Graded:
    submission = understand(handin, master)
    if not submission.is_readable:
        checks = _checks(Verdict(()), master, submission.problems[0])
        return _graded(handin, master, submission, checks, {})
    verdict = judge(submission.paper, _jails.get(master.lesson, confined))
    if not confined:
        submission = replace(submission, problems=(*submission.problems, _NOT_CONFINED))
    return _graded(handin, master, submission, _checks(verdict, master), verdict.outputs)


def failed(handin: Handin, master: Master, cause: str) -> Graded:
    """The result of a hand-in that the grader itself could not cope with: nothing passed."""
    reason = f"the grader itself failed on this submission, nothing was scored: {cause[:300]}"
    # another hand-in than the real one, so that the next run tries again
    unread = Handin(handin.name, reason=reason)
    submission = understand(unread, master)
    return _graded(unread, master, submission, _checks(Verdict(()), master, reason), {})


def _checks(
    verdict: Verdict, master: Master, reason: str = "the judge did not see it pass"
) -> tuple[CheckResult, ...]:
    """One result for each graded cell of the master: only what was seen to pass has points."""
    seen = {check.id: check for check in verdict.checks}
    return tuple(_check(seen.get(cell.id), cell, reason) for cell in master.graded)


def _check(seen: CheckResult | None, cell: Any, reason: str) -> CheckResult:
    if cell.kind is Kind.MANUAL:
        return CheckResult(cell.id, 0.0, cell.points, Outcome.MANUAL)
    if seen is None:
        return CheckResult(cell.id, 0.0, cell.points, Outcome.NOT_RUN, reason)
    points = cell.points if seen.outcome is Outcome.PASSED else 0.0
    return replace(seen, points=points, max_points=cell.points)


def _graded(
    handin: Handin,
    master: Master,
    submission: Submission,
    checks: tuple[CheckResult, ...],
    outputs: dict[str, list[dict[str, Any]]],
) -> Graded:
    sources = {cell["id"]: cell["source"] for cell in submission.notebook["cells"]}
    answers = [cell for cell in master.cells if cell.is_answer]
    remarks = {
        "problems": list(submission.problems),
        "is_readable": submission.is_readable,
        "digest": handin.digest,
    }
    notebook = with_results(submission.notebook, checks, outputs)
    notebook["metadata"] = {**notebook["metadata"], "autograder": remarks}
    return Graded(
        name=handin.name,
        lesson=master.lesson,
        checks=checks,
        problems=submission.problems,
        notebook=json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n",
        untouched=tuple(cell.id for cell in answers if sources[cell.id] == cell.source),
        is_readable=submission.is_readable,
    )


def with_results(
    notebook: dict[str, Any],
    checks: tuple[CheckResult, ...],
    outputs: dict[str, list[dict[str, Any]]],
) -> dict[str, Any]:
    """The notebook with the outputs of its cells; a check that did not pass shows an error.

    A check that passed shows nothing, so that nbgrader comes to the same score.
    """
    results = {check.id: check for check in checks if check.outcome is not Outcome.MANUAL}
    cells = [dict(cell) for cell in notebook["cells"]]
    code = (cell for cell in cells if cell["cell_type"] == "code")
    for number, cell in enumerate(code, start=1):
        result = results.get(cell["id"])
        cell["execution_count"] = number
        cell["outputs"] = outputs.get(cell["id"], []) if result is None else _as_output(result)
    return {**notebook, "cells": cells}


def _as_output(check: CheckResult) -> list[dict[str, Any]]:
    """nbformat's form of a failure, with the message in place of a traceback."""
    if check.outcome is Outcome.PASSED:
        return []
    lines = check.message.splitlines() or [check.outcome.value.replace("_", " ")]
    name = "CheckFailed" if check.outcome is Outcome.FAILED else check.outcome.value
    return [{"output_type": "error", "ename": name, "evalue": lines[0], "traceback": lines}]


def _check_as_json(check: CheckResult) -> dict[str, Any]:
    return {
        "id": check.id,
        "points": float(check.points),
        "max_points": float(check.max_points),
        "outcome": check.outcome.value,
        "message": check.message,
        "misconception": check.misconception,
    }


class _WarmJails(threading.local):
    """The one jail that each thread keeps warm between submissions of a lesson."""

    def __init__(self) -> None:
        self._jail: Jail | None = None
        self._purpose: tuple[str, bool] | None = None

    def get(self, lesson_id: str, confined: bool) -> Jail:
        """The jail for a lesson, started if there is none yet."""
        if self._jail is None or self._purpose != (lesson_id, confined):
            self.close()
            self._jail = Jail(lesson_id, confined=confined).__enter__()
            atexit.register(self._jail.close)
            self._purpose = (lesson_id, confined)
        return self._jail

    def close(self) -> None:
        """Ends the jail; the next submission gets a new one."""
        jail, self._jail = self._jail, None
        if jail is not None:
            atexit.unregister(jail.close)
            jail.close()


_jails = _WarmJails()
