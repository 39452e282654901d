"""A hearing: one submission, cell by cell, each where its kind belongs."""

import traceback
from contextlib import suppress
from typing import Any

from autograder.course import CheckFailed, NoAnswer, exercises_of
from autograder.jail import Jail, Lost, TimedOut
from autograder.judge.namespace import Courtroom
from autograder.judge.outputs import Output, clean_outputs, clean_text, error_output
from autograder.judge.process import Bench
from autograder.submission import Cell, CheckResult, Kind, Outcome, Submission, Verdict

MAX_MESSAGE = 20_000


def judge(submission: Submission, jail: Jail) -> Verdict:
    """The checks and outputs of a submission; a check passed only if its test cell ended cleanly.

    Given cells run on both sides, the student's in the jail, test cells here. Raises `JailMissing`
    if the jail can not be started again; whatever else goes wrong costs the check it happens in.
    """
    bench = Bench(jail)
    try:
        return _Hearing(submission, bench).verdict()
    finally:
        bench.close()


class _Hearing:
    def __init__(self, submission: Submission, bench: Bench) -> None:
        self._submission = submission
        self._bench = bench
        self._courtroom = Courtroom(set(exercises_of(submission.lesson)))
        self._checks: list[CheckResult] = []
        self._outputs: dict[str, list[Output]] = {}

    def verdict(self) -> Verdict:
        for cell in self._submission.code:
            if cell.kind is Kind.TEST:
                self._checks.append(self._check(cell))
            elif cell.kind is Kind.MANUAL:
                self._checks.append(CheckResult(cell.id, 0.0, cell.points, Outcome.MANUAL))
            else:
                self._run(cell)
        return Verdict("", self._submission.lesson, tuple(self._checks), outputs=self._outputs)

    def _run(self, cell: Cell) -> None:
        if cell.kind is Kind.GIVEN:
            self._courtroom.give(cell)
        try:
            outputs = clean_outputs(self._bench.run(cell))
        except Lost as lost:
            outputs = [error_output(_outcome(lost).value, str(lost))]
        self._outputs[cell.id] = outputs

    def _check(self, cell: Cell) -> CheckResult:
        """Anything but a clean end of the test cell is 0 points, with its reason."""
        self._bench.begin_test(cell.id)
        try:
            self._courtroom.run(cell, self._bench)
        except NoAnswer as lost:
            return _failed(cell, _outcome(lost), str(lost), lost.diagnosis)
        except AssertionError as error:
            diagnosis = error.diagnosis if isinstance(error, CheckFailed) else None
            return _failed(cell, Outcome.FAILED, _message(error), diagnosis)
        except NameError as error:
            why = self._why_missing(error.name or "")
            return _failed(cell, Outcome.ERROR, _message(error) + why)
        except (Exception, SystemExit, GeneratorExit) as error:
            return _failed(cell, Outcome.ERROR, _message(error))
        if self._bench.lost is not None:
            return _failed(cell, _outcome(self._bench.lost), str(self._bench.lost))
        return CheckResult(cell.id, cell.points, cell.points, Outcome.PASSED)

    def _why_missing(self, name: str) -> str:
        """What went wrong in the cell that should have defined a name."""
        outputs = self._outputs.get(name, [])
        errors = [output for output in outputs if output["output_type"] == "error"]
        if not errors:
            return ""
        return f"; its cell stopped with {errors[-1]['ename']}: {errors[-1]['evalue']}"


def _failed(cell: Cell, outcome: Outcome, message: str, diagnosis: Any = None) -> CheckResult:
    misconception = getattr(diagnosis, "id", None)
    text = clean_text(message[:MAX_MESSAGE])
    return CheckResult(cell.id, 0.0, cell.points, outcome, text, misconception)


def _outcome(lost: NoAnswer) -> Outcome:
    return Outcome.TIMEOUT if isinstance(lost, TimedOut) else Outcome.CRASHED


def _message(error: BaseException) -> str:
    """The text of a failed check as it is; of any other error its kind, too, and where it was."""
    text = ""
    with suppress(Exception):
        text = str(error)
    if isinstance(error, CheckFailed):
        return text
    said = traceback.format_exception_only(type(error)(text) if text else error)[-1].strip()
    line = getattr(error, "line", None)
    return f"{said} (line {line} of the cell)" if line else said
