"""Judging one submission, cell by cell, each where its kind belongs."""

import ast
from contextlib import suppress
from dataclasses import replace
from typing import Any

from autograder.course import CheckFailed, NoAnswer, exercises_of
from autograder.jail import Jail, Lost, TimedOut
from autograder.judge.clock import Clock
from autograder.judge.errors import error_text, place_of, said_by
from autograder.judge.namespace import Namespace
from autograder.judge.outputs import Outputs, clean_message
from autograder.judge.process import Process
from autograder.judge.uses import Uses
from autograder.submission import Cell, CheckResult, Kind, Outcome, Submission, Verdict

MAX_MESSAGE = 20_000
_CODE = (Kind.GIVEN, Kind.STUDENT)


def judge(submission: Submission, jail: Jail, uses: Uses | None = None) -> Verdict:
    """The verdict on a submission: a check passed only if its test was seen to end without error.

    Given cells run on both sides, the student's in the jail, test cells here. `uses` are what the
    tests use of the answer key's objects. Raises `JailMissing` if the jail can not be started
    again; whatever else goes wrong costs the check it happens in.
    """
    judging = _Judging(submission, jail, uses)
    try:
        return judging.verdict()
    finally:
        judging.close()


class _Judging:
    def __init__(self, submission: Submission, jail: Jail, uses: Uses | None) -> None:
        self._uses = uses
        self._lesson = submission.lesson
        self._cells = submission.code
        self._ids = frozenset(cell.id for cell in self._cells)
        self._jail = jail
        self._clock = Clock(jail.limits)
        self._process = Process(jail, self._clock, uses=uses)
        self._namespace = Namespace(set(exercises_of(submission.lesson)))
        self._outputs = Outputs()
        self._checks: list[CheckResult] = []
        self._missing: dict[str, str] = {}
        self._lost: set[str] = set()

    def verdict(self) -> Verdict:
        """Runs all cells in order, then once more those whose outputs may tell of a test."""
        for cell in self._cells:
            if cell.kind is Kind.TEST:
                self._checks.append(self._check(cell))
            elif cell.kind is Kind.MANUAL:
                self._checks.append(CheckResult(cell.id, 0.0, cell.points, Outcome.MANUAL))
            else:
                self._run(cell)
        self._show_without_tests()
        told = self._told()
        checks = tuple(
            replace(self._explained(check), told=told.get(check.id, "")) for check in self._checks
        )
        return Verdict("", self._lesson, checks, outputs=self._outputs.of_cells)

    def close(self) -> None:
        """Ends what still runs."""
        self._process.close()

    def _run(self, cell: Cell) -> None:
        if cell.kind is Kind.GIVEN:
            self._namespace.give(cell, self._clock)
        self._show(cell)

    def _show(self, cell: Cell) -> None:
        try:
            self._outputs.keep(cell.id, self._process.run(cell))
        except Lost as lost:
            self._lost.add(cell.id)
            self._outputs.keep_lost(cell.id, _outcome(lost).value, str(lost))

    def _show_without_tests(self) -> None:
        """Takes what cells after a test show from a process in which no test has run.

        What a test asks would else come back to the student, printed by a later cell.
        """
        kinds = [cell.kind for cell in self._cells]
        first = kinds.index(Kind.TEST) if Kind.TEST in kinds else len(kinds)
        shown, lost = self._outputs.of_cells, set(self._lost)
        after = [place for place, cell in enumerate(self._cells) if shown.get(cell.id)]
        if not after or after[-1] < first:
            return
        self._process.close()
        self._process, self._outputs = Process(self._jail, self._clock, uses=self._uses), Outputs()
        for cell in self._cells[: after[-1] + 1]:
            if cell.kind in _CODE and cell.id not in lost:
                self._show(cell)
        before = {cell.id for cell in self._cells[:first]} | lost
        again = self._outputs.of_cells
        again.update({cell: shown[cell] for cell in shown if cell in before or cell not in again})

    def _told(self) -> dict[str, str]:
        """What the lost checks say to the student: what the notebook says that students have.

        It is run in a process in which no hidden test has run. What a hidden test asks would else
        come back in the message of any check, from a function that keeps what it is asked.
        """
        told = {check.id: check.message for check in self._checks if not check.tells}
        asking = {check.id for check in self._checks if check.message and check.tells}
        if not asking:
            return told
        self._process.close()
        self._process = Process(self._jail, self._clock, self._process.remembered, self._uses)
        self._namespace = Namespace(set(exercises_of(self._lesson)))
        places = [place for place, cell in enumerate(self._cells) if cell.id in asking]
        for cell in self._cells[: places[-1] + 1]:
            if cell.kind is Kind.TEST:
                source = cell.shown if cell.id in asking else _without_asking(cell.shown)
                seen = self._explained(self._check(replace(cell, source=source)))
                told.setdefault(cell.id, seen.message)
            elif cell.kind in _CODE and cell.id not in self._lost:
                self._run_unseen(cell)
        return told

    def _run_unseen(self, cell: Cell) -> None:
        if cell.kind is Kind.GIVEN:
            self._namespace.give(cell, self._clock)
        with suppress(Lost):
            self._process.run(cell)

    def _check(self, cell: Cell) -> CheckResult:
        """Anything but a clean end of the test cell is 0 points, with its reason."""
        self._process.begin_test(cell.id)
        try:
            with self._clock.over(cell.id):
                self._namespace.run(cell, self._process)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return self._result(cell, error)
        finally:
            self._process.end_test()
        if self._process.lost is not None:
            return self._result(cell, self._process.lost)
        return CheckResult(cell.id, cell.points, cell.points, Outcome.PASSED)

    def _result(self, cell: Cell, error: BaseException) -> CheckResult:
        """What becomes of a check whose test cell has raised an error."""
        if isinstance(error, NoAnswer):
            # The judge's own words: they tell nothing of what was asked.
            return _failed(cell, _outcome(error), said_by(error), error.diagnosis, tells=False)
        if isinstance(error, CheckFailed):
            return _failed(cell, Outcome.FAILED, said_by(error), error.diagnosis)
        if isinstance(error, NameError) and type(error.name) is str:
            self._missing[cell.id] = error.name
        place = place_of(error, self._ids)
        where = f" ({place.cell}, line {place.line})" if place else ""
        is_failure = isinstance(error, AssertionError)
        outcome = Outcome.FAILED if is_failure else Outcome.ERROR
        return _failed(cell, outcome, error_text(error)[:MAX_MESSAGE] + where)

    def _explained(self, check: CheckResult) -> CheckResult:
        """With what went wrong in the cell that should have defined a missing name."""
        outputs = self._outputs.of_cells.get(self._missing.get(check.id, ""), [])
        errors = [output for output in outputs if output["output_type"] == "error"]
        if not errors:
            return check
        why = f"; its cell stopped with {errors[-1]['ename']}: {errors[-1]['evalue']}"
        return replace(check, message=(check.message + clean_message(why))[:MAX_MESSAGE])


def _without_asking(source: str) -> str:
    """A test cell without its asserts and bare calls: what is left may matter to later cells."""
    try:
        nodes = ast.parse(source).body
    except SyntaxError:
        return source
    return "\n".join(ast.unparse(n) for n in nodes if not isinstance(n, ast.Expr | ast.Assert))


def _failed(
    cell: Cell, outcome: Outcome, message: str, diagnosis: Any = None, tells: bool = True
) -> CheckResult:
    text = clean_message(message[:MAX_MESSAGE])
    known: dict[str, Any] = {
        "misconception": getattr(diagnosis, "id", None),
        "mistake": getattr(diagnosis, "title", ""),
        "hint": getattr(diagnosis, "nudge", ""),
    }
    return CheckResult(cell.id, 0.0, cell.points, outcome, text, tells=tells, **known)


def _outcome(lost: NoAnswer) -> Outcome:
    return Outcome.TIMEOUT if isinstance(lost, TimedOut) else Outcome.CRASHED
