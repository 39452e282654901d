"""The road of one submission, the same for every one:

1. Released run: all cells in order, in a process of their own; of each test the released lines
   alone. It gives all that a student reads: what cells show, what checks say, the mistake by name.
2. Protected run: another process; each protected test is asked whole, hidden lines and all. It
   gives points, and nothing else. So what a student reads was there before anything hidden.
3. Inside run, where tests are not protected: a third process, the notebook as nbgrader runs it.

Two things are told afterwards all the same: the mistake's name, of a check that only its hidden
lines have cost; and in the judge's own words, how a function was lost that did not come back.
"""

import ast
import re
from collections.abc import Collection, Mapping
from contextlib import closing, suppress
from dataclasses import replace
from typing import Any

from autograder.course import (
    CheckFailed,
    NoAnswer,
    cell_of,
    diagnose,
    exercise_of,
    exercises_of,
    in_check,
)
from autograder.jail import Jail, Lost
from autograder.judge.clock import Clock
from autograder.judge.errors import error_text, line_of, place_of, said_by
from autograder.judge.inside import judge_inside
from autograder.judge.namespace import Namespace
from autograder.judge.outputs import Output, Outputs, clean_message
from autograder.judge.process import Process
from autograder.judge.results import MAX_MESSAGE, failed, named, outcome_of, passed, with_hint
from autograder.judge.shared import shared_lines
from autograder.judge.silence import silence
from autograder.judge.uses import Uses
from autograder.judge.workplace import Workplace
from autograder.submission import Cell, CheckResult, Kind, Outcome, Submission, Verdict

_LACKING = re.compile(r"^ *(?:this )?(\w+) has no (\w+)(?: yet)?\. .*$", re.MULTILINE)
_NEVER_BACK = (Outcome.TIMEOUT, Outcome.CRASHED)
_CODE = (Kind.GIVEN, Kind.STUDENT, Kind.MANUAL)


def judge(submission: Submission, jail: Jail, uses: Uses | None = None) -> Verdict:
    """The verdict on a submission: a check passed only if its test was seen to end without error.

    `uses` are what the tests use of the answer key's objects. Raises `JailMissing` if the jail can
    not be started again; whatever else goes wrong costs the check it happens in.
    """
    jail.lay(submission.files)
    workplace = Workplace(submission.given_files)
    try:
        with silence():
            clock = Clock(jail.limits)
            with closing(_Run(submission, jail, workplace, clock, uses)) as released:
                told = released.told()
            shown = released.outputs.of_cells
            clock = Clock(jail.limits, clock)
            protected = _Run(submission, jail, workplace, clock, uses, gives_no_hints=True)
            with closing(protected):
                checks = protected.checks()
            hidden = {one.id for one in checks if one.message and not told[one.id].message}
            if hidden:
                clock = Clock(jail.limits, clock)
                with closing(_Run(submission, jail, workplace, clock, uses)) as last:
                    told |= last.names(hidden)
            checks = [
                with_hint(_explained(check, protected.missing, shown), told) for check in checks
            ]
    finally:
        workplace.close()
    never_back = {check.id for check in checks if check.outcome in _NEVER_BACK}
    inside = judge_inside(submission.code, jail, protected.lost | never_back, clock)
    by_id = {check.id: check for check in checks} | inside
    return Verdict(
        "",
        submission.lesson,
        tuple(by_id[cell.id] for cell in submission.code if cell.id in by_id),
        outputs=shown,
        broken=protected.broken,
    )


class _Run:
    """One process for the cells of a submission, and the place where its tests run outside of it.

    Where it `gives_no_hints`, nothing is found out for them.
    """

    def __init__(
        self,
        submission: Submission,
        jail: Jail,
        workplace: Workplace,
        clock: Clock,
        uses: Uses | None,
        gives_no_hints: bool = False,
    ) -> None:
        self.outputs = Outputs()
        self.lost: set[str] = set()  # cells that have ended the process
        self.missing: dict[str, str] = {}  # by the test that has missed a name
        self._lesson = submission.lesson
        self._cells = submission.code
        self._ids = frozenset(cell.id for cell in self._cells)
        self._workplace = workplace
        self._clock = clock
        self._process = Process(jail, clock, gives_no_hints, uses)
        self._shared = shared_lines(self._cells)
        answered = exercises_of(self._lesson) | submission.answered
        with workplace.entered(bool(submission.imports)):
            self._namespace = Namespace(set(answered), submission.imports)

    def close(self) -> None:
        """The process is of no use any more."""
        self._process.close()

    @property
    def broken(self) -> dict[str, str]:
        """The given cells that failed outside, and why."""
        return self._namespace.broken

    def checks(self) -> list[CheckResult]:
        """Runs all cells in order, and asks every protected test whole, hidden lines and all."""
        found = []
        for cell in self._cells:
            if cell.kind is Kind.MANUAL:
                found.append(CheckResult(cell.id, 0.0, cell.points, Outcome.MANUAL))
            if cell.kind in _CODE:
                self._run(cell)
            elif cell.kind is Kind.TEST:
                self._share(cell)
                if not cell.is_inside:
                    found.append(self._check(cell))
        return found

    def told(self) -> dict[str, CheckResult]:
        """Runs all cells in order; what each protected test says by its released lines alone."""
        told = {}
        for cell in self._cells:
            if cell.kind in _CODE:
                self._run(cell)
            elif cell.kind is Kind.TEST:
                self._share(cell)
                if not cell.is_inside:
                    told[cell.id] = self._released(cell)
        return told

    def names(self, lost: Collection[str]) -> dict[str, CheckResult]:
        """Runs all cells up to these checks; the mistakes that show in what they are about."""
        found: dict[str, CheckResult] = {}
        for cell in self._cells:
            if found.keys() == lost:
                break
            if cell.kind in _CODE:
                self._run(cell)
            elif cell.kind is Kind.TEST:
                self._share(cell)
                source = _without_asking(cell.shown)
                if not cell.is_inside:
                    self._check(replace(cell, source=source))
                if cell.id in lost:
                    found[cell.id] = named(passed(cell, None), self._diagnosis(cell))
        return found

    def _run(self, cell: Cell) -> None:
        if cell.kind is Kind.GIVEN and not cell.is_inside:
            with self._workplace.entered():
                self._namespace.give(cell, self._clock)
        try:
            self.outputs.keep(cell.id, self._process.run(cell))
        except Lost as lost:
            if not lost.is_stopped:
                self.lost.add(cell.id)
            self.outputs.keep_lost(cell.id, outcome_of(lost).value, str(lost))

    def _share(self, cell: Cell) -> None:
        """What students see that a test sets, is there for their functions."""
        if lines := self._shared.get(cell.id):
            with suppress(Lost):
                self._process.run(replace(cell, source=lines))

    def _released(self, cell: Cell) -> CheckResult:
        """What a check says by its released lines, and the mistake by its name where it is lost."""
        with in_check(cell.id):
            seen = self._check(replace(cell, source=cell.shown))
            seen = _explained(seen, self.missing, self.outputs.of_cells)
            return named(seen, self._diagnosis(cell)) if seen.message and not seen.mistake else seen

    def _diagnosis(self, cell: Cell) -> Any:
        """The mistake that shows in what a check is about; nothing, if that does not answer."""
        exercises = exercises_of(self._lesson)
        mentioned = re.findall(r"\w+", f"{exercise_of(cell.id).partition('.')[0]} {cell.shown}")
        name = next((name for name in mentioned if name in exercises), "")
        with suppress(Lost, Exception):
            found = self._process.values([name]).get(name) if name else None
            return diagnose(found) if callable(found) else None
        return None

    def _check(self, cell: Cell) -> CheckResult:
        """Anything but a clean end of the test cell is 0 points, with its reason."""
        self._process.begin_test(cell.id)
        try:
            with self._workplace.entered():
                value = self._namespace.run(cell, self._process, self._clock)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return replace(self._result(cell, error), line=line_of(error, cell.id))
        finally:
            self._process.end_test()
        if self._process.lost is not None:
            return self._result(cell, self._process.lost)
        return passed(cell, value)

    def _result(self, cell: Cell, error: BaseException) -> CheckResult:
        """What becomes of a check whose test cell has raised an error."""
        if isinstance(error, NoAnswer):
            # The judge's own words: they tell nothing of what was asked.
            return failed(cell, outcome_of(error), said_by(error), error.diagnosis, tells=False)
        if isinstance(error, CheckFailed):
            return failed(cell, Outcome.FAILED, said_by(error), error.diagnosis)
        if isinstance(error, NameError) and type(error.name) is str:
            self.missing[cell.id] = error.name
        place = place_of(error, self._ids)
        where = f" ({place.cell}, line {place.line})" if place else ""
        is_failure = isinstance(error, AssertionError)
        outcome = Outcome.FAILED if is_failure else Outcome.ERROR
        return failed(cell, outcome, error_text(error)[:MAX_MESSAGE] + where)


def _explained(
    check: CheckResult, missing: Mapping[str, str], outputs: Mapping[str, list[Output]]
) -> CheckResult:
    """With what went wrong in the cell that should have defined a missing name, or method."""
    lacking = _LACKING.search(check.message)
    cell = cell_of(f"{lacking[1]}.{lacking[2]}") if lacking else missing.get(check.id, "")
    errors = [one for one in outputs.get(cell, []) if one["output_type"] == "error"]
    if not errors:
        return check
    why = clean_message(f"its cell stopped with {errors[-1]['ename']}: {errors[-1]['evalue']}")
    if lacking is None:
        message = f"{check.message}; {why}"
    else:
        before, after = check.message[: lacking.start()], check.message[lacking.end() :]
        message = f"{before}  {lacking[1]} has no {lacking[2]}: {why}{after}"
    return replace(check, message=message[:MAX_MESSAGE])


def _without_asking(source: str) -> str:
    """A test cell without its asserts and bare calls: what is left may matter to later cells."""
    try:
        nodes = ast.parse(source).body
    except SyntaxError:
        return source
    return "\n".join(ast.unparse(n) for n in nodes if not isinstance(n, ast.Expr | ast.Assert))
